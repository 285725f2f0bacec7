import { because, type Explained } from '../explanations/explanations.ts';
import type { Tree, TreeCursor } from '@lezer/common';
import { LineTable } from './lines.ts';
import { parser } from './parser.ts';
import * as term from './parser.terms.ts';
import type { ConfigDirective, ConfigOption, ConfigWord, SyntaxProblem, WordKind } from './syntax.ts';
import { parseTextLiteral } from './text-literal.ts';
import { endsWord } from './characters.ts';

/** Maximum nesting depth of blocks. No directive needs more than four levels. */
export const MAX_DEPTH = 32;
/** Maximum number of syntax errors in a report. A text that is no configuration at all would have thousands. */
export const MAX_SYNTAX_PROBLEMS = 200;

const ADVANCES_PER_STEP = 200;
const DIRECTIVES_PER_STEP = 50;

/** Syntax tree of a configuration text. */
export interface ParsedText {
  readonly text: string;
  readonly tree: Tree;
  readonly lines: LineTable;
  readonly directives: readonly ConfigDirective[];
  readonly problems: readonly SyntaxProblem[];
}

/**
 * Parses a configuration text. Always returns directives; syntax errors are in `problems`, in order.
 *
 * @param firstLine number of the first line in messages, for a text that is part of a longer one
 */
export function parseConfigText(text: string, firstLine = 1): ParsedText {
  const collecting = collect(text, parser.parse(text), firstLine);
  for (;;) {
    const step = collecting.next();
    if (step.done) return step.value;
  }
}

/** Parses in small steps, for a thread that has other work in between. */
export function* parseConfigTextInSteps(text: string, firstLine = 1): Generator<void, ParsedText> {
  const parse = parser.startParse(text);
  for (let count = 1; ; count++) {
    const tree = parse.advance();
    if (tree) return yield* collect(text, tree, firstLine);
    if (count % ADVANCES_PER_STEP === 0) yield;
  }
}

function* collect(text: string, tree: Tree, firstLine: number): Generator<void, ParsedText> {
  const lines = new LineTable(text);
  const collector = new Collector(text, lines, firstLine);
  const cursor = tree.cursor();
  const directives = cursor.firstChild() ? yield* collector.readItems(cursor, 0) : [];
  return { text, tree, lines, directives, problems: collector.problems.sort((a, b) => a.from - b.from) };
}

/** Walks the tree once from start to end, in steps. */
class Collector {
  readonly problems: SyntaxProblem[] = [];
  readonly #text: string;
  readonly #lines: LineTable;
  readonly #firstLine: number;
  /** Current line. The walk only moves forward, so the line is counted instead of searched. */
  #line = 1;
  #count = 0;

  constructor(text: string, lines: LineTable, firstLine: number) {
    this.#text = text;
    this.#lines = lines;
    this.#firstLine = firstLine;
  }

