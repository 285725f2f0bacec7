import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/**
 * Time limit for parsing the rest of the text. A text of ten thousand streams takes less than half of it, an edit
 * much less.
 */
const PARSE_MS = 500;

/** Name and keyword of an enclosing block, outermost first: `stream cam1`. */
interface BlockName {
  readonly kind: string;
  readonly name: string;
  /** Range of the whole statement. */
  readonly from: number;
  readonly to: number;
}

/** Position in the text: the enclosing blocks, and the statement of the innermost one. */
export interface StatementAt {
  readonly blocks: readonly BlockName[];
  /** Name of the directive; undefined between statements and within an incomplete name. */
  readonly directive: string | undefined;
  /** Key of the option whose value is at the position. */
  readonly option: string | undefined;
}

/** Finds the blocks and the statement at a position. */
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

/** Syntax tree of the whole text. The tree of the state may be incomplete: it ends where the editor paused parsing. */
function wholeTree(state: EditorState): Tree {
  return ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
}

function endsBefore(state: EditorState, node: SyntaxNode, at: number): boolean {
  return at >= node.to && state.sliceDoc(node.to - 1, node.to) === ';';
}

/** First word after the name. */
function wordOf(state: EditorState, node: SyntaxNode, name: SyntaxNode | null): string {
  const next = name?.nextSibling;
  if (!next || next.parent?.from !== node.from || next.name === 'Block') return '';
  return textOf(state, next).replace(/^"|"$/g, '');
}

function textOf(state: EditorState, node: SyntaxNode | null): string {
  return node ? state.sliceDoc(node.from, node.to) : '';
}

/** Named block of the top level, such as a stream. */
interface NamedBlock {
  readonly kind: string;
  readonly name: string;
  readonly from: number;
}

/** Named blocks of the top level. */
export function namedBlocks(state: EditorState): NamedBlock[] {
  const found: NamedBlock[] = [];
  for (let node = wholeTree(state).topNode.firstChild; node; node = node.nextSibling) {
    if (node.name !== 'Directive' || !node.getChild('Block')) continue;
    const name = node.getChild('Name');
    found.push({ kind: textOf(state, name), name: wordOf(state, node, name), from: node.from });
  }
  return found;
}
