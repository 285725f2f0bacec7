import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { PersonRepository } from './person-repository.ts';
import { AIRDESK_SCHEMA } from './schemas/airdesk.ts';

const ANNA = {
  login: 'anna',
  name: 'Anna Example',
  role: 'operator',
  passwordHash: '$scrypt$…',
  isDisabled: false,
  createdMs: 1000,
  createdBy: 'admin',
  passwordMs: 2000,
  prefixes: ['field', 'studio/left'],
};

it('PersonRepository stores, replaces and removes people', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  const people = new PersonRepository(connection);
  people.save({ ...ANNA, login: 'zoe' });
  people.save(ANNA);
  expect(new PersonRepository(connection).all()).toEqual([ANNA, { ...ANNA, login: 'zoe' }]);
  people.save({ ...ANNA, role: 'clerk', isDisabled: true });
  people.remove('zoe');
  people.remove('nobody');
  expect(people.all()).toEqual([{ ...ANNA, role: 'clerk', isDisabled: true }]);
});

it('a migration adds the table of people to a database without it, and keeps the sessions', () => {
  const connection = new Sqlite(':memory:');
  connection.exec(`CREATE TABLE desk_session (id TEXT NOT NULL PRIMARY KEY, login TEXT NOT NULL, proofs TEXT NOT NULL,
    used_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID; INSERT INTO desk_session VALUES ('a', 'boss', 'p1', 7)`);
  connection.pragma(`user_version = ${AIRDESK_SCHEMA.version - 4}`);
  migrate(connection);
  const fresh = new Sqlite(':memory:');
  migrate(fresh);
  const columns = (one: Sqlite.Database): unknown[] =>
    ['person', 'desk_session'].map((table) => one.pragma(`table_info(${table})`));
  expect(columns(connection)).toEqual(columns(fresh));
  new PersonRepository(connection).save(ANNA);
  expect(connection.prepare('SELECT id, login, used_ms, address FROM desk_session').all()).toEqual([
    { id: 'a', login: 'boss', used_ms: 7, address: '' },
  ]);
});

it('keeps the people of a database without streams of people: they see all streams', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  new PersonRepository(connection).save(ANNA);
  connection.exec('ALTER TABLE person DROP COLUMN prefixes; DROP TABLE push_transmission');
  connection.pragma(`user_version = ${AIRDESK_SCHEMA.version - 3}`);
  migrate(connection);
  expect(new PersonRepository(connection).all()).toEqual([{ ...ANNA, prefixes: [] }]);
});
