import { LineTable, type TextPosition } from '../../../src-preload/contract/config-language/lines.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { runAtOnce } from '../../lib/turns.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { parseInPortions } from '../parse/parse-portions.ts';
import type { TextBlock } from '../parse/text-block.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import { indentUnit } from './directive-edit.ts';
import { PieceEdits } from './piece-edits.ts';
import {
  applyChanges,
  emptyLineBefore,
  followsEmptyLine,
  indentAt,
  lineBreakOf,
  type TextChange,
} from './text-change.ts';

/** Number of pieces that are skipped between two checks of the time. */
const PIECES_PER_STEP = 500;

/** Statement of a text during editing, of the top level or in a block. Valid until the draft is settled. */
export interface StatementRef {
  readonly piece: number;
  /** Text of the piece; offsets of the statement are relative to its start. */
  readonly text: string;
  readonly directive: ConfigDirective;
}

/** Top-level block that is being added. */
export interface NewBlock {
  /** Text before the brace. */
  readonly head: string;
  readonly statements: string[];
}

interface Piece {
  readonly text: string;
  readonly directives: readonly ConfigDirective[];
}

/**
 * Configuration text during editing. Edits refer to the unchanged text and are applied together, so the cost is linear in the
 * text and the edits. After an edit of a statement, the draft must be settled before the next edit of the statement. Statements
 * are found through an index, which is built in steps before the first edit and after each settling.
 */
export class Draft {
  readonly #pieces: Piece[];
  readonly #lineBreak: string;
  readonly #edits = new Map<number, PieceEdits>();
  /** Edited pieces. They must be parsed again before further edits. */
  readonly #unread = new Set<number>();
  #removed = new Set<ConfigDirective>();
  #statements: { readonly text: string; readonly after: StatementRef | undefined }[] = [];
  #blocks = new Map<KnownDirective, (NewBlock | string)[]>();
  #index: StatementIndex | undefined;
  #indent: string | undefined;

  constructor(textBlocks: readonly TextBlock[]) {
    this.#pieces = textBlocks.length > 0 ? [...textBlocks] : [{ text: '', directives: [] }];
    this.#lineBreak = lineBreakOf(this.#pieces.find(({ text }) => /[\r\n]/.test(text))?.text ?? '');
  }

  /** Text with the settled edits. */
  get text(): string {
    return this.#pieces.map(({ text }) => text).join('');
  }

