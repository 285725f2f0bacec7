import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeTimes } from './decode-times.ts';

const FRAME = 3600;

/** Presentation times in decoding order, with `bFrames` B-frames between reference pictures. */
function pictures(groups: number, bFrames: number): number[] {
  const times = [0];
  for (let group = 0; group < groups; group++) {
    const first = group * (bFrames + 1) + 1;
    times.push((first + bFrames) * FRAME);
    for (let b = 0; b < bFrames; b++) times.push((first + b) * FRAME);
  }
  return times;
}

describe('DecodeTimes', () => {
  it('equal the presentation times without reordering', () => {
    const times = new DecodeTimes(0, FRAME);
    const pts = pictures(20, 0);
    expect(pts.map((ticks) => times.next(ticks))).toEqual(pts);
  });

  it.each([1, 2, 3])('increase frame by frame with %i B-frames if the reorder depth is known', (bFrames) => {
    const times = new DecodeTimes(1, FRAME);
    const dts = pictures(10, bFrames).map((ticks) => times.next(ticks));
    expect(dts).toEqual(dts.map((_, index) => (index - 1) * FRAME));
  });

  it('learn the reorder depth from the first reordered picture', () => {
    const times = new DecodeTimes(0, FRAME);
    const pts = pictures(20, 2);
    const dts = pts.map((ticks) => times.next(ticks));
    expect(dts.slice(6)).toEqual(dts.slice(6).map((_, index) => (index + 5) * FRAME));
  });

  it('always increase, and do not exceed presentation times once the reorder depth is known', () => {
    const gop = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(gop, fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1000, max: 6000 }), (groups, depth, frame) => {
        const times = new DecodeTimes(depth, frame);
        let next = 1;
        const pts = [0];
        for (const bFrames of groups) {
          pts.push((next + bFrames) * frame);
          for (let b = 0; b < bFrames; b++) pts.push((next + b) * frame);
          next += bFrames + 1;
        }
        const dts = pts.map((ticks) => times.next(ticks));
        for (const [index, ticks] of dts.entries()) {
          if (index > 0) expect(ticks).toBeGreaterThan(dts[index - 1] ?? NaN);
          if (depth > 0) expect(ticks).toBeLessThanOrEqual(pts[index] ?? NaN);
        }
      }),
    );
  });

  it('restart when the times jump', () => {
    const times = new DecodeTimes(0, FRAME);
    for (const ticks of pictures(5, 0)) times.next(ticks);
    expect(times.next(90_000_000)).toBe(90_000_000);
    expect(times.next(0)).toBe(0);
    expect(times.next(FRAME)).toBe(FRAME);
  });
});
