import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { WallRepository } from './wall-repository.ts';

it('WallRepository lists walls in the order of their creation, even if they change later', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  const walls = new WallRepository(connection);
  walls.put(new Map([['b', '{"n":1}']]));
  walls.put(
    new Map([
      ['a', '{"n":2}'],
      ['b', '{"n":3}'],
    ]),
  );
  expect(new WallRepository(connection).all()).toEqual(['{"n":3}', '{"n":2}']);
  walls.remove('b');
  walls.remove('none');
  expect(walls.all()).toEqual(['{"n":2}']);
});
