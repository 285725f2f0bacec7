import { expect, test } from 'vitest';
import type { SpliceMessage } from '../../media/access-unit.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { SpliceSchedule } from './splice-schedule.ts';

const SECOND = 90_000;

function run(
  everySeconds: number,
  ticks: readonly number[],
): { atTicks: number; ptsTicks: number; durationTicks: number; eventId: number }[] {
  const heard: SpliceMessage[] = [];
  const schedule = new SpliceSchedule({ everySeconds, anchorMs: 1_800_000_000_000, anchorTicks: 5 * SECOND });
  for (const nowTicks of ticks) schedule.advance(nowTicks, { splice: (message) => heard.push(message) });
  return heard.map(({ atTicks, section }) => {
    const info = readSpliceInfo(section);
    if (info?.command.type !== 'insert') throw new Error('not a splice_insert');
    const { ptsTicks = -1, breakDuration, eventId, ...rest } = info.command;
    expect(rest).toMatchObject({ isOutOfNetwork: true, isCancel: false, isImmediate: false });
    expect(breakDuration?.isAutoReturn).toBe(true);
    return { atTicks, ptsTicks, durationTicks: breakDuration?.durationTicks ?? 0, eventId };
  });
}

const eachPicture = (seconds: number): number[] =>
  Array.from({ length: seconds * 25 }, (_, i) => 5 * SECOND + i * 3600);

test('announces a break four seconds before each multiple of the interval', () => {
  // 1 800 000 000 s is a multiple of 30, so the first point comes 30 s after the start.
  expect(run(30, eachPicture(70))).toEqual([
    { atTicks: 31 * SECOND, ptsTicks: 35 * SECOND, durationTicks: 10 * SECOND, eventId: 60_000_001 },
    { atTicks: 61 * SECOND, ptsTicks: 65 * SECOND, durationTicks: 10 * SECOND, eventId: 60_000_002 },
  ]);
});

test('a short interval has short breaks and short notice', () => {
  expect(run(4, eachPicture(9))).toMatchObject([
    { atTicks: 7 * SECOND, ptsTicks: 9 * SECOND, durationTicks: 2 * SECOND },
    { atTicks: 11 * SECOND, ptsTicks: 13 * SECOND, durationTicks: 2 * SECOND },
  ]);
});

test('drops what a jump of the clock left behind', () => {
  expect(run(30, [5 * SECOND, 3605 * SECOND - SECOND])).toMatchObject([{ ptsTicks: 3605 * SECOND }]);
  expect(run(30, [5 * SECOND, 3700 * SECOND])).toEqual([]);
});

test('times have 33 bits', () => {
  expect(run(30, [2 ** 33 + 10])[0]?.ptsTicks ?? 0).toBeLessThan(2 ** 33);
});
