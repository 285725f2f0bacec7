import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { mapInSteps } from '../../lib/turns.ts';
import type { ConfigPath } from '../parse/problem.ts';
import { recordJson } from '../parse/read-record.ts';
import type { KnownSetting } from '../schema/directives.ts';
import { isObject, type JsonValue } from '../schema/value-schema.ts';
import type { StatementRef } from './draft.ts';
import { EditProblem } from './edit-problem.ts';
import { stableJson } from './json-word.ts';
import { alignMasked } from './masked-items.ts';
import { changeRecord, printRecord } from './record-edit.ts';
import type { Scope } from './scope.ts';
import { blanksBefore, indentAt, lineBreakOf, lineStart } from './text-change.ts';

/** Keys of an item with which a list edits the current items instead of replacing them. */
const INSTRUCTIONS = ['$index', '$delete'];

/** Number of items between two checks of the time. */
const ITEMS_PER_STEP = 50;

/** Merges JSON into a record. @param isReplacement whether values that JSON does not name are removed */
export function mergeRecord(
  scope: Scope,
  known: KnownSetting,
  statement: StatementRef | undefined,
  json: JsonValue,
  path: ConfigPath,
  isReplacement = false,
): void {
  const fields = known.entry.fields ?? {};
  if (statement)
    scope.change(statement, changeRecord(statement.text, statement.directive, fields, json, isReplacement, path));
  else scope.insert(printRecord(known.entry.directive, fields, json, path), scope.statements(known).at(-1));
}

/** Sets a list of records, in steps. @param currentJson list that replies currently show, if it is known */
export function* mergeRecords(
  scope: Scope,
  known: KnownSetting,
  items: readonly JsonValue[],
  currentJson: JsonValue | undefined,
  path: ConfigPath,
): Generator<void, void> {
  if (items.some((item) => INSTRUCTIONS.some((key) => instruction(item, key) !== undefined))) {
    yield* editRecords(scope, known, items, path);
    return;
  }
  const statements = scope.statements(known);
  const currentItems =
    Array.isArray(currentJson) && currentJson.length === statements.length
      ? (currentJson as readonly JsonValue[])
      : yield* mapInSteps(statements, ({ directive }) => recordJson(known.entry, directive));
  const before = yield* mapInSteps(currentItems, stableJson);
  const after = yield* mapInSteps(items, stableJson);
  let previous: StatementRef | undefined;
  for (const [count, { from, to }] of alignMasked(before, after, path).entries()) {
    if (count % ITEMS_PER_STEP === 0) yield;
    const item = to === undefined ? undefined : (items[to] ?? null);
    const statement = from === undefined ? undefined : statements[from];
    if (item === undefined) {
      if (statement) scope.remove(statement);
      continue;
    }
    const itemPath = [...path, to ?? 0];
    if (!statement) insertRecord(scope, known, item, previous ?? statements[0], previous !== undefined, itemPath);
    else if (before[from ?? 0] !== after[to ?? 0]) mergeRecord(scope, known, statement, item, itemPath, true);
    previous = statement ?? previous;
  }
}

/** Inserts a statement before or after another statement of the same directive. */
function insertRecord(
  scope: Scope,
  known: KnownSetting,
  item: JsonValue,
  neighbour: StatementRef | undefined,
  isAfter: boolean,
  path: ConfigPath,
): void {
  const statement = printRecord(known.entry.directive, known.entry.fields ?? {}, item, path);
  if (isAfter || !neighbour) {
    scope.insert(statement, neighbour);
    return;
  }
  const { text, directive } = neighbour;
  const hasOwnLine = blanksBefore(text, directive.from) === lineStart(text, directive.from);
  const gap = hasOwnLine ? lineBreakOf(text) + indentAt(text, directive.from) : ' ';
  scope.change(neighbour, [{ from: directive.from, to: directive.from, insert: statement + gap }]);
}

/** Edits or removes items with `$index` in place, and adds all others. */
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
    // If the caller derived this list from another list, the item has its index in that list.
    const givenAt = instruction(item, '$at');
    const at = typeof givenAt === 'number' ? givenAt : count;
    const index = instruction(item, '$index');
    const isKnown = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < statements.length;
    if (index !== undefined && !isKnown)
      throw new EditProblem(because('item_unknown', { index: JSON.stringify(index) }), [...path, at, '$index']);
    if (isKnown && named.has(index))
      throw new EditProblem(
        because('item_named_twice', { index: String(index) }),
        [...path, at, '$index'],
        'config_duplicate',
      );
    const isDeleted = instruction(item, '$delete') === true;
    if (isDeleted && !isKnown) throw new EditProblem(because('delete_needs_item'), [...path, at, '$delete']);
    const statement = isKnown ? statements[index] : undefined;
    if (isKnown) named.add(index);
    if (statement && isDeleted) scope.remove(statement);
    else mergeRecord(scope, known, statement, item, [...path, at]);
  }
}

function instruction(item: JsonValue, key: string): JsonValue | undefined {
  return isObject(item) ? item[key] : undefined;
}
