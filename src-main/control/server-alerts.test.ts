import { describe, expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { ConfigurationHistory } from '../configuration/configuration-history.ts';
import { DiskWatch, serverAlerts, type DiskPort } from './server-alerts.ts';

const WELL = { configuration: { error: null }, disk: null, database: null, history: null };
const VERSION = {
  parentId: null,
  atMs: 0,
  who: 'test',
  fromWhere: 'test',
  summary: '',
  changes: null,
  state: 'confirmed',
  confirmByMs: null,
  isOnDisk: true,
} as const;

describe('server alerts', () => {
  it('are empty without faults, and contain one alert per fault', () => {
    expect(serverAlerts(WELL)).toEqual({});
    expect(
      Object.keys(
        serverAlerts({
          configuration: { error: 'line 3' },
          disk: { fault: 'disk_full', facts: { free_mib: 1 } },
          database: 'locked',
          history: 'off',
        }),
      ),
    ).toEqual(['configuration', 'disk', 'database', 'history']);
  });

  it('report a disk that is full, and no fault when it is writable again', async () => {
    const clock = new FakeClock();
    let free = 1_000_000_000;
    let checks = 0;
    let isReadOnly = false;
    const port: DiskPort = {
      access: () => (isReadOnly ? Promise.reject(new Error('EROFS: read-only file system')) : Promise.resolve()),
      statfs: () => {
        checks++;
        return Promise.resolve({ bavail: free / 1000, bsize: 1000, blocks: 2_000_000 });
      },
    };
    const disk = new DiskWatch('/data', clock, port);
    await disk.start();
    expect(disk.fault).toBeNull();
    expect(disk.space).toEqual({ folder: '/data', freeBytes: 1_000_000_000, totalBytes: 2_000_000_000 });
    free = 1_000_000;
    clock.advance(30_000);
    await until('the fault of the full disk', () => (disk.fault === null ? undefined : disk.fault), 30_000);
    expect(disk.fault).toEqual({ fault: 'disk_full', facts: { free_mib: 0 } });
    isReadOnly = true;
    clock.advance(30_000);
    await until(
      'the fault of the read-only disk',
      () => (disk.fault?.fault === 'disk_unwritable' ? disk.fault : undefined),
      30_000,
    );
    isReadOnly = false;
    free = 1_000_000_000;
    clock.advance(30_000);
    await until('the end of the fault', () => (disk.fault === null ? true : undefined), 30_000);
    disk.close();
    const before = checks;
    clock.advance(300_000);
    expect(checks).toBe(before);
  });

  it('report a configuration history that is off, or that fails and recovers', async () => {
    expect(new ConfigurationHistory(undefined, silentLog).fault).not.toBeNull();
    let isFull = true;
    const history = new ConfigurationHistory(
      {
        reader: {
          list: () => [],
          get: () => undefined,
          newestConfirmed: () => undefined,
          text: () => Promise.resolve(''),
        },
        writer: {
          add: () => (isFull ? Promise.reject(new Error('database or disk is full')) : Promise.resolve(1)),
          settle: () => undefined,
          remove: () => undefined,
        },
      },
      silentLog,
    );
    expect(history.fault).toBeNull();
    expect([await history.add(VERSION, ''), history.fault]).toEqual([null, 'database or disk is full']);
    isFull = false;
    expect([await history.add(VERSION, ''), history.fault]).toEqual([1, null]);
  });
});
