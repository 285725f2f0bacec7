import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anAlarm } from '../../../tests/helpers/desk/an-alarm.ts';
import { groupAlarms } from './alarm-groups.ts';

const MINUTE = 60_000;

it('groupAlarms combines repeated alarms of one condition in one row', () => {
  const flapping = Array.from({ length: 25 }, (_, at) =>
    anAlarm(`f${at}`, { raised_at: -at * MINUTE, cleared_at: at === 0 ? null : -at * MINUTE + 30_000 }),
  );
  const other = anAlarm('other', { name: 'cam2', raised_at: -90_000, cleared_at: -80_000 });
  const groups = groupAlarms([flapping[0]!, other, ...flapping.slice(1)]);
  expect(groups.map(({ newest, alarms }) => [newest.id, alarms.length])).toEqual([
    ['f0', 25],
    ['other', 1],
  ]);
  // The row stays the same when the condition returns.
  const again = anAlarm('new', { raised_at: MINUTE });
  const next = groupAlarms([again, { ...flapping[0]!, cleared_at: 1 }, ...flapping.slice(1)]);
  expect([next.length, next[0]!.key]).toEqual([1, groups[0]!.key]);
});

it('groupAlarms starts another row after an hour without the condition', () => {
  const rows = [0, 61, 122].map((at) =>
    anAlarm(`a${at}`, { raised_at: -at * MINUTE, cleared_at: -at * MINUTE + 1000 }),
  );
  expect(groupAlarms(rows)).toHaveLength(3);
});

it('groupAlarms keeps every alarm, in the order of the newest', () => {
  const any = fc.record({
    name: fc.constantFrom('a', 'b', null),
    alarm: fc.constantFrom('no_input' as const, 'frozen' as const),
    raised_at: fc.nat(200 * MINUTE),
    length: fc.option(fc.nat(30 * MINUTE)),
  });
  fc.assert(
    fc.property(fc.array(any), (made) => {
      const alarms = made
        .map(({ length, ...one }, at) =>
          anAlarm(String(at), { ...one, cleared_at: length === null ? null : one.raised_at + length }),
        )
        .sort((a, b) => b.raised_at - a.raised_at);
      const groups = groupAlarms(alarms);
      expect(groups.flatMap((group) => group.alarms).sort((a, b) => Number(a.id) - Number(b.id))).toEqual(
        [...alarms].sort((a, b) => Number(a.id) - Number(b.id)),
      );
      const positions = groups.map(({ newest }) => alarms.indexOf(newest));
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
      expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
    }),
  );
});
