import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

const shape = fc.record({ burst: fc.integer({ min: 1, max: 20 }), every: fc.integer({ min: 1, max: 1000 }) });
const steps = fc.array(fc.nat(3000), { maxLength: 100 });

describe('TokenBucket', () => {
  it('allows its burst at once, and then one token per period', () => {
    const bucket = new TokenBucket(3, 500);
    const countTaken = (atMs: number, times: number) =>
      Array.from({ length: times }, () => bucket.take(atMs)).filter(Boolean).length;
    expect(countTaken(1000, 5)).toBe(3);
    expect(countTaken(1400, 1)).toBe(0);
    expect(countTaken(1500, 2)).toBe(1);
    expect(countTaken(2500, 5)).toBe(2);
    expect(countTaken(60_000, 9)).toBe(3);
    expect(countTaken(0, 1)).toBe(0);
  });

  it('reports the time until all tokens are available', () => {
    const bucket = new TokenBucket(3, 500);
    expect(bucket.untilFull(1000)).toBe(0);
    bucket.take(1000);
    bucket.take(1000);
    expect(bucket.untilFull(1000)).toBe(1000);
    expect(bucket.untilFull(1400)).toBe(600);
    bucket.giveBack();
    expect(bucket.untilFull(1400)).toBe(100);
    expect(bucket.untilFull(9000)).toBe(0);
  });

  it('allows at most its burst plus one token per period in any interval, and exactly that for constant demand', () => {
    fc.assert(
      fc.property(shape, steps, ({ burst, every }, passed) => {
        const bucket = new TokenBucket(burst, every);
        const takenAt: number[] = [];
        let at = 0;
        for (const step of passed) {
          at += step;
          while (bucket.take(at)) takenAt.push(at);
        }
        for (const [first, from] of takenAt.entries())
          for (const [last, to] of takenAt.entries())
            if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(burst + (to - from) / every);
        const patient = new TokenBucket(burst, every);
        const count = Array.from({ length: at + 1 }, (_, place) => place).filter((place) => patient.take(place)).length;
        expect(count).toBeGreaterThanOrEqual(Math.floor(at / every));
      }),
      { numRuns: 50 },
    );
  });

  it('has the next token after its wait, and not before', () => {
    fc.assert(
      fc.property(shape, steps, ({ burst, every }, passed) => {
        const bucket = new TokenBucket(burst, every);
        let at = 0;
        for (const step of passed) {
          at += step;
          const wait = bucket.wait(at);
          expect(bucket.take(at)).toBe(wait === 0);
          if (wait === 0) continue;
          expect(bucket.take(at + wait - 1)).toBe(false);
          at += wait;
          expect(bucket.take(at)).toBe(true);
        }
      }),
    );
  });

  it('is unchanged when a token is given back', () => {
    fc.assert(
      fc.property(shape, steps, ({ burst, every }, passed) => {
        const bucket = new TokenBucket(burst, every);
        const other = new TokenBucket(burst, every);
        let at = 0;
        for (const step of passed) {
          at += step;
          if (other.take(at)) other.giveBack();
          if (step % 2 === 0) expect(other.take(at)).toBe(bucket.take(at));
        }
      }),
    );
  });

  it('adds no tokens when the clock is set back', () => {
    fc.assert(
      fc.property(shape, fc.array(fc.nat(10_000)), ({ burst, every }, places) => {
        const bucket = new TokenBucket(burst, every);
        while (bucket.take(0));
        let expectedWait = every;
        let at = 0;
        for (const place of places) {
          const wait = bucket.wait(place);
          if (place <= at) expect(wait).toBe(expectedWait);
          expectedWait = wait;
          at = place;
        }
      }),
    );
  });
});
