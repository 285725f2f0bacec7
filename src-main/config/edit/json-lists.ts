import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { wordsOf } from '../parse/directive-words.ts';
import { Problems, type ConfigPath } from '../parse/problem.ts';
import { readRecord } from '../parse/read-record.ts';
import { MAX_RECORDS, type Setting } from '../schema/directive.ts';
import type { KnownDirective } from '../schema/directives.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { align } from './align.ts';
import { printDirective } from './directive-edit.ts';
import type { StatementRef } from './draft.ts';
import { EditProblem } from './edit-problem.ts';
import { stableJson, wordOf } from './json-word.ts';
import { changeRecord, printRecord } from './record-edit.ts';
import type { Scope } from './scope.ts';
import { blanksBefore, indentAt, lineBreakOf, lineStart, type TextChange } from './text-change.ts';

/** A directive that sets a value. */
export type KnownSetting = KnownDirective & { readonly kind: 'setting' };

/** What makes a list of edits of one that replaces what is there. */
const INSTRUCTIONS = ['$index', '$delete'];

/** Items between two looks at the clock. */
const ITEMS_PER_STEP = 50;

/** Sets the words of a list, which may stand in several statements; in steps. */
export function* setWords(scope: Scope, known: KnownSetting, json: JsonValue, path: ConfigPath): Generator<void, void> {
  const items = Array.isArray(json) ? (json as readonly JsonValue[]) : [json];
  const wanted = yield* inSteps(items, (item, index) => printWord(wordOf(item, [...path, index])));
  const statements = scope.statements(known);
  const present = statements.flatMap((statement) =>
    wordsOf(statement.directive).map((word) => ({ ...word, statement })),
  );
  const [first] = present;
  if (!first) {
    for (const statement of statements) scope.remove(statement);
    const args = yield* inSteps(items, (item, index) => wordOf(item, [...path, index]));
    if (args.length > 0) scope.insert(printDirective({ name: known.entry.directive, args }));
    return;
  }
  const before = yield* inSteps(present, ({ value }) => printedItem(known.entry, value));
  const after = yield* inSteps(items, stableJson);
  const left = new Map(statements.map((statement) => [statement, 0]));
  const changes = new Map<StatementRef, TextChange[]>(statements.map((statement) => [statement, []]));
  // New words stand behind the word before them, or before the first one.
  let stays: (typeof present)[number] | undefined;
  for (const [count, { from, to }] of align(before, after).entries()) {
    if (count % ITEMS_PER_STEP === 0) yield;
    const insert = to === undefined ? undefined : (wanted[to] ?? '');
    const word = from === undefined ? undefined : present[from];
    if (word) {
      const own = changes.get(word.statement);
      if (insert === undefined)
        own?.push({ from: blanksBefore(word.statement.text, word.from), to: word.to, insert: '' });
      else {
        if (before[from ?? 0] !== after[to ?? 0]) own?.push({ from: word.from, to: word.to, insert });
        left.set(word.statement, (left.get(word.statement) ?? 0) + 1);
        stays = word;
      }
    } else if (stays) changes.get(stays.statement)?.push({ from: stays.to, to: stays.to, insert: ` ${insert ?? ''}` });
    else changes.get(first.statement)?.push({ from: first.from, to: first.from, insert: `${insert ?? ''} ` });
  }
  for (const statement of statements) {
    if (left.get(statement) === 0) scope.remove(statement);
    else scope.change(statement, changes.get(statement) ?? []);
  }
}

/** What a function makes of each item. */
function* inSteps<T, R>(items: readonly T[], make: (item: T, index: number) => R): Generator<void, R[]> {
  const made: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    made.push(make(item, index));
  }
  return made;
}

/** An item of a list as JSON text, to compare; words that are wrong are only the same as themselves. */
function printedItem(entry: Setting<unknown>, word: string): string {
  const { success, data } = entry.schema.safeParse([word]);
  const [item] = success && Array.isArray(data) ? (data as readonly unknown[]) : [];
  return stableJson(item === undefined ? word : entry.toJson(item));
}

/** Gives a directive of words and options what JSON names. @param isWhole whether what JSON does not name goes */
export function mergeRecord(
  scope: Scope,
  known: KnownSetting,
  statement: StatementRef | undefined,
  json: JsonValue,
  path: ConfigPath,
  isWhole = false,
): void {
  const fields = known.entry.fields ?? {};
  if (statement)
    scope.change(statement, changeRecord(statement.text, statement.directive, fields, json, isWhole, path));
  else scope.insert(printRecord(known.entry.directive, fields, json, path), scope.statements(known).at(-1));
}

