import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { insertIntoBlock } from './directive-edit.ts';
import {
  applyWithSeams,
  followsEmptyLine,
  indentAt,
  isRestOfLineFree,
  lineEnd,
  nextLine,
  removal,
  skipBlanks,
  type TextChange,
} from './text-change.ts';

interface Insertion {
  readonly statement: string;
  readonly after: ConfigDirective | undefined;
}

interface Removal {
  from: number;
  to: number;
  isBlock: boolean;
}

/** Edits of one piece of a text. They refer to the unchanged piece. */
export class PieceEdits {
  readonly #lineBreak: string;
  readonly #changes: TextChange[] = [];
  readonly #removed: Removal[] = [];
  /** Inserted statements, by the block into which they are inserted. */
  readonly #insertions = new Map<ConfigDirective, Insertion[]>();
  /** Inserted top-level statements and blocks, by the statement before them. */
  readonly #statements = new Map<ConfigDirective, string[]>();
  readonly #blocks = new Map<ConfigDirective, string[]>();

  constructor(lineBreak: string) {
    this.#lineBreak = lineBreak;
  }

  change(changes: readonly TextChange[]): void {
    for (const change of changes) this.#changes.push(change);
  }

  /** @param isBlock whether the statement is a top-level block */
  remove(directive: ConfigDirective, isBlock: boolean): void {
    this.#removed.push({ from: directive.from, to: directive.to, isBlock });
  }

  insertInto(owner: ConfigDirective, statement: string, after: ConfigDirective | undefined): void {
    push(this.#insertions, owner, { statement, after });
  }

  insertStatement(after: ConfigDirective, statement: string): void {
    push(this.#statements, after, statement);
  }

  insertBlock(after: ConfigDirective, lines: string): void {
    push(this.#blocks, after, lines);
  }

  /**
   * Text after the edits.
   *
   * @param removed removed statements; an insertion after one goes after the nearest remaining statement before it
   * @param unit indentation of blocks
   */
  apply(text: string, removed: ReadonlySet<ConfigDirective>, unit: string): ReturnType<typeof applyWithSeams> {
    const changes = [...this.#changes, ...removals(text, this.#removed)];
    for (const [owner, insertions] of this.#insertions) {
      const next = new Map(owner.block?.map((directive, index) => [directive, owner.block?.[index + 1]]));
      for (const [after, statements] of byAnchor(owner, insertions, removed))
        changes.push(insertIntoBlock(text, owner, statements, after ? { after, next: next.get(after) } : {}, unit));
    }
    for (const [after, statements] of this.#statements) changes.push(this.#afterStatement(text, after, statements));
    for (const [after, blocks] of this.#blocks) changes.push(this.#afterBlock(text, after, blocks));
    return applyWithSeams(text, changes);
  }

  #afterStatement(text: string, { from, to }: ConfigDirective, statements: readonly string[]): TextChange {
    if (!isRestOfLineFree(text, to)) return { from: to, to, insert: ` ${statements.join(' ')}` };
    const end = lineEnd(text, to);
    const lead = this.#lineBreak + indentAt(text, from);
    return { from: end, to: end, insert: statements.map((statement) => lead + statement).join('') };
  }

  #afterBlock(text: string, { from, to }: ConfigDirective, blocks: readonly string[]): TextChange {
    const lineBreak = this.#lineBreak;
    // A further statement on this line may span several lines, so the new blocks are inserted before it.
    if (!isRestOfLineFree(text, to)) return { from: to, to, insert: lineBreak + blocks.join(lineBreak) + lineBreak };
    const end = lineEnd(text, to);
    const below = nextLine(text, end);
    const isFollowedByEmptyLine = skipBlanks(text, below) === lineEnd(text, below);
    const gap = isFollowedByEmptyLine && followsEmptyLine(text, from) ? lineBreak : '';
    return { from: end, to: end, insert: blocks.map((lines) => lineBreak + gap + lines).join('') };
  }
}

/** Insertions of a block by the remaining statement before them; undefined if there is none. */
function byAnchor(
  { block = [] }: ConfigDirective,
  insertions: readonly Insertion[],
  removed: ReadonlySet<ConfigDirective>,
): ReadonlyMap<ConfigDirective | undefined, readonly string[]> {
  const anchors = new Map<ConfigDirective, ConfigDirective | undefined>();
  let lastRemaining: ConfigDirective | undefined;
  for (const directive of block) {
    if (!removed.has(directive)) lastRemaining = directive;
    anchors.set(directive, lastRemaining);
  }
  const groups = new Map<ConfigDirective | undefined, string[]>();
  for (const { statement, after } of insertions) push(groups, after ? anchors.get(after) : lastRemaining, statement);
  return groups;
}

/** Removals of statements; adjacent ones are merged. */
function removals(text: string, removed: readonly Removal[]): readonly TextChange[] {
  const merged: Removal[] = [];
  for (const { from, to, isBlock } of [...removed].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && skipBlanks(text, last.to) >= from) {
      last.to = to;
      last.isBlock ||= isBlock;
    } else merged.push({ from, to, isBlock });
  }
  return mergeRemovals(merged.map(({ from, to, isBlock }) => ({ ...removal(text, from, to), isSeam: isBlock })));
}

/** Merges removals that overlap, because removals on one line share the blanks between them. */
function mergeRemovals(changes: readonly TextChange[]): readonly TextChange[] {
  const merged: TextChange[] = [];
  for (const change of changes) {
    const last = merged.at(-1);
    if (last && change.from < last.to) merged[merged.length - 1] = { ...last, to: Math.max(last.to, change.to) };
    else merged.push(change);
  }
  return merged;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
