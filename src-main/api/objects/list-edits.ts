import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { stableJson } from '../../config/edit/json-word.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import type { JsonObject } from './object-source.ts';

/**
 * What a request says about a nested list, as edits by place. An item with `$index` means the one at that place, an item with the key of one that is
 * there means that one, and all others are added. `$delete` removes. So the same request can be repeated and changes nothing more.
 *
 * @param own how the list is written now
 * @param key the identifying value of an item; without one, items are the same when they are equal
 * @returns the list for a merge, each item with its place in the request as `$at`: undefined for no change, null for no list any more
 */
export function listEdits(
  items: readonly JsonValue[],
  own: readonly JsonValue[],
  key: string | undefined,
): JsonValue | undefined {
  if (items.length === 0) return own.length === 0 ? undefined : null;
  const named = new Set(items.map((item) => (isObject(item) ? item['$index'] : undefined)));
  // Indexes that no item names, by the identifying value; the first one comes last, to be popped.
  const free = new Map<string, number[]>();
  for (let place = own.length - 1; place >= 0; place--) {
    const identity = identityOf(own[place], key);
    if (identity === undefined || named.has(place)) continue;
    const places = free.get(identity);
    if (places) places.push(place);
    else free.set(identity, [place]);
  }
  const edits: JsonValue[] = [];
  for (const [at, item] of items.entries()) {
    if (!isObject(item) || item['$index'] !== undefined) {
      edits.push(isObject(item) ? { ...item, $at: at } : item);
      continue;
    }
    const { $delete: _delete, ...fields } = item;
    const index = free.get(identityOf(fields, key) ?? '')?.pop();
    if (index === undefined) {
      edits.push({ ...item, $at: at });
      continue;
    }
    if (item['$delete'] === true) edits.push({ $index: index, $delete: true, $at: at });
    else if (!isDeepStrictEqual(own[index], fields)) edits.push({ $index: index, ...fields, $at: at });
  }
  if (edits.length === 0) return undefined;
  if (own.length === 0 || edits.some((edit) => isObject(edit) && edit['$index'] !== undefined)) return edits;
  // A list without a place in it would replace the one that is there.
  return [{ $index: 0 }, ...edits];
}

/** Where an item of a list that edits made stands in the request: the items that were there and stay come first, then the new ones. */
export function requestIndex(edits: readonly JsonValue[], ownCount: number, index: number): number | undefined {
  const gone = new Set<number>();
  const named = new Map<number, number>();
  const added: number[] = [];
  for (const edit of edits) {
    if (!isObject(edit)) continue;
    const { $index: place, $at: at, $delete: isGone } = edit;
    if (typeof place === 'number' && isGone === true) gone.add(place);
    else if (typeof at !== 'number') continue;
    else if (typeof place === 'number') named.set(place, at);
    else added.push(at);
  }
  const left = Array.from({ length: ownCount }, (_, place) => place).filter((place) => !gone.has(place));
  const place = left[index];
  return place === undefined ? added[index - left.length] : named.get(place);
}

/** The same for a list of words, such as paths: the whole list as it is to be. @param list its name, and where an item that is an object has its word */
export function wordEdits(
  items: readonly JsonValue[],
  own: readonly JsonValue[],
  { name, key = '' }: { readonly name: string; readonly key: string | undefined },
): JsonValue {
  if (items.length === 0) return null;
  const words: (JsonValue | undefined)[] = [...own];
  const places = new Map<JsonValue | undefined, number>();
  for (const [place, word] of own.entries()) if (!places.has(word)) places.set(word, place);
  for (const [at, item] of items.entries()) {
    const index = isObject(item) ? item['$index'] : undefined;
    const word = isObject(item) ? item[key] : item;
    const place = typeof index === 'number' ? index : (places.get(word) ?? -1);
    const isThere = place >= 0 && place < own.length;
    if (isObject(item) && item['$delete'] === true) {
      if (!isThere)
        throw new AirdeskError('bad_value', '$delete names nothing that is there', { pointer: `/${name}/${at}` });
      words[place] = undefined;
      places.delete(word);
    } else if (word === undefined) continue;
    else if (isThere) words[place] = word;
    else if (place < 0) places.set(word, words.push(word) - 1);
  }
  const left = words.filter((word) => word !== undefined);
  return left.length === 0 ? null : left;
}

/** The identifying value of an item as text; undefined where it cannot be printed. */
function identityOf(item: JsonValue | undefined, key: string | undefined): string | undefined {
  if (!isObject(item)) return undefined;
  const identity = key === undefined ? item : item[key];
  return identity === undefined ? undefined : stableJson(identity);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
