import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateEstimator } from './rate.ts';

describe('RateEstimator', () => {
  it('finds a steady rate within a part of a second', () => {
    const estimator = new RateEstimator();
    for (let frame = 0; frame < 500; frame++) estimator.add(1, 1_700_000_000_000 + frame * 40);
    expect(estimator.perSecond(1_700_000_000_000 + 500 * 40)).toBeCloseTo(25, 0);
  });

  it('says nothing before it knows, and falls to nothing when all is still', () => {
    const estimator = new RateEstimator({ windowMs: 1000, buckets: 10 });
    expect(estimator.perSecond(5)).toBe(0);
    estimator.add(1, 10);
    expect(estimator.perSecond(20)).toBe(0);
    estimator.add(9, 510);
    expect(estimator.perSecond(510)).toBeCloseTo(20, 5);
    expect(estimator.perSecond(1200)).toBeGreaterThan(0);
    expect(estimator.perSecond(1700)).toBe(0);
    expect(estimator.perSecond(9e9)).toBe(0);
  });

  it('forgets', () => {
    const estimator = new RateEstimator();
    estimator.add(1, 0);
    estimator.reset();
    expect(estimator.perSecond(10_000)).toBe(0);
  });

  it('never gives what was not counted, with a clock that may run backwards', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -2000, max: 3000 }), fc.integer({ min: 0, max: 1000 })), {
      minLength: 1,
      maxLength: 80,
    });
    fc.assert(
      fc.property(steps, (list) => {
        const estimator = new RateEstimator({ windowMs: 1000, buckets: 5 });
        let now = 1e12;
        let total = 0;
        for (const [step, amount] of list) {
          now += step;
          total += amount;
          estimator.add(amount, now);
          const rate = estimator.perSecond(now);
          expect(rate).toBeGreaterThanOrEqual(0);
          expect(rate).toBeLessThanOrEqual(total * 5);
        }
      }),
    );
  });
});
