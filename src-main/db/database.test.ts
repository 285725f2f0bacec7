import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog, type Log } from '../lib/log.ts';
import { Database, migrate } from './database.ts';
import { AIRDESK_SCHEMA } from './schemas/airdesk.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 4, 5, 6, 7);
let folder = '';
let path = '';
const errors: string[] = [];
const log: Log = { ...silentLog, error: (message) => errors.push(message) };
const options = { log, now: () => NOW_MS };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-db-'));
  path = join(folder, 'airdesk.db');
  errors.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('Database', () => {
  it('creates a file that only its owner can read, with the current tables, and opens it again', () => {
    for (let round = 0; round < 2; round++) {
      const database = Database.open(path, options);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(database.connection.pragma('user_version', { simple: true })).toBe(AIRDESK_SCHEMA.version);
      expect(database.connection.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(database.connection.pragma('synchronous', { simple: true })).toBe(1);
      expect(database.movedAside).toBeNull();
      database.close();
    }
  });

  it('has strict tables only', () => {
    const { connection } = Database.open(':memory:', options);
    const tables = connection
      .prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'")
      .all();
    expect(tables).not.toEqual([]);
    expect(tables.filter((table) => (table as { strict: number }).strict !== 1)).toEqual([]);
  });

  it('refuses a file of a newer version, and leaves it unchanged', () => {
    const newer = new Sqlite(path);
    newer.exec('CREATE TABLE future (a TEXT)');
    newer.pragma('user_version = 999');
    newer.close();
    expect(() => Database.open(path, options)).toThrow(
      expect.objectContaining({ code: 'database_too_new', details: { version: 999, newest: AIRDESK_SCHEMA.version } }),
    );
    const again = new Sqlite(path);
    expect(again.pragma('user_version', { simple: true })).toBe(999);
    again.close();
    expect(readdirSync(folder)).toEqual(['airdesk.db']);
  });

  it('refuses a file of a version before the first release, and leaves it unchanged', () => {
    const older = new Sqlite(path);
    older.exec('CREATE TABLE past (a TEXT)');
    older.pragma('user_version = 3');
    older.close();
    expect(() => Database.open(path, options)).toThrow(
      expect.objectContaining({
        code: 'database_too_old',
        details: { version: 3, oldest: AIRDESK_SCHEMA.version - AIRDESK_SCHEMA.migrations.length },
      }),
    );
    expect(readdirSync(folder)).toEqual(['airdesk.db']);
  });

  it.each([
    ['no database at all', (): void => writeFileSync(path, 'this is a text\n'.repeat(1000))],
    ['torn', tear],
  ])('moves a file aside and replaces it if it is %s', (_, damage) => {
    damage();
    const database = Database.open(path, options);
    expect(database.movedAside).toBe(`${path}.damaged-2026-11-21T04-05-06-007Z`);
    expect(database.connection.pragma('user_version', { simple: true })).toBe(AIRDESK_SCHEMA.version);
    expect(errors).toHaveLength(1);
    database.close();
    expect(readdirSync(folder)).toContain('airdesk.db.damaged-2026-11-21T04-05-06-007Z');
  });

  it('removes a damaged file with rebuildable content, and does not wait for the disk', () => {
    writeFileSync(path, 'this is a text\n'.repeat(1000));
    const database = Database.open(path, { ...options, content: 'rebuildable' });
    expect(database.movedAside).toBeNull();
    expect(database.connection.pragma('synchronous', { simple: true })).toBe(0);
    expect(errors).toHaveLength(1);
    database.close();
    expect(readdirSync(folder)).toEqual(['airdesk.db']);
  });

  it('reports a file that cannot be opened', () => {
    expect(() => Database.open(join(folder, 'nowhere', 'airdesk.db'), options)).toThrow(
      expect.objectContaining({ code: 'database_unavailable' }),
    );
  });

  function tear(): void {
    const database = Database.open(path, options);
    database.connection.exec(
      'CREATE TABLE big (a TEXT); INSERT INTO big SELECT hex(randomblob(500)) FROM generate_series(1, 200)'.replace(
        'generate_series(1, 200)',
        '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i FROM n)',
      ),
    );
    database.connection.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const size = statSync(path).size;
    const torn = new Sqlite(path).serialize();
    torn.fill(0x5a, 8192, size - 4096);
    writeFileSync(path, torn);
  }
});

describe('a migration', () => {
  /** First version of the tables. */
  const first = { version: 3, sql: 'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1);', migrations: [] };
  const added = { name: 'added', sql: 'ALTER TABLE a ADD COLUMN y INTEGER NOT NULL DEFAULT 7;' };
  const raised = { name: 'raised', sql: 'UPDATE a SET y = y + 1;' };
  const sql = 'CREATE TABLE a (x INTEGER, y INTEGER NOT NULL) STRICT; INSERT INTO a VALUES (1, 9);';
  const second = { version: 4, sql, migrations: [added] };
  const third = { version: 5, sql, migrations: [added, raised] };

  it('runs once, in order, and keeps the rows', () => {
    const connection = new Sqlite(':memory:');
    expect(migrate(connection, first)).toBe(true);
    expect(migrate(connection, second)).toBe(false);
    migrate(connection, third);
    migrate(connection, third);
    expect(connection.pragma('user_version', { simple: true })).toBe(5);
    expect(connection.prepare('SELECT x, y FROM a').all()).toEqual([{ x: 1, y: 8 }]);
  });

  it('does not run in a new file, which has the current tables', () => {
    const connection = new Sqlite(':memory:');
    expect(migrate(connection, third)).toBe(true);
    expect(connection.pragma('user_version', { simple: true })).toBe(5);
    expect(connection.prepare('SELECT x, y FROM a').all()).toEqual([{ x: 1, y: 9 }]);
  });

  it('that fails leaves the database unchanged', () => {
    const connection = new Sqlite(':memory:');
    migrate(connection, first);
    const good = { name: 'good', sql: 'CREATE TABLE b (x INTEGER) STRICT;' };
    const bad = { name: 'bad', sql: 'no sql' };
    expect(() => migrate(connection, { ...third, migrations: [good, bad] })).toThrow();
    expect(connection.pragma('user_version', { simple: true })).toBe(3);
    expect(connection.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'b'").get()).toEqual({ n: 0 });
  });
});
