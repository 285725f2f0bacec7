import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlarmObject } from '../../src-preload/contract/api/alarm-object.ts';
import { silentLog } from '../lib/log.ts';
import { Database } from './database.ts';
import { AlarmRepository } from './alarm-repository.ts';

let database: Database;
let alarms: AlarmRepository;

beforeEach(() => {
  database = Database.open(':memory:', { log: silentLog, now: () => 0 });
  alarms = new AlarmRepository(database.connection);
});
afterEach(() => {
  database.close();
});

function row(id: string, raisedMs: number, more: Partial<AlarmObject> = {}): AlarmObject {
  return {
    id,
    name: 'cam',
    alarm: 'no_input',
    severity: 'critical',
    detail: 'none',
    fault: 'no_frames',
    facts: { value: 1 },
    raised_at: raisedMs,
    cleared_at: null,
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
    shelved_until: null,
    ...more,
  };
}

const ALL = { conditions: [], isDescending: true, limit: 10 } as const;

describe('AlarmRepository', () => {
  it('stores the latest state of each alarm, newest first', () => {
    alarms.write([row('a', 1), row('b', 2, { name: null, alarm: 'disk' })]);
    alarms.write([row('a', 1, { cleared_at: 5, note: 'cable' })]);
    expect(alarms.rows(ALL).map(({ id, note }) => [id, note])).toEqual([
      ['b', null],
      ['a', 'cable'],
    ]);
    expect(alarms.rows({ ...ALL, conditions: [{ field: 'name', operator: 'is', values: [] }] })).toHaveLength(1);
    expect(alarms.count([{ field: 'alarm', operator: 'in', values: ['no_input'] }])).toBe(1);
  });

  it('clears open alarms of the server at a stop, and returns open or unacknowledged alarms of streams', () => {
    alarms.write([
      row('a', 1),
      row('server', 2, { name: null, alarm: 'disk' }),
      row('taken', 3, { acknowledged_at: 4 }),
      row('over', 4, { cleared_at: 8 }),
      row('old', 5, { cleared_at: 7 }),
      row('acknowledged and cleared', 6, { cleared_at: 8, acknowledged_at: 7 }),
    ]);
    alarms.endServerAlarms(9);
    expect(alarms.rows(ALL).map(({ id, cleared_at: at }) => [id, at])).toContainEqual(['server', 9]);
    expect(alarms.open(7)).toMatchObject([{ id: 'a', facts: { value: 1 } }, { id: 'taken' }, { id: 'over' }]);
  });

  it('stores shelved alarms with their ends', () => {
    alarms.shelve('a', 20);
    alarms.shelve('b', 10);
    alarms.shelve('a', 30);
    expect([...alarms.shelved()]).toEqual([
      ['b', 10],
      ['a', 30],
    ]);
    alarms.shelve('a', null);
    expect([...alarms.shelved().keys()]).toEqual(['b']);
  });

  it('removes old alarms, and those beyond the newest 50 000', () => {
    alarms.write(Array.from({ length: 50_010 }, (_, index) => row(`r${index}`, index)));
    while (alarms.removeBefore(5) > 0);
    expect(alarms.count([])).toBe(50_001);
    while (alarms.removeBefore(50_000) > 0);
    expect(alarms.count([])).toBe(10);
  });
});
