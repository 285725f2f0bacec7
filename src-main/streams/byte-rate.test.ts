import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteRate } from './byte-rate.ts';

describe('the rate of a counter', () => {
  it('is that of a steady counter, from the second reading on', () => {
    const rate = new ByteRate();
    rate.take(1000, 0);
    expect(rate.kbit).toBe(0);
    for (let second = 1; second <= 10; second++) {
      rate.take(1000 + second * 125_000, second * 1000);
      expect(rate.kbit).toBe(1000);
    }
  });

  it('comes down when nothing comes any more', () => {
    const rate = new ByteRate();
    rate.take(0, 0);
    rate.take(125_000, 1000);
    for (let second = 2; second <= 61; second++) rate.take(125_000, second * 1000);
    expect(rate.kbit).toBe(0);
  });

  it('evens out bursts', () => {
    const rate = new ByteRate();
    let bytes = 0;
    for (let second = 0; second <= 60; second++) {
      if (second % 2 === 0) bytes += 250_000;
      rate.take(bytes, second * 1000);
    }
    expect(rate.kbit).toBeGreaterThan(850);
    expect(rate.kbit).toBeLessThan(1150);
  });

  it('counts all bytes, whatever the times are, and never gives a negative rate', () => {
    const step = fc.record({ grows: fc.nat(1_000_000), passesMs: fc.nat(3000), restarts: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const rate = new ByteRate();
        let counter = 0;
        let now = 0;
        let sent = 0;
        let counted = rate.take(0, 0);
        for (const { grows, passesMs, restarts } of steps) {
          now += passesMs + 1;
          counter = restarts ? 0 : counter;
          counted += rate.take(counter, now++);
          counter += grows;
          sent += grows;
          counted += rate.take(counter, now);
          expect(rate.take(counter + 5, now)).toBe(0);
          expect(rate.kbit).toBeGreaterThanOrEqual(0);
        }
        expect(counted).toBe(sent);
      }),
    );
  });
});
