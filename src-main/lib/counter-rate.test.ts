import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CounterRate } from './counter-rate.ts';

describe('CounterRate', () => {
  it('is the rate of a steady counter, from the second reading on', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 5000 }), fc.nat(1000), (perStep, stepMs, start) => {
        const rate = new CounterRate(5000);
        rate.take(start, 0);
        expect(rate.perSecond).toBe(0);
        for (let step = 1; step <= 20; step++) {
          rate.take(start + step * perStep, step * stepMs);
          expect(rate.perSecond).toBeCloseTo((perStep * 1000) / stepMs, 6);
        }
      }),
    );
  });

  it('is 0 after a window without changes', () => {
    const rate = new CounterRate(5000);
    rate.take(0, 0);
    for (let second = 1; second <= 6; second++) {
      rate.take(1000, second * 1000);
      expect(rate.perSecond > 0).toBe(second < 6);
    }
  });

  it('smooths bursts shorter than its window', () => {
    const rate = new CounterRate(10_000);
    let bytes = 0;
    for (let second = 0; second <= 60; second++) {
      if (second % 2 === 0) bytes += 250_000;
      rate.take(bytes, second * 1000);
    }
    expect(rate.perSecond).toBe(125_000);
  });

  it('counts everything at any times, and is the count of the last readings divided by their time', () => {
    const step = fc.record({ grows: fc.nat(1_000_000), passesMs: fc.nat(3000), restarts: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.array(step), (windowMs, steps) => {
        const rate = new CounterRate(windowMs);
        const readings = [{ atMs: 0, total: 0 }];
        let counter = 0;
        let now = 0;
        let sent = 0;
        let counted = rate.take(0, 0);
        const read = (): void => {
          counted += rate.take(counter, now);
          readings.push({ atMs: now, total: sent });
          const last = { atMs: now, total: sent };
          const first = readings.findLast(({ atMs }) => now - atMs >= windowMs) ?? readings[0] ?? last;
          expect(rate.perSecond).toBeCloseTo(((last.total - first.total) * 1000) / (last.atMs - first.atMs), 6);
        };
        for (const { grows, passesMs, restarts } of steps) {
          now += passesMs + 1;
          counter = restarts ? 0 : counter;
          read();
          counter += grows;
          sent += grows;
          now++;
          read();
          expect(rate.take(counter + 5, now)).toBe(0);
        }
        expect(counted).toBe(sent);
      }),
    );
  });

  it('continues when the clock is set back', () => {
    const rate = new CounterRate(5000);
    rate.take(0, 100_000);
    rate.take(500, 101_000);
    expect(rate.take(700, 2000)).toBe(200);
    expect(rate.take(900, 3000)).toBe(200);
    expect(rate.perSecond).toBe(200);
  });
});
