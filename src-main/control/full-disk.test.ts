import { expect, it } from 'vitest';
import { Database } from '../db/database.ts';
import { LockRepository } from '../db/lock-repository.ts';
import { silentLog } from '../lib/log.ts';
import { fullDiskError } from './full-disk.ts';

it('fullDiskError returns disk_full for a full database', () => {
  const { connection } = Database.open(':memory:', { log: silentLog, now: () => 0 });
  connection.pragma(`max_page_count = ${Number(connection.pragma('page_count', { simple: true })) + 1}`);
  const locks = new LockRepository(connection);
  const fill = (): void => {
    for (let at = 0; at < 1000; at++)
      locks.change('cam', [], [{ startMs: at * 10, endMs: at * 10 + 5, note: 'x'.repeat(500), by: '', atMs: 0 }]);
  };
  let raised: unknown;
  try {
    fill();
  } catch (error) {
    raised = error;
  }
  expect(fullDiskError(raised)).toMatchObject({ code: 'disk_full' });
});

it.each([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['SQLITE_IOERR_WRITE', 'unavailable'],
  ['SQLITE_READONLY', 'unavailable'],
  ['EROFS', 'unavailable'],
  ['SQLITE_CONSTRAINT', undefined],
])('fullDiskError reports %s as %s', (code, expected) => {
  expect(fullDiskError(Object.assign(new Error('x'), { code }))?.code).toBe(expected);
});
