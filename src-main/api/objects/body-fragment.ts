import { isDeepStrictEqual } from 'node:util';
import type { ConfigPath } from '../../config/parse/problem.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import { listEdits, requestIndex, wordEdits } from './list-edits.ts';
import type { JsonObject } from './object-source.ts';

/** Nested list of objects in the objects of a collection: its name, and the key of its items. */
export interface NestedList {
  readonly name: string;
  readonly key: string | undefined;
}

/** Body of a write, with the object that it is compared with. */
export interface ObjectBody {
  readonly body: JsonObject;
  /** Object as it is currently shown, without read-only fields; empty for a new object. Sending a shown value changes nothing. */
  readonly currentJson: () => JsonObject;
  /** Nested lists of objects in this collection. */
  readonly lists: readonly NestedList[];
}

/**
 * Converts a body to a fragment that is merged into the configuration. Fields with the shown value are left out, nested lists
 * become edits by index, and `$reset` removes the fields that the body does not name.
 * @param written object as the configuration has it
 * @param names nested lists that are lists of words in the configuration
 */
export function bodyFragment(
  { body, currentJson, lists }: ObjectBody,
  written: JsonObject,
  names: ReadonlySet<string> = new Set(),
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
            names.has(key),
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
  const configured = Array.isArray(written) ? (written as readonly JsonValue[]) : [];
  if (isWords) return wordEdits(items, configured, { name, key });
  return listEdits(asWritten(items, configured, currentJson), configured, key);
}

/** Replaces items that equal the shown values, which include defaults, by the items as written in the configuration. */
function asWritten(
  items: readonly JsonValue[],
  configured: readonly JsonValue[],
  currentJson: JsonValue | undefined,
): readonly JsonValue[] {
  if (!Array.isArray(currentJson) || currentJson.length !== configured.length) return items;
  const places = new Map(currentJson.map((item, index) => [JSON.stringify(item), index]));
  return items.map((item) => configured[places.get(JSON.stringify(item)) ?? -1] ?? item);
}

/**
 * Maps the path of a value in the resulting object to its path in the request, where list items have other indexes.
 *
 * @param fragment fragment of the request
 */
export function placeInBody(path: ConfigPath, fragment: JsonObject, written: JsonObject): ConfigPath {
  const [key, index, ...rest] = path;
  const edits = typeof key === 'string' ? fragment[key] : undefined;
  if (typeof key !== 'string' || typeof index !== 'number' || !Array.isArray(edits)) return path;
  const configured = written[key];
  const sent = requestIndex(edits as readonly JsonValue[], Array.isArray(configured) ? configured.length : 0, index);
  return sent === undefined ? path : [key, sent, ...rest];
}