  /** Indentation of the text's blocks. */
  get indent(): string {
    return (this.#indent ??= indentOf(this.#pieces));
  }

  /** First block of a kind with a name. */
  find(kind: string, name: string): StatementRef | undefined {
    const known = DIRECTIVES.file.get(kind);
    return known && this.#indexed().byName.get(keyOf(known, name));
  }

  /** Top-level statements of a directive, in order. */
  all(known: KnownDirective): readonly StatementRef[] {
    return this.#indexed().byMeaning.get(known) ?? [];
  }

  change({ piece }: StatementRef, changes: readonly TextChange[]): void {
    if (changes.length > 0) this.#editsOf(piece).change(changes);
  }

  /** Removes a statement, with its lines if they contain nothing else. */
  remove({ piece, directive }: StatementRef, isBlock = false): void {
    this.#removed.add(directive);
    this.#editsOf(piece).remove(directive, isBlock);
  }

  /** Removes a top-level block, and also the empty line before it if an empty line or the end of the text follows. */
  removeBlock(statement: StatementRef): void {
    this.remove(statement, true);
  }

  /** Adds a statement to a block, after another statement or at the end of the block. */
  insertInto(owner: StatementRef, statement: string, after?: ConfigDirective): void {
    this.#editsOf(owner.piece).insertInto(owner.directive, statement, after);
  }

  /** Adds a statement to the top level, after another one or after the last setting. */
  insert(text: string, after?: StatementRef): void {
    this.#statements.push({ text, after });
  }

  /**
   * Adds a block after the last one of its kind, or at the end of the text.
   *
   * @param block lines, or a block that may receive statements until the draft is settled
   */
  addBlock(known: KnownDirective, block: NewBlock | string): void {
    const blocks = this.#blocks.get(known);
    if (blocks) blocks.push(block);
    else this.#blocks.set(known, [block]);
  }

  /** Builds the index of the statements if there is none. Without this call, the first look-up builds it in one step. */
  *indexInSteps(): Generator<void, void> {
    for (const piece of this.#unread) {
      const { text } = this.#pieces[piece] ?? { text: '' };
      this.#pieces[piece] = { text, directives: (yield* parseInPortions(text)).directives };
      this.#unread.delete(piece);
      yield;
    }
    this.#index ??= yield* indexOf(this.#pieces);
  }

  /** Applies the collected edits, in steps. */
  *settle(): Generator<void, void> {
    if (this.#edits.size + this.#statements.length + this.#blocks.size === 0) return;
    const appended: string[] = [];
    this.#placeStatements(appended);
    yield* this.#placeBlocks(appended);
    const seams = new Map<number, readonly number[]>();
    for (const [piece, edits] of this.#edits) {
      const applied = edits.apply(this.#pieces[piece]?.text ?? '', this.#removed, this.indent);
      this.#pieces[piece] = { text: applied.text, directives: [] };
      if (applied.seams.length > 0) seams.set(piece, applied.seams);
      yield;
    }
    if (seams.size > 0) yield* this.#closeGaps(seams);
    if (appended.length > 0) this.#append(appended);
    for (const piece of this.#edits.keys()) this.#unread.add(piece);
    this.#edits.clear();
    this.#removed = new Set();
    this.#index = undefined;
  }

  positionAt(piece: number, offset: number): TextPosition {
    const before = this.#pieces.slice(0, piece).reduce((lines, { text }) => lines + new LineTable(text).count - 1, 0);
    const { line, column } = new LineTable(this.#pieces[piece]?.text ?? '').positionAt(offset);
    return { line: line + before, column };
  }

  #placeStatements(appended: string[]): void {
    if (this.#statements.length === 0) return;
    const last = this.#indexed().settings.findLast(({ directive }) => !this.#removed.has(directive));
    for (const { text, after } of this.#statements) {
      const anchor = after && !this.#removed.has(after.directive) ? after : last;
      if (anchor) this.#editsOf(anchor.piece).insertStatement(anchor.directive, text);
      else appended.push(text);
    }
    this.#statements = [];
  }

  *#placeBlocks(appended: string[]): Generator<void, void> {
    for (const [known, blocks] of this.#blocks) {
      const anchor = this.all(known).findLast(({ directive }) => !this.#removed.has(directive));
      const outer = anchor ? indentAt(anchor.text, anchor.directive.from) : '';
      for (const [index, block] of blocks.entries()) {
        if (index % PIECES_PER_STEP === PIECES_PER_STEP - 1) yield;
        const lines = typeof block === 'string' ? block : this.#print(block, outer);
        if (anchor) this.#editsOf(anchor.piece).insertBlock(anchor.directive, lines);
        else appended.push(lines);
      }
    }
    this.#blocks = new Map();
  }

  #print({ head, statements }: NewBlock, outer: string): string {
    return [`${head} {`, ...statements.map((statement) => this.indent + statement), '}']
      .map((line) => outer + line)
      .join(this.#lineBreak);
  }

  /** Removes empty lines before removed blocks that would be next to other empty lines or at the end of the text. */
  *#closeGaps(seams: ReadonlyMap<number, readonly number[]>): Generator<void, void> {
    const texts = this.#pieces.map(({ text }) => text);
    const following: (string | undefined)[] = [];
    for (let index = texts.length - 1, next: string | undefined; index >= 0; index--) {
      following[index] = next;
      next = texts[index] === '' ? next : texts[index];
    }
    let before: number | undefined;
    for (const [index, text] of texts.entries()) {
      if (index % PIECES_PER_STEP === PIECES_PER_STEP - 1) yield;
      const cuts: TextChange[] = [];
      for (const seam of seams.get(index) ?? []) {
        const rest = seam < text.length ? text.slice(seam) : following[index];
        if (rest !== undefined && !/^[ \t]*[\r\n]/.test(rest)) continue;
        if (seam === 0) this.#cutEmptyLine(before);
        else {
          const from = emptyLineBefore(text, seam);
          if (from !== undefined && from >= (cuts.at(-1)?.to ?? 0)) cuts.push({ from, to: seam, insert: '' });
        }
      }
      if (cuts.length > 0) this.#pieces[index] = { text: applyChanges(text, cuts), directives: [] };
      if (text !== '') before = index;
    }
  }

  #cutEmptyLine(piece: number | undefined): void {
    const text = piece === undefined ? '' : (this.#pieces[piece]?.text ?? '');
    const from = emptyLineBefore(text, text.length);
    if (piece === undefined || from === undefined) return;
    this.#pieces[piece] = { text: text.slice(0, from), directives: [] };
    this.#unread.add(piece);
  }

  #append(lines: readonly string[]): void {
    const index = this.#pieces.length - 1;
    const text = this.#pieces[index]?.text ?? '';
    const isAtLineStart = text === '' || /[\r\n]$/.test(text);
    const gap = isAtLineStart && followsEmptyLine(text, text.length) ? this.#lineBreak : '';
    const joined = lines.join(this.#lineBreak + gap);
    this.#editsOf(index);
    this.#pieces[index] = {
      text: text + (isAtLineStart ? joined + this.#lineBreak : this.#lineBreak + joined),
      directives: [],
    };
  }

  #editsOf(piece: number): PieceEdits {
    let edits = this.#edits.get(piece);
    if (!edits) this.#edits.set(piece, (edits = new PieceEdits(this.#lineBreak)));
    return edits;
  }

  #indexed(): StatementIndex {
    runAtOnce(this.indexInSteps());
    if (!this.#index) throw new Error('The index was not made');
    return this.#index;
  }
}

interface StatementIndex {
  readonly byName: ReadonlyMap<string, StatementRef>;
  readonly byMeaning: ReadonlyMap<KnownDirective, readonly StatementRef[]>;
  /** Statements without a block that set something. */
  readonly settings: readonly StatementRef[];
}

function* indexOf(pieces: readonly Piece[]): Generator<void, StatementIndex> {
  const byName = new Map<string, StatementRef>();
  const byMeaning = new Map<KnownDirective, StatementRef[]>();
  const settings: StatementRef[] = [];
  let count = 0;
  for (const [piece, { text, directives }] of pieces.entries()) {
    for (const directive of directives) {
      if (++count % PIECES_PER_STEP === 0) yield;
      const known = DIRECTIVES.file.get(directive.name);
      if (!known) continue;
      const statement = { piece, text, directive };
      const same = byMeaning.get(known);
      if (same) same.push(statement);
      else byMeaning.set(known, [statement]);
      if (known.kind === 'setting' && directive.block === undefined) settings.push(statement);
      const key = keyOf(known, argumentsOf(directive)[0]?.value ?? '');
      if (!byName.has(key)) byName.set(key, statement);
    }
  }
  return { byName, byMeaning, settings };
}

function keyOf(known: KnownDirective, name: string): string {
  return `${known.entry.directive} ${name}`;
}

function indentOf(pieces: readonly Piece[]): string {
  for (const { text, directives } of pieces) {
    const unit = indentUnit(text, directives);
    if (unit !== undefined) return unit;
  }
  return '  ';
}
