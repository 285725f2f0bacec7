import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { timeInFileName } from '../lib/clock.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { AIRDESK_SCHEMA } from './schemas/airdesk.ts';
import type { Schema } from './schemas/schema.ts';

/** How a database is opened. */
export interface DatabaseOptions {
  readonly log: Log;
  /** Epoch milliseconds; names what is moved aside. */
  readonly now: () => number;
  /** Default: that of `airdesk.db`. */
  readonly schema?: Schema;
  /**
   * What its content is; default `kept`: it is checked when it is opened, commits of the last moment may be lost with the power, and a damaged one is moved
   * aside. `remade` can be made again from elsewhere: it is not checked, which takes long for a large one, nothing waits until the disk has it, and a
   * damaged one is removed. `record` proves what happened: each commit waits until the disk has it, the whole is not checked, and a damaged one stays where
   * it is and is refused with `database_unavailable`.
   */
  readonly content?: 'kept' | 'remade' | 'record';
}

/** A connection to SQLite, for the repositories of this room. */
export type Connection = Sqlite.Database;

/** How long a statement waits for another process that holds the file, such as a backup. */
const BUSY_TIMEOUT_MS = 2000;
/** What belongs to a database file, besides itself. */
const COMPANIONS = ['', '-wal', '-shm'] as const;
/** How far a commit goes before it is done, by what the content is. */
const SYNCHRONOUS = { kept: 'NORMAL', remade: 'OFF', record: 'FULL' } as const;

/** The database of the server. */
export class Database {
  readonly connection: Connection;
  /** Where the damaged predecessor went when this one had to be made anew; null otherwise. */
  readonly movedAside: string | null;
  /** Whether its tables were made by this opening: the file was missing, empty or damaged. */
  readonly isNew: boolean;

  private constructor({ connection, isNew }: OpenedFile, movedAside: string | null) {
    this.connection = connection;
    this.isNew = isNew;
    this.movedAside = movedAside;
  }

  /**
   * Opens the file, makes it where it is not there, and brings its tables up to date. `:memory:` opens one that lasts until it is closed.
   *
   * Raises `database_too_new` for a file of a newer Airdesk, which stays as it is, and `database_unavailable`. A damaged file is moved aside.
   */
  static open(path: string, options: DatabaseOptions): Database {
    try {
      return new Database(connect(path, options), null);
    } catch (cause) {
      if (!isDamage(cause) || options.content === 'record') throw asError(path, cause);
    }
    const aside = options.content === 'remade' ? null : moveAside(path, options.now());
    if (aside === null) removeDatabase(path);
    options.log.error('the database was damaged; a new one was created', { path, aside });
    try {
      return new Database(connect(path, options), aside);
    } catch (cause) {
      throw asError(path, cause);
    }
  }

  /** Ends the connection; what was written is on the disk then. */
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

/** Brings the tables of a connection up to date; all or nothing. @returns whether there were none */
export function migrate(connection: Connection, { version: first, sql, migrations }: Schema = AIRDESK_SCHEMA): boolean {
  const version = Number(connection.pragma('user_version', { simple: true }));
  const newest = first + migrations.length;
  if (version > newest) {
    throw new AirdeskError(
      'database_too_new',
      `The database has version ${version}, and this Airdesk knows versions up to ${newest}`,
      { version, newest },
    );
  }
  // Versions below the first one were never released.
  if (version > 0 && version < first)
    throw new AirdeskError(
      'database_too_old',
      `The database has version ${version}, and this Airdesk reads version ${first} and later`,
      { version, oldest: first },
    );
  connection.transaction(() => {
    if (version === 0) connection.exec(sql);
    for (const migration of migrations.slice(Math.max(0, version - first))) connection.exec(migration.sql);
    connection.pragma(`user_version = ${newest}`);
  })();
  return version === 0;
}

function connect(path: string, { schema, content = 'kept' }: DatabaseOptions): OpenedFile {
  // SQLite makes files with the rights that the process gives by default; there are passwords in this one.
  if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const connection = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    connection.pragma('journal_mode = WAL');
    connection.pragma(`synchronous = ${SYNCHRONOUS[content]}`);
    connection.pragma('foreign_keys = ON');
    const opened = { connection, isNew: migrate(connection, schema) };
    if (content !== 'kept') return opened;
    const state = connection.pragma('quick_check(1)', { simple: true });
    if (state !== 'ok') throw new DamagedDatabase(String(state));
    return opened;
  } catch (cause) {
    connection.close();
    throw cause;
  }
}

/** What the check of a file found; caught in this file. */
class DamagedDatabase extends Error {}

/** Whether SQLite says that the file is damaged. */
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
