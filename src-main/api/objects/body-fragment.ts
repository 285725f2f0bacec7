import { isDeepStrictEqual } from 'node:util';
import type { ConfigPath } from '../../config/parse/problem.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import { listEdits, requestIndex, wordEdits } from './list-edits.ts';
import type { JsonObject } from './object-source.ts';

/** A nested list of the objects of a collection: its name, and the key of its items. */
export interface NestedList {
  readonly name: string;
  readonly key: string | undefined;
}

/** The body of a write, and what it is compared with. */
export interface ObjectBody {
  readonly body: JsonObject;
  /** The object as it is shown now, without what is only shown; empty for a new one. What the body repeats of it changes nothing. */
  readonly currentJson: () => JsonObject;
  /** The nested lists of such objects. */
  readonly lists: readonly NestedList[];
}

/**
 * What a body changes of an object, as the configuration merges it: fields that it repeats are left out, nested lists become edits by place, and with `$reset`
 * what it does not name is removed.
 *
 * @param written what the configuration says of the object
 * @param words nested lists that are lists of words there
 */
export function bodyFragment(
  { body, currentJson, lists }: ObjectBody,
  written: JsonObject,
  words: ReadonlySet<string> = new Set(),
): JsonObject {
  const { $reset: isReset, ...fields } = body;
  const current = currentJson();
  const merged: Record<string, JsonValue> = {};
  if (isReset === true)
    for (const key of Object.keys(written)) if (key !== 'stats' && !Object.hasOwn(fields, key)) merged[key] = null;
  for (const [key, value] of Object.entries(fields)) {
    if (Object.hasOwn(current, key) && isDeepStrictEqual(current[key], value)) continue;
    const list = lists.find(({ name }) => name === key);
    const edited =
      list && Array.isArray(value)
        ? edits(
            value as readonly JsonValue[],
            isReset === true ? undefined : written[key],
            current[key],
            list,
            words.has(key),
          )
        : value;
    if (edited !== undefined) merged[key] = edited;
  }
  return merged;
}

function edits(
  items: readonly JsonValue[],
  written: JsonValue | undefined,
  currentJson: JsonValue | undefined,
  { name, key }: NestedList,
  isWords: boolean,
): JsonValue | undefined {
  const own = Array.isArray(written) ? (written as readonly JsonValue[]) : [];
  if (isWords) return wordEdits(items, own, { name, key });
  return listEdits(asWritten(items, own, currentJson), own, key);
}

/** Items that only repeat how they are shown, with what holds where nothing is written, are what is written. */
function asWritten(
  items: readonly JsonValue[],
  own: readonly JsonValue[],
  currentJson: JsonValue | undefined,
): readonly JsonValue[] {
  if (!Array.isArray(currentJson) || currentJson.length !== own.length) return items;
  const places = new Map(currentJson.map((item, index) => [JSON.stringify(item), index]));
  return items.map((item) => own[places.get(JSON.stringify(item)) ?? -1] ?? item);
}

/** The place of a value in the request, by its place in the object that was to be: items of lists stand elsewhere there. @param fragment of the request */
export function placeInBody(path: ConfigPath, fragment: JsonObject, written: JsonObject): ConfigPath {
  const [key, index, ...rest] = path;
  const edits = typeof key === 'string' ? fragment[key] : undefined;
  if (typeof key !== 'string' || typeof index !== 'number' || !Array.isArray(edits)) return path;
  const own = written[key];
  const sent = requestIndex(edits as readonly JsonValue[], Array.isArray(own) ? own.length : 0, index);
  return sent === undefined ? path : [key, sent, ...rest];
}
