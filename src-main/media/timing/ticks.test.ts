import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertTicks, convertTicksDown, msToTicks, ticksToMs, ticksToMsUp } from './ticks.ts';

const timescale = fc.oneof(
  fc.constantFrom(1000, 90_000, 48_000, 44_100, 22_050, 10_000_000, 27_000_000),
  fc.integer({ min: 1, max: 30_000_000 }),
);

describe('ticks', () => {
  it('are converted exactly, in both rounding modes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 3e14 }), timescale, timescale, (ticks, from, to) => {
        const [t, f, s] = [BigInt(ticks), BigInt(from), BigInt(to)];
        const floor = (a: bigint, b: bigint): bigint => a / b - (a % b < 0n ? 1n : 0n);
        const nearest = floor(2n * t * s + f, 2n * f);
        fc.pre(nearest < 2n ** 53n && nearest > -(2n ** 53n));
        expect(BigInt(convertTicks(ticks, from, to))).toBe(nearest);
        expect(BigInt(convertTicksDown(ticks, from, to))).toBe(floor(t * s, f));
      }),
      { numRuns: 500 },
    );
  });

  it('are unchanged after conversion to a finer timescale and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1.8e14 }), (ticks) => {
        expect(convertTicks(convertTicks(ticks, 90_000, 10_000_000), 10_000_000, 90_000)).toBe(ticks);
      }),
    );
  });

  it('do not drift at current UTC times', () => {
    const now = 1_795_224_896_789;
    expect(msToTicks(now, 90_000)).toBe(now * 90);
    expect(ticksToMs(msToTicks(now, 90_000), 90_000)).toBe(now);
    expect(ticksToMs(msToTicks(now, 44_100), 44_100)).toBe(now);
    expect(ticksToMs(89, 90_000)).toBe(0);
    expect([0, 1, 90, 91].map((ticks) => ticksToMsUp(ticks, 90_000))).toEqual([0, 1, 1, 2]);
    expect(ticksToMsUp(msToTicks(now, 44_100) + 1, 44_100)).toBe(now + 1);
  });
});
