import type { JsonValue } from '../../config/schema/value-schema.ts';
import { isReadable } from '../../operators/reader-view.ts';

/** Object as the APIs show it. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/**
 * Source of a collection's objects. A row is the server's own form of an object. Filters and sorting read rows field by field,
 * and only rows in an answer are converted to complete objects.
 */
export interface ObjectSource<Row> {
  /** All current rows. */
  rows(): readonly Row[];
  find(key: string): Row | undefined;
  /** Creates a reader of a field from its path with dots. */
  getter(path: string): (row: Row) => unknown;
  /** Texts that the free text search covers. */
  texts(row: Row): Iterable<string | null | undefined>;
  object(row: Row): JsonObject;
  /**
   * Streams that a row concerns. A caller must be allowed to see all of them. Default: the stream in the field `name` of the
   * row.
   */
  streams?(row: Row): readonly string[];
  /** Object as JSON text; present if printing it is cheaper than creating the object. */
  text?(row: Row): string;
  /**
   * Immutable values from which the settings of an object follow. If a later call returns the same values, the settings have not
   * changed. The first value is always an object.
   */
  origin?(row: Row): readonly [object, ...unknown[]];
}

/** Value inside an object; undefined if the path leads to no value. A key may contain dots. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const [index, key] of path.entries()) {
    if (typeof at !== 'object' || at === null) return undefined;
    // JSON objects can be indexed by name.
    const object = at as Readonly<Record<string, unknown>>;
    const rest = path.slice(index).join('.');
    if (index < path.length - 1 && Object.hasOwn(object, rest)) return object[rest];
    at = Object.hasOwn(object, key) ? object[key] : undefined;
  }
  return at;
}

/** Objects whose fields are read from the complete object. */
export function wholeObjects<Row>(source: Omit<ObjectSource<Row>, 'getter'>): ObjectSource<Row> {
  return {
    ...source,
    getter(path) {
      const keys = path.split('.');
      return (row) => valueAt(source.object(row), keys);
    },
  };
}

/** Collection of a few complete objects. @param key field that identifies an object */
export function jsonObjects(key: string, objects: () => readonly JsonObject[]): ObjectSource<JsonObject> {
  return wholeObjects({
    rows: objects,
    find: (value) => objects().find((object) => object[key] === value),
    *texts(row) {
      for (const [field, value] of Object.entries(row)) if (typeof value === 'string' && isReadable(field)) yield value;
    },
    object: (row) => row,
  });
}

/** Readers of an object's fields, by their names. */
export type FieldReaders<Row, Shown> = { readonly [K in keyof Shown]: (row: Row, nowMs: number) => Shown[K] };

/** Objects whose fields are read separately. @param nowMs current time in epoch milliseconds, read once for all rows */
export function fieldObjects<Row, Shown extends Record<string, string | number | boolean | null>>(
  readers: FieldReaders<Row, Shown>,
  nowMs: () => number,
  source: Pick<ObjectSource<Row>, 'rows' | 'find' | 'texts'>,
): ObjectSource<Row> {
  return {
    ...source,
    getter(path) {
      const [read, now] = [Object.hasOwn(readers, path) ? readers[path] : undefined, nowMs()];
      return (row) => read?.(row, now);
    },
    object(row) {
      const now = nowMs();
      const fields = Object.entries<(row: Row, nowMs: number) => JsonValue>(readers);
      return Object.fromEntries(fields.map(([name, read]) => [name, read(row, now)]));
    },
  };
}
