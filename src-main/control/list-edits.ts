import { isDeepStrictEqual } from 'node:util';
import { stableJson } from '../config/edit/json-word.ts';
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
  const named = new Set(items.map((item) => (isObject(item) ? item['$index'] : undefined)));
  // Places that no item names, by what tells items apart; the first one comes last, to be taken off.
  const free = new Map<string, number[]>();
  for (let place = own.length - 1; place >= 0; place--) {
    const identity = identityOf(own[place], key);
    if (identity === undefined || named.has(place)) continue;
    const places = free.get(identity);
    if (places) places.push(place);
    else free.set(identity, [place]);
  }
  const edits: JsonValue[] = [];
  for (const item of items) {
    if (!isObject(item) || item['$index'] !== undefined) {
      edits.push(item);
      continue;
    }
    const { $delete: _delete, ...fields } = item;
    const index = free.get(identityOf(fields, key) ?? '')?.pop();
    if (index === undefined) {
      if (item['$delete'] !== true) edits.push(fields);
      continue;
    }
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
  const places = new Map<JsonValue | undefined, number>();
  for (const [place, word] of own.entries()) if (!places.has(word)) places.set(word, place);
  for (const item of items) {
    const index = isObject(item) ? item['$index'] : undefined;
    const word = isObject(item) ? item[key] : item;
    const place = typeof index === 'number' ? index : (places.get(word) ?? -1);
    const isThere = place >= 0 && place < own.length;
    if (isObject(item) && item['$delete'] === true) {
      if (isThere) words[place] = undefined;
      places.delete(word);
    } else if (word === undefined) continue;
    else if (isThere) words[place] = word;
    else if (place < 0) places.set(word, words.push(word) - 1);
  }
  const left = words.filter((word) => word !== undefined);
  return left.length === 0 ? null : left;
}

/** What tells an item from others, as text; undefined for what cannot be told. */
function identityOf(item: JsonValue | undefined, key: string | undefined): string | undefined {
  if (!isObject(item)) return undefined;
  const identity = key === undefined ? item : item[key];
  return identity === undefined ? undefined : stableJson(identity);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
