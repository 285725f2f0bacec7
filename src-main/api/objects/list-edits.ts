import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { stableJson } from '../../config/edit/json-word.ts';
import { isObject, type JsonValue } from '../../config/schema/value-schema.ts';

/**
 * Converts the items of a request for a nested list to edits by index. An item with `$index` changes the item at that index. An
 * item with the key of an existing item changes the existing item. All other items are added. `$delete` removes an item. This
 * way a repeated request has no further effect.
 * @param configured the list as written now
 * @param key identifying field of an item; without one, equal items are the same
 * @returns list for a merge, each item with its index in the request as `$at`; undefined for no change, null for removing the
 * list
 */
export function listEdits(
  items: readonly JsonValue[],
  configured: readonly JsonValue[],
  key: string | undefined,
): JsonValue | undefined {
  if (items.length === 0) return configured.length === 0 ? undefined : null;
  const named = new Set(items.map((item) => (isObject(item) ? item['$index'] : undefined)));
  // Indexes of the existing items by identifying value, in reverse order, so that `pop` returns the first one.
  const free = new Map<string, number[]>();
  for (let index = configured.length - 1; index >= 0; index--) {
    const identity = identityOf(configured[index], key);
    if (identity === undefined || named.has(index)) continue;
    const places = free.get(identity);
    if (places) places.push(index);
    else free.set(identity, [index]);
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
    else if (!isDeepStrictEqual(configured[index], fields)) edits.push({ $index: index, ...fields, $at: at });
  }
  if (edits.length === 0) return undefined;
  if (configured.length === 0 || edits.some((edit) => isObject(edit) && edit['$index'] !== undefined)) return edits;
  // A list in which no item has an index would replace the existing list.
  return [{ $index: 0 }, ...edits];
}

/** Index in the request of an item of the edited list, in which the remaining items come first and then the new ones. */
export function requestIndex(edits: readonly JsonValue[], ownCount: number, index: number): number | undefined {
  const removed = new Set<number>();
  const named = new Map<number, number>();
  const added: number[] = [];
  for (const edit of edits) {
    if (!isObject(edit)) continue;
    const { $index: fromIndex, $at: at, $delete: isRemoved } = edit;
    if (typeof fromIndex === 'number' && isRemoved === true) removed.add(fromIndex);
    else if (typeof at !== 'number') continue;
    else if (typeof fromIndex === 'number') named.set(fromIndex, at);
    else added.push(at);
  }
  const left = Array.from({ length: ownCount }, (_, fromIndex) => fromIndex).filter(
    (fromIndex) => !removed.has(fromIndex),
  );
  const fromIndex = left[index];
  return fromIndex === undefined ? added[index - left.length] : named.get(fromIndex);
}

/**
 * Edits a list of words, such as paths, and returns the complete new list.
 * @param list its name, and the field that contains the word if an item is an object
 */
export function wordEdits(
  items: readonly JsonValue[],
  configured: readonly JsonValue[],
  { name, key = '' }: { readonly name: string; readonly key: string | undefined },
): JsonValue {
  if (items.length === 0) return null;
  const words: (JsonValue | undefined)[] = [...configured];
  const places = new Map<JsonValue | undefined, number>();
  for (const [position, word] of configured.entries()) if (!places.has(word)) places.set(word, position);
  for (const [at, item] of items.entries()) {
    const index = isObject(item) ? item['$index'] : undefined;
    const word = isObject(item) ? item[key] : item;
    const position = typeof index === 'number' ? index : (places.get(word) ?? -1);
    const isThere = position >= 0 && position < configured.length;
    const pointer = `/${name}/${at}`;
    if (isObject(item) && item['$delete'] === true) {
      if (!isThere) throw new AirdeskError('bad_value', '$delete names no existing item', { pointer });
      words[position] = undefined;
      places.delete(word);
    } else if (index !== undefined && !isThere)
      throw new AirdeskError('bad_value', `There is no item ${JSON.stringify(index)} here`, {
        pointer: `${pointer}/$index`,
      });
    else if (word === undefined) {
      if (index === undefined)
        throw new AirdeskError('bad_value', 'Missing; expected a text', { pointer: `${pointer}/${key}` });
    } else if (isThere) words[position] = word;
    else places.set(word, words.push(word) - 1);
  }
  const left = words.filter((word) => word !== undefined);
  return left.length === 0 ? null : left;
}

/** Identifying value of an item as text; undefined if it has none. */
function identityOf(item: JsonValue | undefined, key: string | undefined): string | undefined {
  if (!isObject(item)) return undefined;
  const identity = key === undefined ? item : item[key];
  return identity === undefined ? undefined : stableJson(identity);
}
