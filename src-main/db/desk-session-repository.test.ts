import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { DeskSessionRepository } from './desk-session-repository.ts';

it('DeskSessionRepository stores sessions of desks, and removes ended ones', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  const one = {
    login: 'boss',
    proofs: ['p1', 'p2'],
    usedMs: 1000,
    startedMs: 900,
    address: '192.0.2.1',
    agent: 'Browser',
  };
  new DeskSessionRepository(connection).save(
    new Map([
      ['a', one],
      ['b', { ...one, login: '' }],
    ]),
  );
  const sessions = new DeskSessionRepository(connection);
  expect([...sessions.all()]).toEqual([
    ['a', one],
    ['b', { ...one, login: '' }],
  ]);
  sessions.save(
    new Map([
      ['a', { ...one, usedMs: 2000 }],
      ['b', null],
    ]),
  );
  expect([...sessions.all()]).toEqual([['a', { ...one, usedMs: 2000 }]]);
});
