import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { firstIdOf, timeOfId } from '../../../subscribers/snowflake.ts';
import type { Connection } from '../../database.ts';
import type { Bounds } from './operation-index.ts';
import { LogFile } from './log-file.ts';

/** Where the files of older operations lie. */
export interface LogFilesOptions {
  readonly log: Log;
  readonly now: () => number;
  /** Folder of the months that are asked for now and then; made when it is needed. */
  readonly folder: string;
}

/** Files that stay open. */
const KEPT_OPEN = 32;

interface FileRow {
  readonly month: string;
  /** Where it lies for years; null while it lies in the folder. */
  readonly cold_path: string | null;
}

/** The files of operations that were moved out of the database, one a month in UTC. Which there are is in the database: one that is missing is an error, not an empty month. */
export class LogFiles {
  readonly #connection: Connection;
  readonly #options: LogFilesOptions;
  /** By path, the one that was used last at the end. */
  readonly #open = new Map<string, LogFile>();

  constructor(connection: Connection, options: LogFilesOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** The files that may have ids between two, oldest first; each is opened when it is taken. Raises `database_unavailable`. */
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

  /** The file of a month that operations are moved to, wherever it lies. */
  toFill(month: string): LogFile {
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    const known = this.#connection.prepare<[string], FileRow>('SELECT * FROM log_file WHERE month = ?').get(month);
    if (known) return this.#file(known);
    const made = this.#take(this.path(month));
    this.#connection.prepare('INSERT INTO log_file (month) VALUES (?)').run(month);
    return made;
  }

  /** The oldest month that is not cold and ends before a time; undefined for none. */
  oldestWarm(beforeMs: number): string | undefined {
    return this.#connection
      .prepare<[string], string>(
        'SELECT month FROM log_file WHERE cold_path IS NULL AND month < ? ORDER BY month LIMIT 1',
      )
      .pluck()
      .get(monthOf(beforeMs));
  }

  /** Notes where a month lies for years. */
  setCold(month: string, path: string): void {
    this.#connection.prepare('UPDATE log_file SET cold_path = ? WHERE month = ?').run(path, month);
  }

  /** Path of the file of a month in a folder; default the one of those that are asked for now and then. */
  path(month: string, folder = this.#options.folder): string {
    return join(folder, `operations-${month}.db`);
  }

  /** Opens a file that is there or not, beside those that are read. */
  openApart(path: string): LogFile {
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
      throw new AirdeskError('database_unavailable', `The operations of ${month} are not there: ${path}`);
    return this.#take(path);
  }

  #take(path: string): LogFile {
    const file = this.#open.get(path) ?? LogFile.open(path, this.#options);
    this.#open.delete(path);
    this.#open.set(path, file);
    for (const [oldest] of this.#open) {
      if (this.#open.size <= KEPT_OPEN) break;
      this.release(oldest);
    }
    return file;
  }
}

/** The month of a time in UTC, as `YYYY-MM`. */
export function monthOf(timeMs: number): string {
  const time = new Date(Math.min(timeMs, LAST_MS));
  return `${String(time.getUTCFullYear()).padStart(4, '0')}-${String(time.getUTCMonth() + 1).padStart(2, '0')}`;
}
const LAST_MS = Date.UTC(9999, 0);

/** The first id behind a month. @param month as `YYYY-MM` */
export function firstIdBehind(month: string): bigint {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return firstIdOf(Date.UTC(year, number, 1));
}
