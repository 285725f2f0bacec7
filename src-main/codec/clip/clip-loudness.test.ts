import fc from 'fast-check';
import { expect, it } from 'vitest';
import { integrated } from './clip-loudness.ts';

it('the integrated loudness of a clip excludes silence, and parts far below the rest', () => {
  expect(integrated([])).toBeUndefined();
  expect(integrated([Number.NaN, -120, -70])).toBeUndefined();
  expect(integrated([-23, -23, -120, Number.NaN])).toBeCloseTo(-23, 6);
  // Without the second gate the result would be about -26.
  expect(integrated([-23, -23, -50, -50])).toBeCloseTo(-23, 6);
});

it('the integrated loudness of a clip is between its softest and loudest part, and follows the gain', () => {
  const loudness = fc.array(fc.float({ min: -40, max: -5, noNaN: true }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(loudness, fc.integer({ min: -10, max: 10 }), (values, gain) => {
      const level = integrated(values) ?? Number.NaN;
      expect(level).toBeGreaterThanOrEqual(Math.min(...values) - 1e-6);
      expect(level).toBeLessThanOrEqual(Math.max(...values) + 1e-6);
      expect(integrated(values.map((value) => value + gain))).toBeCloseTo(level + gain, 4);
    }),
  );
});
