import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { LockRepository } from './lock-repository.ts';

it('LockRepository stores locks by stream and start, and changes all of them or none', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  const locks = new LockRepository(connection);
  const lock = { startMs: 1, endMs: 5, note: 'a\nb', by: 'north', atMs: 9 };
  locks.change('b', [], [lock, { ...lock, startMs: 7, endMs: 8 }]);
  locks.change('a', [], [lock]);
  locks.change('b', [1], [{ ...lock, startMs: 2 }]);
  const found = [...locks.all()];
  expect(found).toEqual([
    { stream: 'a', ...lock },
    { stream: 'b', ...lock, startMs: 2 },
    { stream: 'b', ...lock, startMs: 7, endMs: 8 },
  ]);
  expect(() => {
    locks.change('b', [2, 7], [lock, { ...lock, startMs: 9, endMs: 9 }]);
  }).toThrow();
  expect([...locks.all()]).toEqual(found);
});
