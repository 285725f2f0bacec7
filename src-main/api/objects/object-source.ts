import type { JsonValue } from '../../config/schema/value-schema.ts';
import { isReadable } from '../../operators/reader-view.ts';

/** Object as the APIs show it. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/**
 * Source of a collection's objects. A row is the server's own form of an object. Filters and sorting read it field by field, and
 * only shown rows are converted to complete objects.
 */
export interface ObjectSource<Row> {
  /** All current rows. */
  rows(): readonly Row[];
  find(key: string): Row | undefined;
  /** Makes a reader of a field from its path with dots. */
  getter(path: string): (row: Row) => unknown;
  /** Texts that the free text search covers. */
  texts(row: Row): Iterable<string | null | undefined>;
  object(row: Row): JsonObject;
  /** Object as JSON text, if that is cheaper than the object. */
  text?(row: Row): string;
  /**
   * Immutable sources of an object's settings: while they are identical, the settings are unchanged. The first one is an object.
   */
  origin?(row: Row): readonly [object, ...unknown[]];
}

/** Value inside an object; undefined if the path leads nowhere. A key may contain dots. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const [index, key] of path.entries()) {
    if (typeof at !== 'object' || at === null) return undefined;
    // Objects of JSON are indexed by name.
    const object = at as Readonly<Record<string, unknown>>;
    const rest = path.slice(index).join('.');
    if (index < path.length - 1 && Object.hasOwn(object, rest)) return object[rest];
    at = Object.hasOwn(object, key) ? object[key] : undefined;
  }
  return at;
}

/** Collection of a few complete objects. */
export class JsonObjects implements ObjectSource<JsonObject> {
  readonly #objects: () => readonly JsonObject[];
  readonly #key: string;

  /** @param key field that identifies an object */
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
