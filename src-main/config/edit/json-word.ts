import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { isDeepStrictEqual } from 'node:util';
import { EditProblem } from './edit-problem.ts';
import type { ConfigPath } from '../parse/problem.ts';
import { isObject, type JsonValue } from '../schema/value-schema.ts';

export function wordOf(json: JsonValue, path: ConfigPath): string {
  if (typeof json === 'string') return json;
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  if (Array.isArray(json)) return (json as readonly JsonValue[]).map((item) => wordOf(item, path)).join(',');
  throw new EditProblem(because('scalar_expected'), path);
}

/** Whether two values are equal. */
export function isSameJson(a: JsonValue, b: JsonValue): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b));
}

/** JSON text that is equal for equal values, whatever the order of their keys. */
export function stableJson(json: JsonValue): string {
  return JSON.stringify(json, (_key, value: JsonValue) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
