import type { Statement } from 'better-sqlite3';
import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { Database } from '../../database.ts';
import { LOG_FILE_SCHEMA } from '../../schemas/log-file.ts';
import type { OperationRow } from '../../subscriber-rows.ts';
import { OperationIndex } from './operation-index.ts';
import { packRows, unpackRows, type Packing } from './packed-rows.ts';

/** Maximum number of unpacked chunks in the cache. */
const MAX_CACHED_CHUNKS = 8;

interface ChunkRow {
  readonly id: bigint;
  readonly portal_id: bigint;
  readonly data: Uint8Array;
}

interface IndexRow extends Pick<OperationRow, 'type' | 'subscriber_id' | 'package_id'> {
  readonly chunk: bigint;
}

/** Operations of one month, packed. */
export class LogFile {
  readonly index: OperationIndex;
  readonly #path: string;
  readonly #database: Database;
  readonly #indexRow: Statement<[bigint, bigint], IndexRow>;
  readonly #chunkRow: Statement<[bigint], ChunkRow>;
  readonly #unpacked = new Map<bigint, ReadonlyMap<bigint, OperationRow>>();

  private constructor(path: string, database: Database) {
    this.#path = path;
    this.#database = database;
    const { connection } = database;
    this.index = new OperationIndex(connection);
    this.#indexRow = connection
      .prepare<[bigint, bigint], IndexRow>(
        'SELECT type, subscriber_id, package_id, chunk FROM operation WHERE portal_id = ? AND id = ?',
      )
      .safeIntegers();
    this.#chunkRow = connection.prepare<[bigint], ChunkRow>('SELECT * FROM chunk WHERE id = ?').safeIntegers();
  }

  /** Opens the file, or creates it. Raises `database_unavailable`. */
  static open(path: string, options: { readonly log: Log; readonly now: () => number }): LogFile {
    return new LogFile(path, Database.open(path, { ...options, schema: LOG_FILE_SCHEMA, content: 'record' }));
  }

  /**
   * Record with the fields of its index; undefined if it is not in this file. Raises `database_unavailable` if the
   * file is not readable.
   */
  row(portal: bigint, id: bigint): OperationRow | undefined {
    const found = this.#indexRow.get(portal, id);
    if (!found) return undefined;
    const { chunk, ...indexed } = found;
    const row = this.#chunk(chunk).get(id);
    if (!row) throw this.#damaged(`the operation ${id} is in its index only`);
    return { ...row, ...indexed };
  }

  /**
   * Adds records of one portal. They are on the disk when this returns. Existing records after `after` come from an
   * interrupted move and are replaced.
   */
  add(portal: bigint, rows: readonly OperationRow[], after: bigint, packing: Packing): void {
    const { connection } = this.#database;
    connection.transaction(() => {
      const stale = connection
        .prepare<[bigint, bigint], bigint>('SELECT DISTINCT chunk FROM operation WHERE portal_id = ? AND id > ?')
        .safeIntegers()
        .pluck()
        .all(portal, after);
      for (const chunk of stale) this.#remove(chunk);
      this.#insert(portal, rows, packing);
    })();
  }

  /** Chunks after a number, in order. */
  chunks(
    after: bigint,
    limit: number,
  ): readonly { readonly id: bigint; readonly portal: bigint; readonly rows: readonly OperationRow[] }[] {
    return this.#database.connection
      .prepare<[bigint, number], ChunkRow>('SELECT * FROM chunk WHERE id > ? ORDER BY id LIMIT ?')
      .safeIntegers()
      .all(after, limit)
      .map((row) => ({ id: row.id, portal: row.portal_id, rows: this.#unpack(row) }));
  }

  /** Number of the last chunk; 0 without one. */
  lastChunk(): bigint {
    return (
      this.#database.connection.prepare<[], bigint | null>('SELECT max(id) FROM chunk').safeIntegers().pluck().get() ??
      0n
    );
  }

  /** Fingerprint of all operations in the file. */
  fingerprint(): string {
    const rows = this.#database.connection
      .prepare(
        'SELECT portal_id, count(*), min(id), max(id), sum(chunk) FROM operation GROUP BY portal_id ORDER BY portal_id',
      )
      .safeIntegers()
      .raw()
      .all();
    return rows.map(String).join('\n');
  }

  /** Adds chunks of another file with their numbers. */
  addChunks(chunks: ReturnType<LogFile['chunks']>, packing: Packing): void {
    this.#database.connection.transaction(() => {
      for (const { id, portal, rows } of chunks) this.#insert(portal, rows, packing, id);
    })();
  }

  close(): void {
    this.#database.close();
  }

  #insert(portal: bigint, rows: readonly OperationRow[], packing: Packing, number: bigint | null = null): void {
    const { connection } = this.#database;
    const { lastInsertRowid: chunk } = connection
      .prepare('INSERT INTO chunk (id, portal_id, data) VALUES (?, ?, ?)')
      .run(number, portal, packRows(rows, packing));
    const add = connection.prepare(
      'INSERT INTO operation (portal_id, id, type, subscriber_id, package_id, chunk) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const { id, type, subscriber_id: subscriber, package_id: packageId } of rows)
      add.run(portal, id, type, subscriber, packageId, chunk);
  }

  #remove(chunk: bigint): void {
    const { connection } = this.#database;
    connection.prepare('DELETE FROM operation WHERE chunk = ?').run(chunk);
    connection.prepare('DELETE FROM chunk WHERE id = ?').run(chunk);
    this.#unpacked.delete(chunk);
  }

  #chunk(id: bigint): ReadonlyMap<bigint, OperationRow> {
    const cached = this.#unpacked.get(id);
    if (cached) return cached;
    const row = this.#chunkRow.get(id);
    if (!row) throw this.#damaged(`the chunk ${id} is not there`);
    const rows = new Map(this.#unpack(row).map((one) => [one.id, one]));
    for (const [oldest] of this.#unpacked) {
      if (this.#unpacked.size < MAX_CACHED_CHUNKS) break;
      this.#unpacked.delete(oldest);
    }
    this.#unpacked.set(id, rows);
    return rows;
  }

  #unpack({ id, portal_id: portal, data }: ChunkRow): readonly OperationRow[] {
    try {
      return unpackRows(portal, data);
    } catch (cause) {
      throw this.#damaged(`the chunk ${id} cannot be unpacked`, cause);
    }
  }

  #damaged(why: string, cause?: unknown): AirdeskError {
    return new AirdeskError('database_unavailable', `${this.#path} is damaged: ${why}`, {}, { cause });
  }
}
