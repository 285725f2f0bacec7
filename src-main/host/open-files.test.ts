import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { until } from '../../tests/helpers/until.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { OpenFilesWatch } from './open-files.ts';

describe('OpenFilesWatch', () => {
  it('reports once that few handles are left, and once that enough are free again', async () => {
    const clock = new FakeClock();
    const logged: string[] = [];
    const note = (message: string): void => void logged.push(message);
    const log: Log = { ...silentLog, error: note, info: note };
    let count = 10;
    let checks = 0;
    const port = {
      count: () => {
        checks++;
        return Promise.resolve(count);
      },
      limit: () => Promise.resolve(100),
    };
    const watch = new OpenFilesWatch({ clock, log, port });
    await watch.start();
    expect([watch.fault, logged]).toEqual([null, []]);
    count = 95;
    clock.advance(5000);
    await until('the fault', () => watch.fault !== null, 30_000);
    expect(watch.fault).toContain('95 of 100');
    for (const count of [3, 4]) {
      await until('another check', () => (clock.advance(5000), checks >= count), 30_000);
    }
    expect(logged).toHaveLength(1);
    count = 20;
    await until('the end of the fault', () => (clock.advance(5000), watch.fault === null), 30_000);
    expect(logged).toHaveLength(2);
    watch.close();
  });

  it('reads the figures of this system, and reports no fault without them', async () => {
    const watch = new OpenFilesWatch({ clock: new FakeClock(), log: silentLog });
    await watch.start();
    expect(watch.fault).toBeNull();
    watch.close();
    const none = {
      count: () => Promise.reject(Object.assign(new Error('no'), { code: 'EMFILE' })),
      limit: () => Promise.resolve(0),
    };
    const full = new OpenFilesWatch({ clock: new FakeClock(), log: silentLog, port: none });
    await full.start();
    expect(full.fault).toContain('no file handle is left');
    full.close();
    const port = { count: () => Promise.reject(new Error('ENOENT')), limit: () => Promise.resolve(0) };
    const blind = new OpenFilesWatch({ clock: new FakeClock(), log: silentLog, port });
    await blind.start();
    expect(blind.fault).toBeNull();
  });
});
