import { expect, it } from 'vitest';
import { breakMarks, hourManifests } from './break-marks.ts';

it('reads splice points of a manifest, each once, up to where a break ended, and nothing of another text', () => {
  const ad = [
    { kind: 'out', at: 1000, duration: 30_000, cue_id: 7 },
    { kind: 'in', at: 31_000, duration: null, cue_id: 7 },
  ];
  const manifest = { periods: [{ segments: [{ ad }, {}, { ad: [ad[0]] }] }] };
  expect(breakMarks('cam', manifest).map(({ from, to, text }) => [from, to, text])).toEqual([
    [1000, 31_000, 'Break'],
    [31_000, null, 'End of the break'],
  ]);
  const early = { periods: [{ segments: [{ ad: [ad[0], { ...ad[1], at: 4000 }, { ...ad[0], at: 50_000 }] }] }] };
  expect(breakMarks('cam', early).map(({ from, to }) => [from, to])).toEqual([
    ...[
      [1000, 4000],
      [4000, null],
      [50_000, 80_000],
    ],
  ]);
  for (const other of [undefined, 'text', { periods: 7 }]) expect(breakMarks('cam', other)).toEqual([]);
});

it('asks for hours of which something is on the disk alone, and of what is on air for the live window', () => {
  const [HOUR, MINUTE] = [3_600_000, 60_000];
  const manifests = (stretches: readonly (readonly [number, number])[], nowMs: number, isOnAir: boolean) =>
    hourManifests(
      stretches.map(([from, to]) => ({ from, to })),
      { from: 0.5 * HOUR, to: 9 * HOUR },
      { nowMs, isOnAir },
    );
  const hours = (stretches: readonly (readonly [number, number])[], nowMs: number): number[] =>
    manifests(stretches, nowMs, false).map(({ hourMs }) => hourMs / HOUR);
  expect(hours([[1.5 * HOUR, 3 * HOUR]], 8 * HOUR)).toEqual([1, 2]);
  expect(hours([], 8 * HOUR)).toEqual([]);
  // What has just begun, and an hour that has: no block of it is closed.
  expect(hours([[4 * HOUR - MINUTE, 4 * HOUR]], 4 * HOUR)).toEqual([]);
  expect(hours([[2.5 * HOUR, 4 * HOUR + MINUTE]], 4 * HOUR + MINUTE)).toEqual([2, 3]);
  // What was short and is over: its block is closed.
  expect(hours([[4 * HOUR - MINUTE, 4 * HOUR - MINUTE / 2]], 4 * HOUR)).toEqual([3]);
  expect(hours([[2.5 * HOUR, 4 * HOUR + 2 * MINUTE]], 4 * HOUR + 2 * MINUTE)).toEqual([2, 3, 4]);
  expect(manifests([[3.5 * HOUR, 4 * HOUR + MINUTE / 2]], 4 * HOUR + MINUTE / 2, true)).toEqual([
    { hourMs: 3 * HOUR, file: 'archive-10800-3600.json' },
    { hourMs: 4 * HOUR, file: 'rewind-3600.json' },
  ]);
  expect(manifests([], 4 * HOUR, true)).toEqual([]);
});
