import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { timeInFileName } from '../lib/clock.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { AIRDESK_SCHEMA } from './schemas/airdesk.ts';
import type { Schema } from './schemas/schema.ts';

/** Options for opening a database. */
export interface DatabaseOptions {
  readonly log: Log;
  /** Epoch milliseconds; used in the names of files that are moved aside. */
  readonly now: () => number;
  /** Tables of the database. Default: the tables of `airdesk.db`. */
  readonly schema?: Schema;
  /**
   * Kind of content; default `standard`. `standard`: the file is checked when it is opened; commits of the last
   * moments may be lost in a power failure; a damaged file is moved aside. `rebuildable`: the file is not checked,
   * because that takes long for a large file; commits do not wait for the disk; a damaged file is removed. `record`:
   * the content proves what happened, so each commit waits for the disk; the file is not checked; a damaged file
   * stays and is refused with `database_unavailable`.
   */
  readonly content?: 'standard' | 'rebuildable' | 'record';
}

/** Connection to SQLite, for the repositories of this folder. */
export type Connection = Sqlite.Database;

/** Time that a statement waits for another process with a lock on the file, such as a backup, in milliseconds. */
const BUSY_TIMEOUT_MS = 2000;
/** Suffixes of all files of a database. */
const COMPANIONS = ['', '-wal', '-shm'] as const;
/** Durability of a commit by the kind of content. */
const SYNCHRONOUS = { standard: 'NORMAL', rebuildable: 'OFF', record: 'FULL' } as const;

/** Database of the server. */
export class Database {
  readonly connection: Connection;
  /** Path of the damaged predecessor if this database replaces one; null otherwise. */
  readonly movedAside: string | null;
  /** Whether this opening created the tables: the file was missing, empty or damaged. */
  readonly isNew: boolean;

  private constructor({ connection, isNew }: OpenedFile, movedAside: string | null) {
    this.connection = connection;
    this.isNew = isNew;
    this.movedAside = movedAside;
  }

  /**
   * Opens the file, creates it if necessary, and migrates its tables. `:memory:` opens a database that lasts until it is closed.
   * Raises `database_too_new` for a file of a newer Airdesk, which stays unchanged, and `database_unavailable`. A damaged file is
   * moved aside.
   */
  static open(path: string, options: DatabaseOptions): Database {
    try {
      return new Database(connect(path, options), null);
    } catch (cause) {
      if (!isDamage(cause) || options.content === 'record') throw asError(path, cause);
    }
    const aside = options.content === 'rebuildable' ? null : moveAside(path, options.now());
    if (aside === null) removeDatabase(path);
    options.log.error('the database was damaged; a new one was created', { path, aside });
    try {
      return new Database(connect(path, options), aside);
    } catch (cause) {
      throw asError(path, cause);
    }
  }

  /** Closes the connection. After that, all writes are on the disk. */
  close(): void {
    this.connection.close();
  }
}

interface OpenedFile {
  readonly connection: Connection;
  readonly isNew: boolean;
}

/** Removes a database file with its companions. */
export function removeDatabase(path: string): void {
  for (const companion of COMPANIONS) rmSync(path + companion, { force: true });
}

/** Creates or migrates the tables of a connection, all or none. @returns whether it created the tables */
export function migrate(
  connection: Connection,
  { version: newest, sql, migrations }: Schema = AIRDESK_SCHEMA,
): boolean {
  const version = Number(connection.pragma('user_version', { simple: true }));
  const oldest = newest - migrations.length;
  if (version > newest) {
    throw new AirdeskError(
      'database_too_new',
      `The database has version ${version}, and this Airdesk supports versions up to ${newest}`,
      { version, newest },
    );
  }
  // Tables of older versions were never released.
  if (version > 0 && version < oldest)
    throw new AirdeskError(
      'database_too_old',
      `The database has version ${version}, and this Airdesk reads version ${oldest} and later`,
      { version, oldest },
    );
  connection.transaction(() => {
    if (version === 0) connection.exec(sql);
    else for (const migration of migrations.slice(version - oldest)) connection.exec(migration.sql);
    connection.pragma(`user_version = ${newest}`);
  })();
  return version === 0;
}

function connect(path: string, { schema, content = 'standard' }: DatabaseOptions): OpenedFile {
  // SQLite would create the file with the default permissions of the process, but the file contains passwords.
  if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const connection = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    connection.pragma('journal_mode = WAL');
    connection.pragma(`synchronous = ${SYNCHRONOUS[content]}`);
    connection.pragma('foreign_keys = ON');
    const opened = { connection, isNew: migrate(connection, schema) };
    if (content !== 'standard') return opened;
    const state = connection.pragma('quick_check(1)', { simple: true });
    if (state !== 'ok') throw new DamagedDatabase(String(state));
    return opened;
  } catch (cause) {
    connection.close();
    throw cause;
  }
}

/** Damage found by the check; caught in this file. */
class DamagedDatabase extends Error {}

/** Whether an error of SQLite reports a damaged file. */
export function isDamage(cause: unknown): boolean {
  return (
    cause instanceof DamagedDatabase ||
    (cause instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(cause.code))
  );
}

function asError(path: string, cause: unknown): AirdeskError {
  if (cause instanceof AirdeskError) return cause;
  return new AirdeskError('database_unavailable', `${path} cannot be opened: ${messageOf(cause)}`, { path }, { cause });
}

function moveAside(path: string, nowMs: number): string {
  const time = timeInFileName(nowMs);
  const aside = `${path}.damaged-${time}`;
  for (const companion of COMPANIONS) if (existsSync(path + companion)) renameSync(path + companion, aside + companion);
  return aside;
}
