import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { AlarmEvidence } from './alarm-evidence.ts';

const DAY_MS = 86_400_000;
let folder: string;
let clock: FakeClock;
let locked: string[];
let values: number[];
let errors: unknown[];
let evidence: AlarmEvidence;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-evidence-'));
  clock = new FakeClock(DAY_MS);
  [locked, values, errors] = [[], [1], []];
  evidence = new AlarmEvidence({
    clock,
    folder,
    stream: () => undefined,
    picture: () => Promise.reject(new Error('none')),
    graph: (name) => (name === 'still' ? undefined : { fromMs: 0, stepMs: 1000, values }),
    lock({ name }, { startMs, endMs }) {
      if (name === 'broken') throw new Error('too many locks');
      locked.push(`${name} ${endMs - startMs}`);
      return true;
    },
    failed: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await evidence.close();
  rmSync(folder, { recursive: true });
});

function alarm(id: string, more: Partial<AlarmObject> = {}): AlarmObject {
  return {
    id,
    name: 'cam',
    alarm: 'bitrate',
    severity: 'major',
    detail: 'low',
    fault: null,
    facts: {},
    raised_at: clock.now(),
    cleared_at: null,
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
    shelved_until: null,
    ...more,
  };
}

it('AlarmEvidence records the graph for another half a minute, and locks the archive around the alarm', async () => {
  evidence.raised(alarm('a'));
  expect(await evidence.find('cam', 'a')).toMatchObject({ graph: { values: [1] }, is_locked: true, at_jpeg: null });
  values = [1, 2];
  clock.advance(30_000);
  expect(await evidence.find('cam', 'a')).toMatchObject({ graph: { values: [1, 2] }, raised_at: DAY_MS });
  expect(locked).toEqual(['cam 60000']);
});

it('AlarmEvidence keeps nothing for alarms of the server, and finds evidence only by its own stream and id', async () => {
  evidence.raised(alarm('a', { name: null }));
  evidence.raised(alarm('b', { name: 'still' }));
  expect(await evidence.find('still', 'b')).toMatchObject({ graph: null });
  for (const [name, id] of [
    ['cam', 'b'],
    ['cam', 'a'],
    ['cam', '../b'],
    ['still', ''],
  ] as const)
    expect(await evidence.find(name, id)).toBeUndefined();
});

it('AlarmEvidence locks nothing for info alarms, for more than 24 alarms a day, or if locking fails', async () => {
  evidence.raised(alarm('i', { severity: 'info' }));
  evidence.raised(alarm('x', { name: 'broken' }));
  for (let index = 0; index < 30; index++) evidence.raised(alarm(`n${index}`));
  expect([locked.length, errors.length]).toEqual([24, 1]);
  expect(await evidence.find('broken', 'x')).toMatchObject({ is_locked: false });
  clock.advance(DAY_MS);
  evidence.raised(alarm('next'));
  expect(locked).toHaveLength(25);
});

it('AlarmEvidence gathers evidence of at most 50 alarms at a time', async () => {
  for (let index = 0; index < 5000; index++) evidence.raised(alarm(`n${index}`));
  await evidence.cleanUp();
  expect(readdirSync(folder)).toHaveLength(50);
});

it('AlarmEvidence removes evidence older than 90 days, and beyond the newest 2000', async () => {
  for (let index = 0; index < 2010; index++) writeFileSync(join(folder, `${clock.now() + index}-n${index}.json`), '{}');
  writeFileSync(join(folder, 'other.txt'), '');
  await evidence.cleanUp();
  expect(readdirSync(folder)).toHaveLength(2001);
  expect(await evidence.find('cam', 'n2009')).toBeUndefined();
  clock.advance(91 * DAY_MS);
  await evidence.cleanUp();
  expect(readdirSync(folder)).toEqual(['other.txt']);
});
