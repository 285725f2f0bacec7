import { badParameter } from '../../../../src-preload/contract/index.ts';
import type { FieldTable } from './field-table.ts';
import type { Json } from '../../endpoints/json-schema.ts';
import { splitAtCommas } from '../../endpoints/query-string.ts';

/** Selected fields of an object: all below a key, or some. */
export interface Selection {
  readonly [key: string]: Selection | true;
}

/** Parses `select`. Raises `bad_query` for unknown fields. */
export function readSelection(text: string, fields: FieldTable): Selection {
  const selection: SelectionTree = {};
  for (const path of splitAtCommas(text)) {
    if (!fields.has(path)) throw badParameter('select', `There is no field ${path.slice(0, 100)} to select`);
    add(selection, path.split('.'));
  }
  return selection;
}

/** Selected fields of an object. Lists keep their items, each with its selected fields. */
export function selectFields(json: Json, selection: Selection): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map((item) => selectFields(item, selection));
  if (typeof json !== 'object' || json === null) return json;
  const object = json as Readonly<Record<string, Json>>;
  const selected: Record<string, Json> = {};
  for (const [key, part] of Object.entries(selection)) {
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key] ?? null;
    selected[key] = part === true ? value : selectFields(value, part);
  }
  return selected;
}

/** Selection during parsing. */
interface SelectionTree {
  [key: string]: SelectionTree | true;
}

function add(selection: SelectionTree, path: readonly string[]): void {
  let level = selection;
  for (const [index, key] of path.entries()) {
    const existing = Object.hasOwn(level, key) ? level[key] : undefined;
    if (existing === true) return;
    if (index === path.length - 1) {
      level[key] = true;
      return;
    }
    const next = existing ?? {};
    level[key] = next;
    level = next;
  }
}
