import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CutPoints, ticksToUs, type CutPoint } from './cut-points.ts';

/** Consecutive cut points, one per segment. */
const CUTS = fc
  .tuple(fc.nat(1000), fc.array(fc.integer({ min: 1, max: 10_000_000 }), { maxLength: 30 }))
  .map(([firstMsn, lengths]) => {
    let startUs = 1_700_000_000_000_000;
    return lengths.map((length, index): CutPoint => {
      startUs += length;
      const start = { ticks: startUs, timescale: 1_000_000 };
      return { msn: firstMsn + index, start, startUs, isDiscontinuity: index % 7 === 0 };
    });
  });

describe('ticksToUs', () => {
  it('is exact to half a microsecond for any time of any timescale', () => {
    const timescales = fc.constantFrom(1, 1000, 44_100, 48_000, 90_000, 10_000_000, 30_000);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), fc.nat(), timescales, (seconds, part, timescale) => {
        const ticks = seconds * timescale + (part % timescale);
        fc.pre(Number.isSafeInteger(ticks));
        const errorTimesTwo =
          2n * (BigInt(ticksToUs(ticks, timescale)) * BigInt(timescale) - BigInt(ticks) * 1_000_000n);
        expect(errorTimesTwo <= BigInt(timescale) && errorTimesTwo >= -BigInt(timescale)).toBe(true);
      }),
    );
  });
});

describe('CutPoints', () => {
  it('finds the same cut points as a linear search, after any trims', () => {
    const query = fc.tuple(fc.integer({ min: -3, max: 1040 }), fc.integer({ min: -2_000_000, max: 12_000_000 }));
    fc.assert(
      fc.property(CUTS, fc.integer({ min: -3, max: 1040 }), fc.array(query), (cuts, keptFrom, queries) => {
        const points = new CutPoints();
        for (const cut of cuts) points.add(cut);
        points.forgetBefore(keptFrom);
        const kept = cuts.filter(({ msn }) => msn >= keptFrom);
        expect(points.newest).toBe(kept.at(-1));
        for (const [msn, offsetUs] of queries) {
          const us = (cuts[0]?.startUs ?? 0) + offsetUs;
          expect(points.get(msn)).toBe(kept.find((cut) => cut.msn === msn));
          expect(points.from(msn)).toBe(kept.find((cut) => cut.msn >= msn));
          expect(points.at(us)).toBe(kept.findLast(({ startUs }) => startUs <= us));
        }
      }),
    );
  });

  it('is empty after it was cleared', () => {
    const points = new CutPoints();
    points.add({ msn: 7, start: { ticks: 0, timescale: 1 }, startUs: 0, isDiscontinuity: false });
    points.clear();
    expect([points.newest, points.get(7), points.at(1), points.from(0)]).toEqual(Array(4).fill(undefined));
  });
});
