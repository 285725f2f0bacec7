import { expect, test } from 'vitest';
import type { SpliceMessage } from '../../media/access-unit.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { readSplicePoint, spliceTimeOf } from '../../media/scte35/splice-point.ts';
import { SpliceSchedule } from './splice-schedule.ts';
import { SPLICE_KINDS } from './splice-script.ts';

const SECOND = 90_000;

function run(
  everySeconds: number,
  ticks: readonly number[],
): { atTicks: number; ptsTicks: number; durationTicks: number; eventId: number }[] {
  const messages: SpliceMessage[] = [];
  const schedule = new SpliceSchedule({ everySeconds, anchorMs: 1_800_000_000_000, anchorTicks: 5 * SECOND });
  for (const nowTicks of ticks) schedule.advance(nowTicks, { splice: (message) => messages.push(message) });
  return messages.map(({ atTicks, section }) => {
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

test('a splice schedule announces a break four seconds before each multiple of the interval', () => {
  // 1 800 000 000 s is a multiple of 30, so the first point is 30 s after the start.
  expect(run(30, eachPicture(70))).toEqual([
    { atTicks: 31 * SECOND, ptsTicks: 35 * SECOND, durationTicks: 10 * SECOND, eventId: 60_000_001 },
    { atTicks: 61 * SECOND, ptsTicks: 65 * SECOND, durationTicks: 10 * SECOND, eventId: 60_000_002 },
  ]);
});

test('a short splice interval has short breaks and short announcements', () => {
  expect(run(4, eachPicture(9))).toMatchObject([
    { atTicks: 7 * SECOND, ptsTicks: 9 * SECOND, durationTicks: 2 * SECOND },
    { atTicks: 11 * SECOND, ptsTicks: 13 * SECOND, durationTicks: 2 * SECOND },
  ]);
});

test('splice points skipped by a jump of the clock are dropped', () => {
  expect(run(30, [5 * SECOND, 3605 * SECOND - SECOND])).toMatchObject([{ ptsTicks: 3605 * SECOND }]);
  expect(run(30, [5 * SECOND, 3700 * SECOND])).toEqual([]);
});

test('splice times wrap at 33 bits', () => {
  expect(run(30, [2 ** 33 + 10])[0]?.ptsTicks ?? 0).toBeLessThan(2 ** 33);
});

/** Messages of one break, each with its sending time and splice time in seconds relative to the break. */
function marksOf(kind: (typeof SPLICE_KINDS)[number]): string[] {
  const messages: SpliceMessage[] = [];
  const schedule = new SpliceSchedule({ everySeconds: 30, kind, anchorMs: 1_800_000_000_000, anchorTicks: 5 * SECOND });
  for (const nowTicks of eachPicture(50)) schedule.advance(nowTicks, { splice: (message) => messages.push(message) });
  return messages.map((message) => {
    const info = readSpliceInfo(message.section);
    if (!info) throw new Error('a section is damaged');
    const { kind: pointKind, durationMs, needsReturn } = readSplicePoint(info);
    const [sentSeconds, spliceSeconds] = [message.atTicks, spliceTimeOf(info, message)].map(
      (ticks) => Math.round(((ticks - 35 * SECOND) * 100) / SECOND) / 100,
    );
    return [
      pointKind,
      ...(durationMs === null ? [] : [durationMs / 1000]),
      ...(needsReturn ? ['!'] : []),
      sentSeconds,
      spliceSeconds,
    ].join(' ');
  });
}

test.each([
  ['return', ['out 10 -4 0']],
  ['immediate', ['out 10 0 0']],
  ['end', ['out 10 ! -4 0', 'in 9 10']],
  ['early', ['out 10 -4 0', 'in 4 5']],
  ['open', ['out -4 0', 'in 9 10']],
  ['missing', ['out 10 ! -4 0']],
  ['cancel', ['out 10 -4 0', 'cancel -2 -2']],
  ['repeat', ['out 10 -4 0', 'out 10 -3 0', 'out 10 -2 0', 'out 10 -1 0']],
  ['nested', ['out 10 -4 0', 'out 2.5 2.52 5']],
  ['signal', ['out 10 -4 0', 'in 9 10']],
] as const)('the splice kind %s sends these messages', (kind, marks) => {
  expect(marksOf(kind)).toEqual(marks);
});

test('the splice kind `all` uses each kind in turn', () => {
  const messages: SpliceMessage[] = [];
  const schedule = new SpliceSchedule({ everySeconds: 4, kind: 'all', anchorMs: 1_800_000_000_000, anchorTicks: 0 });
  for (let at = 0; at < 4 * (SPLICE_KINDS.length + 1) * 25; at++)
    schedule.advance(at * 3600, { splice: (message) => messages.push(message) });
  const ids = new Set(
    messages.flatMap(({ section }) => readSpliceInfo(section)?.command ?? []).map((command) => command.type),
  );
  expect([...ids].sort()).toEqual(['insert', 'time-signal']);
  expect(messages.length).toBeGreaterThan(SPLICE_KINDS.length);
});
