import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barsOf, firstAfter, gapAt, joined, nextRecorded, rangeAt } from './ranges.ts';

const ranges = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 1, max: 500 })), { maxLength: 300 })
  .map((some) => joined(some.map(([from, length]) => ({ from, to: from + length }))));

it('gapAt returns the gap between the range before and the range after', () => {
  const two = [
    { from: 10, to: 20 },
    { from: 30, to: 40 },
  ];
  expect([gapAt(two, 5), gapAt(two, 20), gapAt(two, 29), gapAt(two, 40)]).toEqual([
    { from: null, to: 10 },
    { from: 20, to: 30 },
    { from: 20, to: 30 },
    { from: 40, to: null },
  ]);
  expect([gapAt(two, 10), gapAt(two, 39), gapAt([], 5)]).toEqual([undefined, undefined, { from: null, to: null }]);
});

describe('recorded ranges on the timeline', () => {
  it('are found by time as by a linear search', () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: -10, max: 60_000 }), (some, ms) => {
        const at = some.findIndex(({ to }) => to > ms);
        expect(firstAfter(some, ms)).toBe(at < 0 ? some.length : at);
        expect(rangeAt(some, ms)).toEqual(some.find(({ from, to }) => from <= ms && ms < to));
        expect(nextRecorded(some, ms)).toBe(at < 0 ? undefined : Math.max(ms, some[at]!.from));
      }),
    );
  });

  it('are joined if they overlap or touch, and cover the same time', () => {
    fc.assert(
      fc.property(ranges, (some) => {
        expect(some.every(({ from }, at) => at === 0 || from > some[at - 1]!.to)).toBe(true);
        expect(joined([...some, ...some].reverse())).toEqual(some);
      }),
    );
  });

  it('are drawn in order, inside the view, with at most one bar per pixel', () => {
    fc.assert(
      fc.property(
        ranges,
        fc.integer({ min: 0, max: 50_000 }),
        fc.integer({ min: 1, max: 400 }),
        (some, startMs, msPerPx) => {
          const bars = barsOf(some, { startMs, msPerPx }, 200);
          expect(bars.length).toBeLessThanOrEqual(202);
          expect(bars.every(({ x, width }) => x >= -1 && width > 0 && x + width <= 202)).toBe(true);
          expect(bars.every(({ x }, at) => at === 0 || x >= bars[at - 1]!.x + bars[at - 1]!.width)).toBe(true);
        },
      ),
    );
  });

  it('have visible gaps that are narrower than a pixel', () => {
    const bars = barsOf(
      [
        { from: 0, to: 50_000 },
        { from: 50_001, to: 100_000 },
      ],
      { startMs: 0, msPerPx: 1000 },
      100,
    );
    expect(bars).toEqual([
      { x: 0, width: 50 },
      { x: 51, width: 49 },
    ]);
  });

  it('have at most one bar per pixel for any number of ranges', () => {
    const many = Array.from({ length: 200_000 }, (_, at) => ({ from: at * 10, to: at * 10 + 5 }));
    expect(barsOf(many, { startMs: 0, msPerPx: 10_000 }, 200).length).toBeLessThan(202);
  });
});
