import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { Database } from './database.ts';
import { BanRepository } from './ban-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-bans-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const aBan = (value: string, bannedMs: number, untilMs: number) => ({
  id: `user:${value}`,
  kind: 'user' as const,
  value,
  bannedMs,
  untilMs,
  who: 'pat',
  reason: 'shared his token',
});
function withBans<T>(use: (bans: BanRepository) => T): T {
  const database = Database.open(join(folder, 'airdesk.db'), { log: silentLog, now: () => 0 });
  try {
    return use(new BanRepository(database.connection));
  } finally {
    database.close();
  }
}

it('BanRepository stores active bans across a restart, without duplicates, and removes ended ones', () => {
  withBans((bans) => {
    bans.put(aBan('a', 10, 100));
    bans.put(aBan('b', 20, 1000));
    bans.put(aBan('c', 30, 1000));
    bans.put({ ...aBan('b', 40, 900), reason: '' });
    bans.remove('user:c');
    bans.remove('user:none');
  });
  withBans((bans) => {
    expect(bans.list(99)).toEqual([aBan('a', 10, 100), { ...aBan('b', 40, 900), reason: '' }]);
    expect(bans.list(100).map(({ id }) => id)).toEqual(['user:b']);
    bans.put(aBan('d', 200, 300));
    expect(bans.list(0).map(({ id }) => id)).toEqual(['user:b', 'user:d']);
  });
});
