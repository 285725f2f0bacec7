import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlarmObject } from '../../src-preload/contract/api/alarm-object.ts';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { Alarms, type AlarmRule } from './alarms.ts';

const RULE: AlarmRule = { severity: 'major', raiseMs: 0, clearMs: 0 };
const HOUR = 3_600_000;

class Stage {
  nowMs = 1_000_000;
  readonly steps: string[] = [];
  readonly kept = new Map<string, number | null>();
  #ids = 0;
  readonly alarms: Alarms;

  constructor(restored: readonly AlarmObject[] = []) {
    this.alarms = new Alarms({
      now: () => this.nowMs,
      newId: () => `n${this.#ids++}`,
      changed: ({ id, cleared_at: clearedMs }) => this.kept.set(id, clearedMs),
      happened: (step, { name }) => this.steps.push(`${step} ${name}`),
      restored,
    });
  }

  round(faulty: readonly string[], healthy: readonly string[] = [], isGrace = false): void {
    this.alarms.beginRound(isGrace);
    const rule = RULE;
    for (const name of faulty)
      this.alarms.measure({ name, alarm: 'no_input', fault: 'no_frames', facts: {}, isFaulty: true }, rule);
    for (const name of healthy)
      this.alarms.measure({ name, alarm: 'no_input', fault: 'no_frames', facts: {}, isFaulty: false }, rule);
    this.alarms.endRound();
  }

  id(name: string): string {
    return this.alarms.list().find((alarm) => alarm.name === name)?.id ?? '';
  }
}

