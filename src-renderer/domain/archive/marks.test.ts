import { expect, it } from 'vitest';
import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { marksOf, marksWithin, nextMark } from './marks.ts';

const alarm = (id: string, more: Partial<AlarmObject>): AlarmObject =>
  // Fields that are absent here are not read.
  ({
    id,
    name: 'cam',
    alarm: 'black',
    severity: 'major',
    detail: '',
    fault: null,
    facts: {},
    raised_at: 0,
    cleared_at: null,
    ...more,
  }) as AlarmObject;

const MARKS = marksOf(
  {
    alarms: [
      alarm('2', { raised_at: 500, cleared_at: 700, detail: 'for 3 s' }),
      alarm('1', { raised_at: 100 }),
      alarm('1', { raised_at: 100 }),
      alarm('server', { name: null }),
    ],
    locks: [{ name: 'cam', from: 300, to: 900, note: '', by: 'pat' }],
    notes: [{ id: 'n', name: 'cam', at: 600, text: 'goal', by: 'pat' }],
  },
  1000,
);

it('marks are sorted by start, without duplicates, and open marks end now', () => {
  expect(MARKS.map(({ kind, from, to, text }) => [kind, from, to, text])).toEqual([
    ['alarm', 100, 1000, 'Black'],
    ['lock', 300, 900, 'Locked by pat'],
    ['alarm', 500, 700, 'Black: for 3 s'],
    ['note', 600, null, 'goal'],
  ]);
});

it('nextMark finds the next and the previous mark', () => {
  expect([
    nextMark(MARKS, 100, 1, 10)?.from,
    nextMark(MARKS, 295, 1, 10)?.from,
    nextMark(MARKS, 305, -1, 10)?.from,
  ]).toEqual([300, 500, 100]);
  expect([nextMark(MARKS, 600, 1, 10), nextMark(MARKS, 100, -1, 10)]).toEqual([undefined, undefined]);
});

it('marksWithin returns marks that overlap the range', () => {
  expect(marksWithin(MARKS, 800, 900).map(({ kind }) => kind)).toEqual(['alarm', 'lock']);
  expect(marksWithin(MARKS, 600, 601)).toHaveLength(4);
});
