import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../config/schema/value-schema.ts';
import type { JsonObject } from './object-source.ts';

/**
 * What a request says about a nested list, as edits by place. An item with `$index` means the one at that place, an item with the key of one that is
 * there means that one, and all others are added. `$delete` removes. So the same request can be repeated and changes nothing more.
 *
 * @param own how the list is written now
 * @param key what tells items apart; without one, items are the same when all of them is
 * @returns the list for a merge: undefined for no change, null for no list any more
 */
export function listEdits(
  items: readonly JsonValue[],
  own: readonly JsonValue[],
  key: string | undefined,
): JsonValue | undefined {
  if (items.length === 0) return own.length === 0 ? undefined : null;
  const free = new Set(own.keys());
  for (const item of items) {
    const index = isObject(item) ? item['$index'] : undefined;
    if (typeof index === 'number') free.delete(index);
  }
  const edits: JsonValue[] = [];
  for (const item of items) {
    if (!isObject(item) || item['$index'] !== undefined) {
      edits.push(item);
      continue;
    }
    const index = [...free].find((place) => isSame(own[place], item, key));
    const { $delete: _delete, ...fields } = item;
    if (index === undefined) {
      if (item['$delete'] !== true) edits.push(fields);
      continue;
    }
    free.delete(index);
    if (item['$delete'] === true) edits.push({ $index: index, $delete: true });
    else if (!isDeepStrictEqual(own[index], fields)) edits.push({ $index: index, ...fields });
  }
  if (edits.length === 0) return undefined;
  if (own.length === 0 || edits.some((edit) => isObject(edit) && edit['$index'] !== undefined)) return edits;
  // A list without a place in it would replace the one that is there.
  return [{ $index: 0 }, ...edits];
}

/** The same for a list of words, such as paths: the whole list as it is to be. @param key where an item that is an object has its word */
export function wordEdits(items: readonly JsonValue[], own: readonly JsonValue[], key: string): JsonValue {
  if (items.length === 0) return null;
  const words: (JsonValue | undefined)[] = [...own];
  for (const item of items) {
    const index = isObject(item) ? item['$index'] : undefined;
    const word = isObject(item) ? item[key] : item;
    const place = typeof index === 'number' ? index : words.findIndex((known) => known !== undefined && known === word);
    const isThere = place >= 0 && place < own.length;
    if (isObject(item) && item['$delete'] === true) {
      if (isThere) words[place] = undefined;
    } else if (word === undefined) continue;
    else if (isThere) words[place] = word;
    else if (place < 0) words.push(word);
  }
  const left = words.filter((word) => word !== undefined);
  return left.length === 0 ? null : left;
}

function isSame(own: JsonValue | undefined, item: JsonObject, key: string | undefined): boolean {
  if (!isObject(own)) return false;
  if (key !== undefined) return item[key] !== undefined && own[key] === item[key];
  const { $delete: _delete, ...fields } = item;
  return isDeepStrictEqual(own, fields);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
