import { expect, it } from 'vitest';
import { endsBeforeGap } from './missing-sound.ts';

const ranges = (...all: readonly (readonly [number, number])[]): TimeRanges => ({
  length: all.length,
  start: (at) => all[at]?.[0] ?? NaN,
  end: (at) => all[at]?.[1] ?? NaN,
});

it.each([
  ['far before a gap', 5.5, false],
  ['shortly before a gap', 5.9, true],
  ['in a gap', 6.2, true],
  ['after a gap', 6.4, false],
  ['at the end, where nothing comes', 8.9, false],
  ['far after the last segment', 20, false],
])('endsBeforeGap returns for a position: %s', (_, seconds, isShort) => {
  expect(endsBeforeGap(ranges([5, 6.06], [6.31, 9]), seconds)).toBe(isShort);
});

it('endsBeforeGap returns false without loaded audio or before the first range', () => {
  expect(endsBeforeGap(ranges(), 5)).toBe(false);
  // Audio and video start at different times.
  expect(endsBeforeGap(ranges([6.3, 9]), 6.29)).toBe(false);
});
