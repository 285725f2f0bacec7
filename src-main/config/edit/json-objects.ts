import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigPath } from '../parse/problem.ts';
import { MAX_RECORDS } from '../schema/directive.ts';
import { isObject, type JsonValue } from '../schema/value-schema.ts';
import { EditProblem } from './edit-problem.ts';

export type Json = Readonly<Record<string, JsonValue>>;

/** JSON as an object; raises `config_bad_value` if it is not an object. */
export function objectAt(json: JsonValue, path: ConfigPath): Json {
  if (isObject(json)) return json;
  throw new EditProblem(because('object_expected'), path);
}

/** Items by name, from an object by name or from a list of objects with a name. Null stands for an item to remove. */
export function namedItems(json: JsonValue, path: ConfigPath): Json {
  if (!Array.isArray(json)) return objectAt(json, path);
  if (json.length === 0) throw new EditProblem(because('empty_list'), path);
  const items = new Map<string, JsonValue>();
  for (const [index, item] of (json as readonly JsonValue[]).entries()) {
    const object = objectAt(item, [...path, index]);
    const name = object['name'] ?? object['prefix'];
    const namePath = [...path, index, 'name'];
    if (typeof name !== 'string') throw new EditProblem(because('named_object_expected'), namePath);
    if (items.has(name))
      throw new EditProblem(because('name_in_list', { name: name.slice(0, 80) }), namePath, 'config_duplicate');
    items.set(name, object['$delete'] === true ? null : object);
  }
  return Object.fromEntries(items);
}

/**
 * JSON as a list of records; a single record is a list of one. Raises `config_bad_value` if the list is too long, before its
 * items are checked.
 */
export function recordsAt(json: JsonValue, path: ConfigPath): readonly JsonValue[] {
  const items = Array.isArray(json) ? (json as readonly JsonValue[]) : [json];
  if (items.length > MAX_RECORDS) throw new EditProblem(because('too_many_items', { limit: MAX_RECORDS }), path);
  return items;
}
