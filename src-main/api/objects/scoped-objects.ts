import { isInScope } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';
import type { JsonObject, ObjectSource } from './object-source.ts';

/**
 * Collection for callers whose token is limited to some streams: hides objects of all other streams. The field `name` is the
 * stream.
 */
class ScopedObjects<Row> implements ObjectSource<Row> {
  readonly #source: ObjectSource<Row>;
  readonly #isInScope: (row: Row) => boolean;

  constructor(source: ObjectSource<Row>, caller: Caller) {
    const nameOf = source.getter('name');
    this.#source = source;
    this.#isInScope = (row) => isInScope(caller, String(nameOf(row)));
  }

  rows(): readonly Row[] {
    return this.#source.rows().filter(this.#isInScope);
  }

  find(key: string): Row | undefined {
    const row = this.#source.find(key);
    return row !== undefined && this.#isInScope(row) ? row : undefined;
  }

  getter(path: string): (row: Row) => unknown {
    return this.#source.getter(path);
  }

  texts(row: Row): Iterable<string | null | undefined> {
    return this.#source.texts(row);
  }

  object(row: Row): JsonObject {
    return this.#source.object(row);
  }
}

/** Source of a collection, limited to the caller's rights. */
export function sourceFor<Row>(source: ObjectSource<Row>, caller: Caller): ObjectSource<Row> {
  return caller.prefixes === undefined ? source : new ScopedObjects(source, caller);
}
