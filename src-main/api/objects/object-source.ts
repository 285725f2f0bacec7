import type { JsonValue } from '../../config/schema/value-schema.ts';
import { isReadable } from '../../operators/reader-view.ts';

/** An object as the APIs show it. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/**
 * Where the objects of a collection come from. A row is whatever the server has of an object; it is looked at field by field while a collection is
 * filtered and sorted, and becomes a whole object only where it is shown.
 */
export interface ObjectSource<Row> {
  /** All rows of this moment. */
  rows(): readonly Row[];
  find(key: string): Row | undefined;
  /** The way to the value of a field, by its path with dots. */
  getter(path: string): (row: Row) => unknown;
  /** What free text is looked for in. */
  texts(row: Row): Iterable<string | null | undefined>;
  object(row: Row): JsonObject;
  /** The object as JSON text, where that is cheaper than the object. */
  text?(row: Row): string;
  /** What the settings of an object are made of, as values that never change: as long as they are the same ones, so are its settings. The first is an object. */
  origin?(row: Row): readonly [object, ...unknown[]];
}

/** A value inside an object; undefined where the path leads nowhere. A key may have dots in it. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const [index, key] of path.entries()) {
    if (typeof at !== 'object' || at === null) return undefined;
    // Objects of JSON are looked up by name.
    const object = at as Readonly<Record<string, unknown>>;
    const rest = path.slice(index).join('.');
    if (index < path.length - 1 && Object.hasOwn(object, rest)) return object[rest];
    at = Object.hasOwn(object, key) ? object[key] : undefined;
  }
  return at;
}

/** A collection of objects that are whole already, for those that are few. */
export class WholeObjects implements ObjectSource<JsonObject> {
  readonly #objects: () => readonly JsonObject[];
  readonly #key: string;

  /** @param key the field that identifies an object */
  constructor(key: string, objects: () => readonly JsonObject[]) {
    this.#key = key;
    this.#objects = objects;
  }

  rows(): readonly JsonObject[] {
    return this.#objects();
  }

  find(key: string): JsonObject | undefined {
    return this.rows().find((object) => object[this.#key] === key);
  }

  getter(path: string): (row: JsonObject) => unknown {
    const keys = path.split('.');
    return (row) => valueAt(row, keys);
  }

  *texts(row: JsonObject): Iterable<string> {
    for (const [field, value] of Object.entries(row)) if (typeof value === 'string' && isReadable(field)) yield value;
  }

  object(row: JsonObject): JsonObject {
    return row;
  }
}
