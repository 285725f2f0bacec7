import { expect, it } from 'vitest';
import { loudnessAt, loudnessBars, type LoudnessCurve } from './loudness-curve.ts';

const CURVE: LoudnessCurve = { from: 1000, step_ms: 100, low: [-59, -32, null, -100], high: [-59, -5, null, 0] };

it('loudnessBars span minimum and maximum, with gaps where nothing was measured', () => {
  expect(loudnessBars(CURVE, { startMs: 1000, msPerPx: 10 }, 100)).toEqual([
    { x: 0, width: 10, low: 0, high: 0 },
    { x: 10, width: 10, low: 0.5, high: 1 },
    { x: 30, width: 10, low: 0, high: 1 },
  ]);
  expect(loudnessBars(CURVE, { startMs: 1100, msPerPx: 10 }, 10).map(({ x }) => x)).toEqual([0]);
});

it('loudnessBars are adjacent at any step', () => {
  const level = Array.from({ length: 90 }, () => -23);
  const bars = loudnessBars({ from: 0, step_ms: 100, low: level, high: level }, { startMs: 37, msPerPx: 13 }, 600);
  bars.slice(1).forEach(({ x }, at) => expect(x).toBe(bars[at]!.x + bars[at]!.width));
});

it('loudnessBars are at most one per pixel for a curve of any length', () => {
  const low = Array.from({ length: 100_000 }, (_, at) => -(at % 50));
  const bars = loudnessBars({ from: 0, step_ms: 100, low, high: low }, { startMs: 0, msPerPx: 10_000 }, 1000);
  expect([bars.length, bars[0]?.high]).toEqual([1000, 1]);
});

it('loudnessAt returns the value of the step at a time', () => {
  expect([loudnessAt(CURVE, 1150), loudnessAt(CURVE, 1250), loudnessAt(CURVE, 0), loudnessAt(CURVE, 9000)]).toEqual([
    -5,
    undefined,
    undefined,
    undefined,
  ]);
});
