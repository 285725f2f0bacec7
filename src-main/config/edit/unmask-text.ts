import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import type { ConfigDocument } from '../document.ts';
import type { ConfigError } from '../parse/problem.ts';
import { TextBlockOffsets, type TextBlock } from '../parse/text-block.ts';
import type { BlockName } from '../schema/directive.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import { MASK } from '../schema/secrets.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { pairMasked } from './masked-items.ts';
import { blockOf, wordsWithin, type SecretWord } from './secret-words.ts';
import { applyChanges, type TextChange } from './text-change.ts';

export interface UnmaskedText {
  readonly text: string;
  /** Masks without a known secret, and masks that could stand for several secrets. */
  readonly errors: readonly ConfigError[];
}

/** Statement, and the text in which it is. */
interface Statement {
  readonly directive: ConfigDirective;
  readonly text: string;
  /** Offset of `text` in the complete text. */
  readonly offset: number;
}

/** Finding at an offset of the complete text. */
type Finding = TextChange | { readonly from: number; readonly reason: 'mask_without_secret' | 'masks_ambiguous' };

/**
 * Restores the secrets of a text where its edited copy has masks, in steps. A statement gets the secrets of the statement that
 * it was: the one with the same words, otherwise the one at its place.
 *
 * @param edited edited masked copy
 * @param current text with the secrets
 */
export function* unmaskTextInSteps(edited: ConfigDocument, current: ConfigDocument): Generator<void, UnmaskedText> {
  const { text, textBlocks } = edited;
  if (!textBlocks || !text.includes(MASK)) return { text, errors: [] };
  const places = new TextBlockOffsets(textBlocks);
  const changes: TextChange[] = [];
  const errors: ConfigError[] = [];
  for (const finding of findings(statementsOf(current.textBlocks ?? []), statementsOf(textBlocks), 'file')) {
    yield;
    if (!finding) continue;
    if ('insert' in finding) {
      changes.push(finding);
      continue;
    }
    const reason = because(finding.reason);
    const { detail: message, explanation } = reason;
    errors.push({ code: 'config_bad_value', message, explanation, ...places.positionAt(finding.from), path: [] });
  }
  changes.sort((one, other) => one.from - other.from);
  return { text: changes.length > 0 ? applyChanges(text, changes) : text, errors };
}

function statementsOf(textBlocks: readonly TextBlock[]): Statement[] {
  const offsets = new TextBlockOffsets(textBlocks);
  return textBlocks.flatMap(({ text, directives }, index) =>
    directives.map((directive) => ({ directive, text, offset: offsets.offsetOf(index) })),
  );
}

/** Compares the statements of a block with the earlier ones; undefined is a step without a finding. */
function* findings(
  before: readonly Statement[],
  after: readonly Statement[],
  block: BlockName | undefined,
): Generator<Finding | undefined> {
  const earlier = Map.groupBy(before, (statement) => groupOf(statement, block));
  for (const [name, group] of Map.groupBy(after, (statement) => groupOf(statement, block))) {
    yield undefined;
    if (!group.some(hasMask)) continue;
    const known = knownOf(group[0] as Statement, block); // a group is never empty
    const candidates = earlier.get(name) ?? [];
    const pairs = pairsOf(candidates, group, known);
    for (const [index, statement] of group.entries()) {
      if (!hasMask(statement)) continue;
      if (pairs) yield* findingsWithin(pairs[index], statement, known);
      else yield { from: statement.directive.from + statement.offset, reason: 'masks_ambiguous' };
    }
  }
}

function* findingsWithin(
  before: Statement | undefined,
  { directive, text, offset }: Statement,
  known: KnownDirective | undefined,
): Generator<Finding | undefined> {
  const secrets = new Map<string, SecretWord>();
  if (before) for (const word of wordsWithin(before.text, before.directive, known)) secrets.set(word.place, word);
  for (const word of wordsWithin(text, directive, known)) {
    if (!word.value.includes(MASK)) continue;
    const from = word.from + offset;
    const original = secrets.get(word.place);
    if (original?.shown === word.value) yield { from, to: word.to + offset, insert: original.written };
    else yield { from, reason: 'mask_without_secret' };
  }
  const inner = (directive.block ?? []).map((each) => ({ directive: each, text, offset }));
  if (inner.length === 0) return;
  const innerBefore = before?.directive.block?.map((each) => ({ ...before, directive: each }));
  yield* findings(innerBefore ?? [], inner, blockOf(known));
}

/** Earlier statement of each statement of a group; undefined if the masks could stand for several secrets. */
function pairsOf(
  before: readonly Statement[],
  after: readonly Statement[],
  known: KnownDirective | undefined,
): readonly (Statement | undefined)[] | undefined {
  if (before.length === 1 && after.length === 1) return before;
  const indexes = pairMasked(
    before.map((statement) => ({ plain: itemOf(statement, known, false), shown: itemOf(statement, known, true) })),
    after.map((statement) => itemOf(statement, known, false)),
  );
  return indexes?.map((index) => (index === undefined ? undefined : before[index]));
}

/** Statement as JSON text, independent of its layout. @param isShown with masks in place of secrets */
function itemOf({ directive, text }: Statement, known: KnownDirective | undefined, isShown: boolean): string {
  return JSON.stringify(wordsOf(text, directive, known, isShown));
}

function wordsOf(
  text: string,
  directive: ConfigDirective,
  known: KnownDirective | undefined,
  isShown: boolean,
): JsonValue {
  const { args, options, block = [] } = directive;
  const words = isShown ? [...wordsWithin(text, directive, known)] : [];
  const shown = new Map(words.map((word) => [word.from, word.shown]));
  return [
    args.map(({ value, from }) => shown.get(from) ?? value),
    options.map(({ key, value, from, valueFrom }) => shown.get(from) ?? `${key}=${shown.get(valueFrom) ?? value}`),
    block.map((inner) => [
      inner.name,
      wordsOf(text, inner, DIRECTIVES[blockOf(known) ?? 'file'].get(inner.name), isShown),
    ]),
  ];
}

function hasMask({ directive: { from, to }, text }: Statement): boolean {
  return text.slice(from, to).includes(MASK);
}

function knownOf({ directive }: Statement, block: BlockName | undefined): KnownDirective | undefined {
  return block && DIRECTIVES[block].get(directive.name);
}

/** Statements with the same group are identified by their words and their order. */
function groupOf(statement: Statement, block: BlockName | undefined): string {
  const known = knownOf(statement, block);
  const { directive } = statement;
  const isNamed = known?.kind === 'stream-block' || (known?.kind === 'setting' && known.entry.repeat === 'keyed');
  return `${known?.entry.directive ?? directive.name} ${isNamed ? (directive.args[0]?.value ?? '') : ''}`;
}