/** Sets a list of such directives. @param currentJson how the list stands in replies now, where it is known */
export function* mergeRecords(
  scope: Scope,
  known: KnownSetting,
  json: JsonValue,
  currentJson: JsonValue | undefined,
  path: ConfigPath,
): Generator<void, void> {
  const items = Array.isArray(json) ? (json as readonly JsonValue[]) : [json];
  if (items.length > MAX_RECORDS)
    throw new EditProblem('config_bad_value', `At most ${MAX_RECORDS} items are taken here`, undefined, path);
  if (items.some((item) => INSTRUCTIONS.some((key) => instruction(item, key) !== undefined))) {
    yield* editRecords(scope, known, items, path);
    return;
  }
  const statements = scope.statements(known);
  const currentItems =
    Array.isArray(currentJson) && currentJson.length === statements.length
      ? (currentJson as readonly JsonValue[])
      : yield* inSteps(statements, ({ directive }) => recordJson(known.entry, directive));
  const before = yield* inSteps(currentItems, stableJson);
  const after = yield* inSteps(items, stableJson);
  let stays: StatementRef | undefined;
  for (const [count, { from, to }] of align(before, after).entries()) {
    if (count % ITEMS_PER_STEP === 0) yield;
    const item = to === undefined ? undefined : (items[to] ?? null);
    const statement = from === undefined ? undefined : statements[from];
    if (item === undefined) {
      if (statement) scope.remove(statement);
      continue;
    }
    const place = [...path, to ?? 0];
    if (!statement) insertRecord(scope, known, item, stays ?? statements[0], stays !== undefined, place);
    else if (before[from ?? 0] !== after[to ?? 0]) mergeRecord(scope, known, statement, item, place, true);
    stays = statement ?? stays;
  }
}

/** Puts a statement behind or before another one of its kind. */
function insertRecord(
  scope: Scope,
  known: KnownSetting,
  item: JsonValue,
  neighbour: StatementRef | undefined,
  isBehind: boolean,
  path: ConfigPath,
): void {
  const statement = printRecord(known.entry.directive, known.entry.fields ?? {}, item, path);
  if (isBehind || !neighbour) {
    scope.insert(statement, neighbour);
    return;
  }
  const { text, directive } = neighbour;
  const hasOwnLine = blanksBefore(text, directive.from) === lineStart(text, directive.from);
  const gap = hasOwnLine ? lineBreakOf(text) + indentAt(text, directive.from) : ' ';
  scope.change(neighbour, [{ from: directive.from, to: directive.from, insert: statement + gap }]);
}

/** Items with `$index` are edited in place or removed, the others are added. */
function* editRecords(
  scope: Scope,
  known: KnownSetting,
  items: readonly JsonValue[],
  path: ConfigPath,
): Generator<void, void> {
  const statements = scope.statements(known);
  const named = new Set<number>();
  for (const [count, item] of items.entries()) {
    if (count % ITEMS_PER_STEP === 0) yield;
    // A caller that derived this list from another one gives the index in that.
    const currentJson = instruction(item, '$at');
    const at = typeof currentJson === 'number' ? currentJson : count;
    const index = instruction(item, '$index');
    const isKnown = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < statements.length;
    if (index !== undefined && !isKnown)
      throw new EditProblem('config_bad_value', `There is no item ${JSON.stringify(index)} here`, undefined, [
        ...path,
        at,
        '$index',
      ]);
    if (isKnown && named.has(index))
      throw new EditProblem('config_duplicate', `The item ${index} is named already`, undefined, [
        ...path,
        at,
        '$index',
      ]);
    const isDeleted = instruction(item, '$delete') === true;
    if (isDeleted && !isKnown)
      throw new EditProblem('config_bad_value', '$delete needs an item that is there', undefined, [
        ...path,
        at,
        '$delete',
      ]);
    const statement = isKnown ? statements[index] : undefined;
    if (isKnown) named.add(index);
    if (statement && isDeleted) scope.remove(statement);
    else mergeRecord(scope, known, statement, item, [...path, at]);
  }
}

/** A directive of words and options as it would stand in a reply; null where it is wrong. */
function recordJson(entry: Setting<unknown>, directive: StatementRef['directive']): JsonValue {
  const raw = readRecord(new Problems({ placeAt: () => ({ line: 1, column: 1 }) }), directive, entry, []);
  const { success, data } = entry.schema.safeParse(raw ? [raw] : undefined);
  const [item] = success && Array.isArray(data) ? (data as readonly unknown[]) : [];
  return item === undefined ? null : entry.toJson(item);
}

function instruction(item: JsonValue, key: string): JsonValue | undefined {
  // Neither null nor a list: an object.
  return typeof item === 'object' && item !== null && !Array.isArray(item)
    ? (item as Readonly<Record<string, JsonValue>>)[key]
    : undefined;
}
