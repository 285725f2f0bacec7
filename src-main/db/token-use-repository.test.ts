import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { TokenUseRepository } from './token-use-repository.ts';

it('TokenUseRepository stores the last use of tokens, and removes deleted tokens', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  new TokenUseRepository(connection).save(
    new Map([
      ['a', 1000],
      ['b', 2000],
    ]),
  );
  const uses = new TokenUseRepository(connection);
  expect([...uses.all()]).toEqual([
    ['a', 1000],
    ['b', 2000],
  ]);
  uses.save(
    new Map([
      ['a', 3000],
      ['b', null],
    ]),
  );
  expect([...uses.all()]).toEqual([['a', 3000]]);
});
