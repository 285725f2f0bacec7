import { readerText } from '../../operators/reader-address.ts';
import { readerValue, readerView } from '../../operators/reader-view.ts';
import type { JsonObject, ObjectSource } from './object-source.ts';

/**
 * Collection for read-only callers. Filters, sorting and search see only the shown values, so that they cannot be used to guess a
 * secret.
 */
export class ReaderObjects<Row> implements ObjectSource<Row> {
  readonly #source: ObjectSource<Row>;
  readonly #name: string;

  /** @param name name of the collection */
  constructor(source: ObjectSource<Row>, name: string) {
    this.#source = source;
    this.#name = name;
  }

  rows(): readonly Row[] {
    return this.#source.rows();
  }

  find(key: string): Row | undefined {
    return this.#source.find(key);
  }

  getter(path: string): (row: Row) => unknown {
    const get = this.#source.getter(path);
    const keys = path.split('.');
    return (row) => readerValue(get(row), keys, this.#name);
  }

  *texts(row: Row): Iterable<string> {
    for (const text of this.#source.texts(row)) if (text) yield readerText(text);
  }

  object(row: Row): JsonObject {
    return readerView(this.#source.object(row), this.#name);
  }
}
