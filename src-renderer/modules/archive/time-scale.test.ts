import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { following, clamped, msAt, scaleOf, shownOf, xOf, zoomed } from './time-scale.ts';

const NOW = Date.UTC(2027, 0, 15, 12);
const scales = fc.record({ startMs: fc.integer({ min: 0, max: 2 * NOW }), msPerPx: fc.integer({ min: 1, max: 1e7 }) });
const positions = fc.integer({ min: 0, max: 4000 });

describe('the scale of the timeline', () => {
  it('keeps the time under the pointer at every zoom step', () => {
    fc.assert(
      fc.property(scales, positions, fc.double({ min: 0.01, max: 100, noNaN: true }), (scale, x, factor) => {
        const after = zoomed(scale, factor, x);
        expect(xOf(after, msAt(scale, x))).toBeCloseTo(x, 3);
        expect(after.msPerPx).toBeGreaterThanOrEqual(1);
        expect(after.msPerPx).toBeLessThanOrEqual(12_000_000);
      }),
    );
  });

  it('ranges from a month to a frame', () => {
    const month = scaleOf({ from: NOW - 31 * 86_400_000, to: NOW }, 300);
    expect(shownOf(month, 300).to - shownOf(month, 300).from).toBeGreaterThanOrEqual(31 * 86_400_000);
    const frame = zoomed(month, 1e12, 150);
    expect(xOf(frame, msAt(frame, 0) + 40)).toBeCloseTo(40);
  });

  it('always keeps the archive in view', () => {
    const all = { from: NOW - 3_600_000, to: NOW };
    fc.assert(
      fc.property(scales, fc.integer({ min: 100, max: 4000 }), (scale, width) => {
        const { from, to } = shownOf(clamped(scale, all, width), width);
        expect((from + to) / 2).toBeGreaterThanOrEqual(all.from - 1);
        expect((from + to) / 2).toBeLessThanOrEqual(all.to + 1);
      }),
    );
  });

  it('follows playback, and is unchanged while the position is in view', () => {
    const scale = { startMs: NOW, msPerPx: 100 };
    expect(following(scale, NOW + 50_000, 1000, 50)).toBe(scale);
    for (const ms of [NOW - 1, NOW + 99_000, NOW + 1e9, NOW - 1e9]) {
      const x = xOf(following(scale, ms, 1000, 50), ms);
      expect(x).toBeGreaterThanOrEqual(50);
      expect(x).toBeLessThanOrEqual(950);
    }
  });
});
