import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { KeptExportJobs } from './kept-export-jobs.ts';
import { MIGRATIONS } from './migrations.ts';

it('keeps jobs in the order of their coming, however often they change', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection, MIGRATIONS.slice(0, 4));
  migrate(connection);
  const jobs = new KeptExportJobs(connection);
  jobs.put('b', '{"n":1}');
  jobs.put('a', '{"n":2}');
  jobs.put('b', '{"n":3}');
  expect(new KeptExportJobs(connection).all()).toEqual(['{"n":3}', '{"n":2}']);
  jobs.remove('b');
  jobs.remove('none');
  expect(jobs.all()).toEqual(['{"n":2}']);
});