  /** Reads the siblings from the cursor on, and leaves the cursor on the last one. */
  *readItems(cursor: TreeCursor, depth: number): Generator<void, ConfigDirective[]> {
    const directives: ConfigDirective[] = [];
    do {
      const id = cursor.type.id;
      if (++this.#count % DIRECTIVES_PER_STEP === 0) yield;
      if (id === term.Directive) directives.push(yield* this.#readDirective(cursor, depth));
      else if (id === term.Block) yield* this.#readStrayBlock(cursor, depth);
      else if (id === term.StrayClose)
        this.#problem(cursor.from, cursor.to, because('brace_closes_nothing'), 'a directive', '}');
      else if (id === term.MissingClose) this.#missingClose(cursor);
      else if (cursor.type.isError)
        this.#problem(cursor.from, cursor.to, because('text_not_read'), 'a directive', this.#excerpt(cursor.from));
    } while (cursor.nextSibling());
    return directives;
  }

  *#readDirective(cursor: TreeCursor, depth: number): Generator<void, ConfigDirective> {
    const { from, to } = cursor;
    const line = this.#lineAt(from);
    const column = from - (this.#lines.startOf(line) ?? 0) + 1;
    const args: ConfigWord[] = [];
    const options: ConfigOption[] = [];
    let block: ConfigDirective[] | undefined;
    let blockFrom = 0;
    let blockTo = 0;
    // Each directive has a name, so it has a first child.
    cursor.firstChild();
    const nameTo = cursor.to;
    const name = this.#readName(cursor);
    let lastTo = nameTo;
    while (cursor.nextSibling()) {
      const id = cursor.type.id;
      if (id === term.Option) options.push(this.#readOption(cursor));
      else if (id === term.Block) {
        blockFrom = cursor.from;
        blockTo = cursor.to;
        block = yield* this.#readBlock(cursor, depth);
      } else if (id === term.MissingEnd) this.#missingEnd(name, lastTo, cursor.from);
      else if (id >= term.Text && id <= term.Url) args.push(this.#readWord(cursor));
      else if (cursor.type.isError)
        this.#problem(cursor.from, cursor.to, because('text_not_read'), 'an argument', this.#excerpt(cursor.from));
      else continue;
      lastTo = cursor.to;
    }
    cursor.parent();
    return { name, nameTo, args, options, block, blockFrom, blockTo, from, to, line, column };
  }

  #readName(cursor: TreeCursor): string {
    if (cursor.type.id === term.Name) return this.#text.slice(cursor.from, cursor.to);
    this.#problem(
      cursor.from,
      cursor.to,
      because('statement_without_name'),
      'the name of a directive',
      'a text in quotation marks',
    );
    return this.#readWord(cursor).value;
  }

  #readOption(cursor: TreeCursor): ConfigOption {
    const { from, to } = cursor;
    cursor.firstChild();
    const valueFrom = cursor.to;
    const key = this.#text.slice(from, valueFrom - 1);
    const value = cursor.nextSibling() ? this.#readWord(cursor).value : '';
    cursor.parent();
    return { key, value, valueFrom, from, to };
  }

  #readWord(cursor: TreeCursor): ConfigWord {
    const { from, to } = cursor;
    const id = cursor.type.id;
    if (id !== term.Text && id !== term.UnclosedText)
      return { kind: wordKind(id), value: this.#text.slice(from, to), from, to };
    const isClosed = id === term.Text;
    if (!isClosed) this.#problem(from, to, because('quotation_not_closed'), 'a closing "', 'the end of the line');
    else if (!endsWord(this.#charCodeAt(to)))
      this.#problem(to, to + 1, because('space_missing'), 'a space or ;', this.#excerpt(to));
    const { value, badEscapeAt } = parseTextLiteral(this.#text.slice(from + 1, isClosed ? to - 1 : to));
    if (badEscapeAt !== undefined) {
      const at = from + 1 + badEscapeAt;
      this.#problem(
        at,
        at + 2,
        because('escape_unknown'),
        '\\" \\\\ \\n \\r \\t or \\u{hex}',
        this.#text.slice(at, at + 2),
      );
    }
    return { kind: 'text', value, from, to };
  }

  *#readBlock(cursor: TreeCursor, depth: number): Generator<void, ConfigDirective[]> {
    const { from, to } = cursor;
    if (depth >= MAX_DEPTH) {
      this.#problem(
        from,
        to,
        because('blocks_too_deep', { limit: MAX_DEPTH }),
        `at most ${MAX_DEPTH} nested blocks`,
        '{',
      );
      return [];
    }
    cursor.firstChild();
    const directives = yield* this.readItems(cursor, depth + 1);
    cursor.parent();
    return directives;
  }

  *#readStrayBlock(cursor: TreeCursor, depth: number): Generator<void, void> {
    this.#problem(cursor.from, cursor.from + 1, because('block_without_directive'), 'a directive', '{');
    yield* this.#readBlock(cursor, depth);
  }

  #missingEnd(name: string, at: number, next: number): void {
    const found = next >= this.#text.length ? 'the end of the text' : '}';
    this.#problem(at, at, because('statement_not_ended', { name: quoteName(name) }), '; or {', found);
  }

  #missingClose(cursor: TreeCursor): void {
    const open = cursor.node.parent?.from ?? cursor.from;
    const line = this.#lines.lineAt(open) + this.#firstLine - 1;
    this.#problem(cursor.from, cursor.from, because('brace_not_closed', { line }), '}', 'the end of the text');
  }

  #problem(from: number, to: number, reason: Explained, expected: string, found: string): void {
    if (this.problems.length < MAX_SYNTAX_PROBLEMS) this.problems.push({ from, to, reason, expected, found });
  }

  #excerpt(at: number): string {
    return this.#text.slice(at, at + 1);
  }

  #charCodeAt(at: number): number {
    return at < this.#text.length ? this.#text.charCodeAt(at) : -1;
  }

  #lineAt(offset: number): number {
    for (
      let next = this.#lines.startOf(this.#line + 1);
      next !== undefined && next <= offset;
      next = this.#lines.startOf(this.#line + 1)
    )
      this.#line++;
    return this.#line;
  }
}

function wordKind(id: number): WordKind {
  return id === term.Number ? 'number' : id === term.Url ? 'url' : 'word';
}

function quoteName(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
