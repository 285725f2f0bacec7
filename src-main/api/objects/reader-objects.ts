import { readerText } from '../../operators/reader-address.ts';
import { readerValue, readerView } from '../../operators/reader-view.ts';
import type { ObjectSource } from './object-source.ts';

/**
 * Collection for read-only callers. Filters, sorting and search use only the values that these callers see, so that they cannot
 * be used to guess a secret.
 * @param name name of the collection
 */
export function readerObjects<Row>(source: ObjectSource<Row>, name: string): ObjectSource<Row> {
  return {
    rows: () => source.rows(),
    find: (key) => source.find(key),
    getter(path) {
      const get = source.getter(path);
      const keys = path.split('.');
      return (row) => readerValue(get(row), keys, name);
    },
    *texts(row) {
      for (const text of source.texts(row)) if (text) yield readerText(text);
    },
    object: (row) => readerView(source.object(row), name),
  };
}
