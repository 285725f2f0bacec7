import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planLoop } from './loop-plan.ts';
import type { TestPictureOptions } from './test-picture-options.ts';

const base: TestPictureOptions = {
  width: 160,
  height: 90,
  fpsNumerator: 25,
  fpsDenominator: 1,
  gopFrames: 25,
  bitrateKbps: 100,
  bFrames: 0,
};
const rates = [
  ...Array.from({ length: 60 }, (_, i) => [i + 1, 1] as const),
  [25, 2],
  [24_000, 1001],
  [30_000, 1001],
  [60_000, 1001],
] as const;

test.each([
  { rate: [25, 1], gopFrames: 25, pictures: 400, audioFrames: 750, loopTicks: 1_440_000 },
  { rate: [25, 1], gopFrames: 50, pictures: 400, audioFrames: 750, loopTicks: 1_440_000 },
  { rate: [30, 1], gopFrames: 30, pictures: 480, audioFrames: 750, loopTicks: 1_440_000 },
  { rate: [30_000, 1001], gopFrames: 30, pictures: 640, audioFrames: 1001, loopTicks: 1_921_920 },
])('planLoop plans a loop of $rate with key frames every $gopFrames', ({ rate, gopFrames, ...plan }) => {
  expect(planLoop({ ...base, fpsNumerator: rate[0] ?? 0, fpsDenominator: rate[1] ?? 1, gopFrames })).toMatchObject(
    plan,
  );
});

test('every planned loop is exact in pictures, audio frames and ticks, and has a reasonable length', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...rates),
      fc.integer({ min: 1, max: 900 }),
      ([fpsNumerator, fpsDenominator], gopFrames) => {
        const plan = planLoop({ ...base, fpsNumerator, fpsDenominator, gopFrames });
        if (!plan) throw new Error('no plan');
        expect(
          Number.isInteger(plan.pictures) && Number.isInteger(plan.audioFrames) && Number.isInteger(plan.loopTicks),
        ).toBe(true);
        expect(plan.audioFrames * 1920).toBe(plan.loopTicks);
        expect((plan.pictures * 90_000 * fpsDenominator) / fpsNumerator).toBe(plan.loopTicks);
        expect(plan.loopTicks).toBeGreaterThanOrEqual(10 * 90_000);
        expect(plan.loopTicks).toBeLessThanOrEqual(65 * 90_000);
      },
    ),
  );
});
