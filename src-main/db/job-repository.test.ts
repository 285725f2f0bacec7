import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { JobRepository } from './job-repository.ts';

it.each(['export_job', 'clip_job', 'operation_export_job'] as const)(
  'JobRepository lists jobs of %s in the order of their creation, even if they change later',
  (table) => {
    const connection = new Sqlite(':memory:');
    migrate(connection);
    const jobs = new JobRepository(connection, table);
    jobs.put('b', '{"n":1}');
    jobs.put('a', '{"n":2}');
    jobs.put('b', '{"n":3}');
    expect(new JobRepository(connection, table).all()).toEqual(['{"n":3}', '{"n":2}']);
    jobs.remove('b');
    jobs.remove('none');
    expect(jobs.all()).toEqual(['{"n":2}']);
  },
);
