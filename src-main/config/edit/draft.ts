import { LineTable, type Place } from '../../../src-preload/contract/config-language/lines.ts';
import { parseConfigText } from '../../../src-preload/contract/config-language/parse.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import { wordsOf } from '../parse/directive-words.ts';
import { indentUnit } from './directive-edit.ts';
import type { TextBlock } from '../parse/text-block.ts';
import { applyChanges, emptyLineAtEnd, lineBreakOf, removal, type TextChange } from './text-change.ts';

/** A statement of the top level in a text that is being edited. It is good until its piece is changed. */
export interface StatementRef {
  readonly piece: number;
  /** Text of the piece; the offsets of the statement count from its beginning. */
  readonly text: string;
  readonly directive: ConfigDirective;
}

interface Piece {
  readonly text: string;
  readonly directives: readonly ConfigDirective[];
}

/** A configuration text that is being edited, in pieces: an edit of one stream reads only that stream anew. */
export class Draft {
  readonly #pieces: Piece[];
  readonly #lineBreak: string;
  /** Which piece a named block of the top level is in. */
  #pieceOf: Map<string, number> | undefined;

  constructor(textBlocks: readonly TextBlock[]) {
    this.#pieces = textBlocks.length > 0 ? [...textBlocks] : [{ text: '', directives: [] }];
    this.#lineBreak = lineBreakOf(this.#pieces.find(({ text }) => /[\r\n]/.test(text))?.text ?? '');
  }

  get text(): string {
    return this.#pieces.map(({ text }) => text).join('');
  }

  /** The line break that the text uses. */
  get lineBreak(): string {
    return this.#lineBreak;
  }

  /** What the text indents its blocks with. */
  get indent(): string {
    for (const { text, directives } of this.#pieces) {
      const unit = indentUnit(text, directives);
      if (unit !== undefined) return unit;
    }
    return '  ';
  }

  /** The first block of a kind with a name. */
  find(kind: string, name: string): StatementRef | undefined {
    const known = DIRECTIVES.file.get(kind);
    const piece = known && this.#index().get(keyOf(known, name));
    const found = piece === undefined ? undefined : this.#pieces[piece];
    const directive = found?.directives.find(
      (candidate) => DIRECTIVES.file.get(candidate.name) === known && wordsOf(candidate)[0]?.value === name,
    );
    return found && directive && piece !== undefined ? { piece, text: found.text, directive } : undefined;
  }

  /** All statements of the top level that mean a directive, in order. */
  all(known: KnownDirective): StatementRef[] {
    return this.#pieces.flatMap(({ text, directives }, piece) =>
      directives
        .filter(({ name }) => DIRECTIVES.file.get(name) === known)
        .map((directive) => ({ piece, text, directive })),
    );
  }

  /** The last statement of the top level that fits. */
  last(test: (directive: ConfigDirective) => boolean): StatementRef | undefined {
    for (let piece = this.#pieces.length - 1; piece >= 0; piece--) {
      const { text = '', directives = [] } = this.#pieces[piece] ?? {};
      const directive = directives.findLast(test);
      if (directive) return { piece, text, directive };
    }
    return undefined;
  }

  /** Changes one piece; offsets count from its beginning. */
  change(piece: number, changes: readonly TextChange[]): void {
    const before = this.#pieces[piece];
    if (!before || changes.length === 0) return;
    const text = applyChanges(before.text, changes);
    const after = { text, directives: parseConfigText(text).directives };
    this.#pieces[piece] = after;
    if (!this.#pieceOf) return;
    for (const key of keysOf(before)) if (this.#pieceOf.get(key) === piece) this.#pieceOf.delete(key);
    for (const key of keysOf(after)) if (!this.#pieceOf.has(key)) this.#pieceOf.set(key, piece);
  }

  /** Takes a statement out with its lines, and with the empty line before it where another one or the end of the text follows. */
  remove({ piece, text, directive }: StatementRef): void {
    const change = removal(text, directive.from, directive.to);
    const rest = text.slice(change.to) || this.#next(piece, 1)?.text;
    const isFollowed = rest !== undefined && !/^[ \t]*[\r\n]/.test(rest);
    const gap = change.from > 0 ? { piece, text: text.slice(0, change.from) } : this.#next(piece, -1);
    const from = isFollowed || !gap ? undefined : emptyLineAtEnd(gap.text);
    if (!gap || from === undefined) this.change(piece, [change]);
    else if (gap.piece === piece) this.change(piece, [{ from, to: change.to, insert: '' }]);
    else {
      this.change(piece, [change]);
      this.change(gap.piece, [{ from, to: gap.text.length, insert: '' }]);
    }
  }

  /** The next piece with a text, before or behind one. */
  #next(from: number, step: 1 | -1): { readonly piece: number; readonly text: string } | undefined {
    for (let piece = from + step; piece >= 0 && piece < this.#pieces.length; piece += step) {
      const text = this.#pieces[piece]?.text ?? '';
      if (text !== '') return { piece, text };
    }
    return undefined;
  }

  /** Puts lines at the end of the text. */
  append(lines: string): void {
    const piece = this.#pieces.length - 1;
    const text = this.#pieces[piece]?.text ?? '';
    const isAtLineStart = text === '' || /[\r\n]$/.test(text);
    this.change(piece, [
      { from: text.length, to: text.length, insert: isAtLineStart ? lines + this.#lineBreak : this.#lineBreak + lines },
    ]);
  }

  /** Place in the whole text of an offset in a piece. */
  placeAt(piece: number, offset: number): Place {
    const before = this.#pieces.slice(0, piece).reduce((lines, { text }) => lines + new LineTable(text).count - 1, 0);
    const { line, column } = new LineTable(this.#pieces[piece]?.text ?? '').placeAt(offset);
    return { line: line + before, column };
  }

  #index(): Map<string, number> {
    if (this.#pieceOf) return this.#pieceOf;
    this.#pieceOf = new Map();
    for (const [index, piece] of this.#pieces.entries())
      for (const key of keysOf(piece)) if (!this.#pieceOf.has(key)) this.#pieceOf.set(key, index);
    return this.#pieceOf;
  }
}

/** Names of the statements of pieces that were indexed before: parts of a text are the same objects from one edit to the next. */
const KEYS = new WeakMap<readonly ConfigDirective[], readonly string[]>();

function keysOf({ directives }: Piece): readonly string[] {
  let keys = KEYS.get(directives);
  if (!keys) {
    keys = directives.flatMap((directive) => {
      const known = DIRECTIVES.file.get(directive.name);
      return known ? [keyOf(known, wordsOf(directive)[0]?.value ?? '')] : [];
    });
    KEYS.set(directives, keys);
  }
  return keys;
}

function keyOf(known: KnownDirective, name: string): string {
  return `${known.entry.directive} ${name}`;
}
