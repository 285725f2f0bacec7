import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { align } from './align.ts';
import type { Setting } from '../schema/directive.ts';
import { printDirective } from './directive-edit.ts';
import type { KnownDirective } from '../schema/directives.ts';
import { wordsOf } from '../parse/directive-words.ts';
import type { StatementRef } from './draft.ts';
import { EditProblem } from './edit-problem.ts';
import { wordOf } from './json-word.ts';
import { Problems, type ConfigPath } from '../parse/problem.ts';
import { changeRecord, printRecord } from './record-edit.ts';
import { readRecord } from '../parse/read-record.ts';
import type { Scope } from './scope.ts';
import { blanksBefore, indentAt, lineBreakOf, lineStart } from './text-change.ts';
import type { JsonValue } from '../schema/value-schema.ts';

/** A directive that sets a value. */
export type KnownSetting = KnownDirective & { readonly kind: 'setting' };

/** Sets the words of a list, which may stand in several statements. */
export function setWords(scope: Scope, known: KnownSetting, json: JsonValue, path: ConfigPath): void {
  const items = Array.isArray(json) ? (json as readonly JsonValue[]) : [json];
  const present = scope
    .statements(known)
    .flatMap(({ directive }, statement) => wordsOf(directive).map((word) => ({ ...word, statement })));
  const wanted = items.map((item, index) => wordOf(item, [...path, index]));
  const told = present.map(({ value }) => printedItem(known.entry, value));
  const added: string[] = [];
  const words = new Map<number, string | undefined>();
  for (const { from, to } of align(told, items.map(stable))) {
    if (from === undefined) added.push(wanted[to ?? 0] ?? '');
    else if (to === undefined || told[from] !== stable(items[to] ?? null))
      words.set(from, to === undefined ? undefined : wanted[to]);
  }
  // Back to front, so that the statements before keep their places.
  const statements = scope.statements(known).length;
  for (let index = statements - 1; index >= 0; index--) {
    const statement = scope.statements(known)[index];
    if (!statement) continue;
    const own = present.flatMap((word, at) => (word.statement === index ? [{ ...word, at }] : []));
    if (own.every(({ at }) => words.has(at) && words.get(at) === undefined) && !(index === 0 && added.length > 0)) {
      scope.remove(statement);
      continue;
    }
    const changes = own.flatMap(({ at, from, to }) => {
      if (!words.has(at)) return [];
      const word = words.get(at);
      return [
        word === undefined
          ? { from: blanksBefore(statement.text, from), to, insert: '' }
          : { from, to, insert: printWord(word) },
      ];
    });
    const isLast = index === statements - 1;
    const end = own.at(-1)?.to ?? statement.directive.nameTo;
    if (isLast && added.length > 0)
      changes.push({ from: end, to: end, insert: ` ${added.splice(0).map(printWord).join(' ')}` });
    scope.change(statement, changes);
  }
  if (added.length > 0) scope.insert(printDirective({ name: known.entry.directive, args: added }));
}

/** An item of a list as JSON text, to compare; words that are wrong are only the same as themselves. */
function printedItem(entry: Setting<unknown>, word: string): string {
  const { success, data } = entry.schema.safeParse([word]);
  const [item] = success && Array.isArray(data) ? (data as readonly unknown[]) : [];
  return stable(item === undefined ? word : entry.toJson(item));
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

/** Sets a list of such directives. @param told how the list stands in replies now, where it is known */
export function mergeRecords(
  scope: Scope,
  known: KnownSetting,
  json: JsonValue,
  told: JsonValue | undefined,
  path: ConfigPath,
): void {
  const items = Array.isArray(json) ? (json as readonly JsonValue[]) : [json];
  if (items.some((item) => instruction(item, '$index') !== undefined)) {
    editRecords(scope, known, items, path);
    return;
  }
  const statements = scope.statements(known);
  const toldItems =
    Array.isArray(told) && told.length === statements.length
      ? (told as readonly JsonValue[])
      : statements.map(({ directive }) => recordJson(known.entry, directive));
  const before = toldItems.map(stable);
  // How many of the statements at the beginning are as they are to be.
  let done = 0;
  for (const { from, to } of align(before, items.map(stable))) {
    const item = to === undefined ? undefined : (items[to] ?? null);
    const statement = scope.statements(known)[done];
    if (item === undefined) {
      if (statement) scope.remove(statement);
      continue;
    }
    const place = [...path, to ?? 0];
    if (from === undefined) insertRecord(scope, known, item, done, place);
    else if (before[from] !== stable(item)) mergeRecord(scope, known, statement, item, place, true);
    done++;
  }
}

/** Puts a statement at a place among those of its kind. */
function insertRecord(scope: Scope, known: KnownSetting, item: JsonValue, index: number, path: ConfigPath): void {
  const statement = printRecord(known.entry.directive, known.entry.fields ?? {}, item, path);
  const present = scope.statements(known);
  const [first] = present;
  if (index > 0 || !first) {
    scope.insert(statement, present[index - 1] ?? present.at(-1));
    return;
  }
  const { text, directive } = first;
  const hasOwnLine = text.slice(lineStart(text, directive.from), directive.from).trim() === '';
  const gap = hasOwnLine ? lineBreakOf(text) + indentAt(text, directive.from) : ' ';
  scope.change(first, [{ from: directive.from, to: directive.from, insert: statement + gap }]);
}

/** Items with `$index` are edited in place or removed, the others are added. */
function editRecords(scope: Scope, known: KnownSetting, items: readonly JsonValue[], path: ConfigPath): void {
  const gone = new Set<number>();
  const count = scope.statements(known).length;
  for (const [at, item] of items.entries()) {
    const index = instruction(item, '$index');
    const isKnown = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count;
    if (index !== undefined && !isKnown)
      throw new EditProblem('config_bad_value', `There is no item ${JSON.stringify(index)} here`, undefined, [
        ...path,
        at,
        '$index',
      ]);
    if (isKnown && instruction(item, '$delete') === true) gone.add(index);
    else mergeRecord(scope, known, isKnown ? scope.statements(known)[index] : undefined, item, [...path, at]);
  }
  for (const index of [...gone].sort((a, b) => b - a)) {
    const statement = scope.statements(known)[index];
    if (statement) scope.remove(statement);
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

/** JSON text that is the same for the same values, whatever the order of their keys. */
function stable(json: JsonValue): string {
  return JSON.stringify(json, (_key, value: JsonValue) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
