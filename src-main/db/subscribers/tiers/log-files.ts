import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { firstIdOf, timeOfId } from '../../../subscribers/snowflake.ts';
import type { Connection } from '../../database.ts';
import type { Bounds } from './operation-index.ts';
import { LogFile } from './log-file.ts';

export interface LogFilesOptions {
  readonly log: Log;
  readonly now: () => number;
  /** Folder of the months that are read occasionally. It is created when it is needed. */
  readonly folder: string;
}

/** Maximum number of files that stay open. */
const MAX_OPEN = 32;

interface FileRow {
  readonly month: string;
  /** Path in the cold folder; null while the file is in the warm folder. */
  readonly cold_path: string | null;
}

/**
 * Files with operations that were moved out of the database, one for each month in UTC. The database lists them, so a missing
 * file is an error, not an empty month.
 */
export class LogFiles {
  readonly #connection: Connection;
  readonly #options: LogFilesOptions;
  /** By path, most recently used last. */
  readonly #open = new Map<string, LogFile>();

  constructor(connection: Connection, options: LogFilesOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /**
   * Files that may have ids between two ids, oldest first. Each file is opened when it is reached. Raises
   * `database_unavailable`.
   */
  *between({ above, below }: Bounds, isDescending: boolean): Generator<LogFile> {
    const from = monthOf(timeOfId(above < 0n ? 0n : above));
    const to = monthOf(timeOfId(below));
    const rows = this.#connection
      .prepare<[string, string], FileRow>(
        `SELECT * FROM log_file WHERE month >= ? AND month <= ? ORDER BY month ${isDescending ? 'DESC' : 'ASC'}`,
      )
      .all(from, to);
    for (const row of rows) yield this.#file(row);
  }

  /** File of a month for new operations, in either folder. */
  writableFile(month: string): LogFile {
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    const existing = this.#connection.prepare<[string], FileRow>('SELECT * FROM log_file WHERE month = ?').get(month);
    if (existing) return this.#file(existing);
    const file = this.#cached(this.path(month));
    this.#connection.prepare('INSERT INTO log_file (month) VALUES (?)').run(month);
    return file;
  }

  /** Oldest warm month that ends before a time; undefined if there is none. */
  oldestWarm(beforeMs: number): string | undefined {
    return this.#connection
      .prepare<[string], string>(
        'SELECT month FROM log_file WHERE cold_path IS NULL AND month < ? ORDER BY month LIMIT 1',
      )
      .pluck()
      .get(monthOf(beforeMs));
  }

  /** Records the cold path of a month. */
  setCold(month: string, path: string): void {
    this.#connection.prepare('UPDATE log_file SET cold_path = ? WHERE month = ?').run(path, month);
  }

  /** Path of a month's file in a folder; default: the warm one. */
  path(month: string, folder = this.#options.folder): string {
    return join(folder, `operations-${month}.db`);
  }

  /** Opens or creates a file that is not cached. */
  openUncached(path: string): LogFile {
    return LogFile.open(path, this.#options);
  }

  /** Closes a file, so that it can be removed. */
  release(path: string): void {
    this.#open.get(path)?.close();
    this.#open.delete(path);
  }

  close(): void {
    for (const path of [...this.#open.keys()]) this.release(path);
  }

  #file({ month, cold_path: coldPath }: FileRow): LogFile {
    const path = coldPath ?? this.path(month);
    if (!this.#open.has(path) && !existsSync(path))
      throw new AirdeskError('database_unavailable', `The file with the operations of ${month} is missing: ${path}`);
    return this.#cached(path);
  }

  #cached(path: string): LogFile {
    const file = this.#open.get(path) ?? LogFile.open(path, this.#options);
    this.#open.delete(path);
    this.#open.set(path, file);
    for (const [oldest] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.release(oldest);
    }
    return file;
  }
}

/** Month of a time in UTC, as `YYYY-MM`. */
export function monthOf(timeMs: number): string {
  const time = new Date(Math.min(timeMs, LAST_MS));
  return `${String(time.getUTCFullYear()).padStart(4, '0')}-${String(time.getUTCMonth() + 1).padStart(2, '0')}`;
}
const LAST_MS = Date.UTC(9999, 0);

/** First id after a month. @param month as `YYYY-MM` */
export function firstIdAfter(month: string): bigint {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return firstIdOf(Date.UTC(year, number, 1));
}