describe('Alarms', () => {
  it('keeps acknowledged alarms across a restart, and raises or clears none while streams start', () => {
    const before = new Stage();
    before.round(['a', 'b', 'c', 'd']);
    before.round(['a', 'b', 'd'], ['c']);
    before.alarms.acknowledge(before.id('a'), 'pat', 'cable');
    const stage = new Stage(before.alarms.list());
    const listed = (): unknown[] =>
      stage.alarms.list().map(({ name, note, cleared_at: at }) => [name, note, at !== null]);
    const restored = [
      ['a', 'cable', false],
      ['b', null, false],
      ['c', null, true],
      ['d', null, false],
    ];
    const sorted = (): unknown[] => listed().sort();
    stage.round(['e'], [], true);
    expect([sorted(), stage.steps]).toEqual([restored, []]);
    stage.round(['a', 'e'], ['b']);
    expect(sorted()).toEqual([
      ['a', 'cable', false],
      ['b', null, true],
      ['c', null, true],
      ['d', null, true],
      ['e', null, false],
    ]);
    expect(stage.steps).toEqual(['raised e', 'cleared b', 'cleared d']);
  });

  it('raises an alarm, acknowledges it with a note, and clears it', () => {
    const stage = new Stage();
    stage.round(['a']);
    expect(stage.alarms.acknowledge(stage.id('a'), 'pat', 'cable')).toMatchObject({
      acknowledged_by: 'pat',
      note: 'cable',
      cleared_at: null,
      acknowledged_at: stage.nowMs,
    });
    stage.round(['a']);
    expect(stage.alarms.list()).toHaveLength(1);
    stage.round([], ['a']);
    expect([stage.alarms.list(), stage.steps]).toEqual([[], ['raised a', 'acknowledged a', 'cleared a']]);
  });

  it('lists an unacknowledged alarm for 12 hours after it clears, even if its stream was removed', () => {
    const stage = new Stage();
    stage.round(['a']);
    stage.nowMs += 1000;
    stage.round([]);
    expect(stage.alarms.list()).toMatchObject([{ name: 'a', cleared_at: stage.nowMs }]);
    stage.nowMs += 12 * HOUR - 1;
    stage.round([]);
    expect(stage.alarms.list()).toHaveLength(1);
    stage.nowMs++;
    stage.round([]);
    expect(stage.alarms.list()).toEqual([]);
  });

  it('keeps alarms shelved across a restart', () => {
    const shelved = new Map<string, number>();
    const open = (): { readonly alarms: Alarms; readonly steps: string[] } => {
      const steps: string[] = [];
      const alarms = new Alarms({
        now: () => nowMs,
        newId: () => 'n',
        changed: () => undefined,
        shelved: new Map(shelved),
        happened: (step) => steps.push(step),
        shelvedChanged: (key, untilMs) => (untilMs === null ? shelved.delete(key) : shelved.set(key, untilMs)),
      });
      return { alarms, steps };
    };
    let nowMs = 1000;
    const round = (alarms: Alarms): void => {
      alarms.beginRound();
      alarms.measure({ name: 'a', alarm: 'no_input', fault: 'no_frames', facts: {}, isFaulty: true }, RULE);
      alarms.endRound();
    };
    const before = open();
    round(before.alarms);
    before.alarms.shelve('n', 60_000);
    const after = open();
    nowMs = 60_999;
    round(after.alarms);
    expect([after.alarms.list(), after.steps]).toEqual([[expect.objectContaining({ shelved_until: 61_000 })], []]);
    nowMs = 61_000;
    round(after.alarms);
    expect([after.steps, shelved.size]).toEqual([['raised'], 0]);
  });

  it('emits no events of a shelved alarm, and emits them again afterwards', () => {
    const stage = new Stage();
    stage.round(['a']);
    stage.alarms.shelve(stage.id('a'), 10_000);
    stage.round([], ['a']);
    stage.nowMs += 5000;
    stage.round(['a']);
    expect([stage.steps, stage.alarms.list()[0]?.shelved_until]).toEqual([['raised a'], 1_010_000]);
    stage.nowMs += 5000;
    stage.round(['a']);
    expect([stage.steps, stage.alarms.list()[0]?.shelved_until]).toEqual([['raised a', 'raised a'], null]);
    stage.alarms.shelve(stage.id('a'), 10_000);
    stage.alarms.shelve(stage.id('a'), 0);
    expect(stage.alarms.list()[0]?.shelved_until).toBeNull();
  });

  it('returns undefined for an unknown alarm', () => {
    const { alarms } = new Stage();
    expect([alarms.acknowledge('x', 'pat', ''), alarms.shelve('x', 1), alarms.find('x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('holds at most 20 000 alarms', () => {
    const stage = new Stage();
    const names = Array.from({ length: 30_000 }, (_, index) => `s${index}`);
    stage.round(names);
    expect(stage.alarms.list()).toHaveLength(20_000);
    stage.round([]);
    stage.round(['new']);
    expect(stage.alarms.list()).toHaveLength(20_000);
    expect(stage.id('new')).not.toBe('');
  });

  it('rejects alarms beyond the limit in linear time', async () => {
    await expectLinear({
      make: (size) => Array.from({ length: size }, (_, index) => `s${index}`),
      run: (names) => {
        new Stage().round(names);
      },
      sizes: [2000, 64_000],
    });
  });

  it('matches a simple model for random input', () => {
    const step = fc.record({
      faulty: fc.subarray(['a', 'b', 'c']),
      afterMs: fc.integer({ min: 1, max: 10_000 }),
      acknowledged: fc.subarray(['a', 'b', 'c']),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const stage = new Stage();
        const isAcknowledged = new Map<string, boolean>();
        const lasts = new Set<string>();
        for (const { faulty, afterMs, acknowledged } of steps) {
          stage.nowMs += afterMs;
          stage.round(faulty);
          for (const name of ['a', 'b', 'c']) {
            const isFaulty = faulty.includes(name);
            if (isFaulty && !lasts.has(name)) isAcknowledged.set(name, false);
            if (!isFaulty && isAcknowledged.get(name) === true) isAcknowledged.delete(name);
            if (isFaulty) lasts.add(name);
            else lasts.delete(name);
          }
          for (const name of acknowledged) {
            stage.alarms.acknowledge(stage.id(name), 'pat', '');
            if (!isAcknowledged.has(name)) continue;
            if (lasts.has(name)) isAcknowledged.set(name, true);
            else isAcknowledged.delete(name);
          }
          expect(new Map(stage.alarms.list().map(({ name, acknowledged_at: at }) => [name, at !== null]))).toEqual(
            isAcknowledged,
          );
          expect([...stage.kept.values()].filter((clearedMs) => clearedMs === null)).toHaveLength(lasts.size);
        }
      }),
    );
  });
});
