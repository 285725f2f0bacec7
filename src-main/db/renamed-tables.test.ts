import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { SUBSCRIBERS_SCHEMA } from './schemas/subscribers.ts';

it('a migration renames the table kept_write of subscribers.db and keeps its rows', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection, SUBSCRIBERS_SCHEMA);
  const tables = (): unknown[] =>
    connection.prepare('SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name').all();
  const current = tables();
  connection.exec(`ALTER TABLE write_result RENAME TO kept_write; DROP INDEX write_result_until;
    CREATE INDEX kept_write_until ON kept_write (until_ms); INSERT INTO kept_write VALUES (1, 'key', 'print', 7, 'result')`);
  connection.pragma('user_version = 12');
  migrate(connection, SUBSCRIBERS_SCHEMA);
  expect(tables()).toEqual(current);
  expect(connection.prepare('SELECT key, until_ms FROM write_result').all()).toEqual([{ key: 'key', until_ms: 7 }]);
});
