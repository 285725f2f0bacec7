import { isInScope } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';
import type { ObjectSource } from './object-source.ts';

/**
 * Source of a collection, limited to the rights of the caller: for a token that is limited to some streams, objects that
 * concern other streams are hidden.
 */
export function sourceFor<Row>(source: ObjectSource<Row>, caller: Caller): ObjectSource<Row> {
  if (caller.prefixes === undefined) return source;
  const name = source.getter('name');
  const nameOf = (row: Row): string => {
    const value = name(row);
    return typeof value === 'string' ? value : '';
  };
  const streamsOf = (row: Row): readonly string[] => source.streams?.(row) ?? [nameOf(row)];
  const isSeen = (row: Row): boolean => streamsOf(row).every((name) => isInScope(caller, name));
  return {
    rows: () => source.rows().filter(isSeen),
    find(key) {
      const row = source.find(key);
      return row !== undefined && isSeen(row) ? row : undefined;
    },
    getter: (path) => source.getter(path),
    texts: (row) => source.texts(row),
    object: (row) => source.object(row),
  };
}
