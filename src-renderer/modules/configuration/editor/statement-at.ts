import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/** Longest time for what is not parsed yet. A text of ten thousand streams takes less than half of it, and after an edit next to nothing. */
const PARSE_MS = 500;

/** Blocks that directives stand in, by the words before their braces, outermost first: `stream cam1`. */
interface BlockName {
  readonly kind: string;
  readonly name: string;
  /** Range of the whole statement. */
  readonly from: number;
  readonly to: number;
}

/** Where a place of the text is: in which blocks, and in which statement of the innermost one. */
export interface StatementAt {
  readonly blocks: readonly BlockName[];
  /** Name of the directive; undefined between statements and in a name that is being written. */
  readonly directive: string | undefined;
  /** Key of the option whose value is there. */
  readonly option: string | undefined;
}

/** What stands at a place of the text. */
export function statementAt(state: EditorState, at: number): StatementAt {
  const blocks: BlockName[] = [];
  let directive: string | undefined;
  let option: string | undefined;
  let isWithin = false;
  for (let node: SyntaxNode | null = wholeTree(state).resolveInner(at, -1); node; node = node.parent) {
    if (node.name === 'Option') option ??= textOf(state, node.getChild('OptionKey')).replace(/=$/, '');
    else if (node.name === 'Block')
      isWithin ||= at > node.from && (at < node.to || node.getChild('MissingClose') !== null);
    else if (node.name === 'Directive') {
      const name = node.getChild('Name') ?? node.getChild('Text');
      const [kind, block] = [textOf(state, name), node.getChild('Block')];
      if (block && at > block.from && isWithin)
        blocks.unshift({ kind, name: wordOf(state, node, name), from: node.from, to: node.to });
      else if (name && at > name.to && blocks.length === 0 && !endsBefore(state, node, at)) directive = kind;
    }
  }
  return { blocks, directive, option };
}

/** The tree of the whole text: that of the state ends where the editor stopped to parse when the text was put into it. */
function wholeTree(state: EditorState): Tree {
  return ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
}

function endsBefore(state: EditorState, node: SyntaxNode, at: number): boolean {
  return at >= node.to && state.sliceDoc(node.to - 1, node.to) === ';';
}

/** The first word behind the name. */
function wordOf(state: EditorState, node: SyntaxNode, name: SyntaxNode | null): string {
  const next = name?.nextSibling;
  if (!next || next.parent?.from !== node.from || next.name === 'Block') return '';
  return textOf(state, next).replace(/^"|"$/g, '');
}

function textOf(state: EditorState, node: SyntaxNode | null): string {
  return node ? state.sliceDoc(node.from, node.to) : '';
}

/** A name that stands in the text for a block of the top level, such as a stream. */
interface NamedBlock {
  readonly kind: string;
  readonly name: string;
  readonly from: number;
}

/** The named blocks of the top level. */
export function namedBlocks(state: EditorState): NamedBlock[] {
  const found: NamedBlock[] = [];
  for (let node = wholeTree(state).topNode.firstChild; node; node = node.nextSibling) {
    if (node.name !== 'Directive' || !node.getChild('Block')) continue;
    const name = node.getChild('Name');
    found.push({ kind: textOf(state, name), name: wordOf(state, node, name), from: node.from });
  }
  return found;
}
