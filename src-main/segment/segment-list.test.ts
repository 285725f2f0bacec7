import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIndex, inRange, indexByAddress } from './segment-list.ts';
import type { WindowSegment } from './segment-window.ts';

/** Start times of segments in milliseconds, in ascending order. */
const anyStarts = fc.uniqueArray(fc.nat(60), { maxLength: 20 }).map((starts) => starts.toSorted((a, b) => a - b));

function segments(starts: readonly number[], addressPrefix = ''): WindowSegment[] {
  return starts.map((startMs, index) => ({
    segment: {
      trackId: 'v1',
      startTicks: startMs * 90,
      durationTicks: 90,
      startMs,
      parts: [],
      sizeBytes: 0,
      isComplete: true,
      isGap: false,
      initId: 1,
    },
    msn: index,
    startMs,
    isDiscontinuity: false,
    discontinuitySequence: 0,
    address: `${addressPrefix}${startMs}`,
  }));
}

describe('a list of segments', () => {
  it('finds the segments of a time range like a linear search', () => {
    fc.assert(
      fc.property(anyStarts, fc.nat(70), fc.nat(70), (starts, fromMs, lengthMs) => {
        const list = segments(starts);
        const toMs = fromMs + lengthMs;
        const found = list.filter(({ startMs }, index) => {
          const endMs = list[index + 1]?.startMs ?? Infinity;
          return startMs < toMs && endMs > fromMs;
        });
        expect(inRange(list, { fromMs, toMs })).toEqual(found);
      }),
    );
  });

  it('finds each segment by its address, and no segment by any other address', () => {
    fc.assert(
      fc.property(anyStarts, fc.nat(61), (starts, startMs) => {
        expect(indexByAddress(segments(starts), String(startMs))).toBe(starts.indexOf(startMs));
      }),
    );
  });

  it.each(['', ' 5', '5.0', '05', '+5', '0x5', '5e0', 'x', '-1', 'NaN', 'Infinity', '5/'])(
    'has no segment with the address %j',
    (address) => {
      expect(indexByAddress(segments([0, 5, 10]), address)).toBe(-1);
    },
  );

  it('finds one of a million segments in twenty reads', () => {
    let reads = 0;
    const at = firstIndex(1_000_000, (index) => {
      reads++;
      return index >= 765_432;
    });
    expect([at, reads <= 20]).toEqual([765_432, true]);
    expect([firstIndex(0, () => true), firstIndex(3, () => false)]).toEqual([0, 3]);
  });
});
