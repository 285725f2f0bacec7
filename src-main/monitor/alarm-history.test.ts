import { expect, it } from 'vitest';
import type { AlarmObject } from '../../src-preload/contract/api/alarm-object.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { AlarmHistory } from './alarm-history.ts';

const ALARM: AlarmObject = {
  id: 'n1',
  name: null,
  alarm: 'disk',
  severity: 'critical',
  detail: 'full',
  fault: 'disk_full',
  facts: {},
  raised_at: 0,
  cleared_at: null,
  acknowledged_at: null,
  acknowledged_by: null,
  note: null,
  shelved_until: null,
};

it('AlarmHistory reports a full disk once, and writes the queued rows when there is space again', () => {
  const clock = new FakeClock();
  const written: AlarmObject[] = [];
  const failures: unknown[] = [];
  const full = new Error('database or disk is full');
  let isFull = true;
  const history = new AlarmHistory({
    clock,
    store: {
      write(rows) {
        if (isFull) throw full;
        written.push(...rows);
      },
      rows: () => [],
      count: () => 0,
      open: () => [],
      endServerAlarms: () => undefined,
      shelved: () => new Map(),
      shelve: () => undefined,
      removeBefore: () => 0,
    },
    failed: (error) => failures.push(error),
  });
  history.keep(ALARM);
  for (let turn = 0; turn < 100; turn++) clock.advance(250);
  expect(failures).toEqual([full]);
  isFull = false;
  clock.advance(250);
  expect(written).toEqual([ALARM]);
  // Only the removal of old rows: nothing wakes the thread while no row is queued.
  expect(clock.timerCount).toBe(1);
  isFull = true;
  history.keep(ALARM);
  clock.advance(250);
  expect(failures).toEqual([full, full]);
  history.close();
  expect(clock.timerCount).toBe(0);
});
