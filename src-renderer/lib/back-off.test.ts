import { describe, expect, it } from 'vitest';
import { BackOff } from './back-off.ts';

describe('BackOff', () => {
  it('doubles up to its limit and starts over', () => {
    const backOff = new BackOff({ firstMs: 500, maxMs: 3000, random: () => 0.5 });
    expect([backOff.next(), backOff.next(), backOff.next(), backOff.next(), backOff.next()]).toEqual([
      500, 1000, 2000, 3000, 3000,
    ]);
    expect(backOff.attempts).toBe(5);
    backOff.reset();
    expect(backOff.next()).toBe(500);
  });

  it('spreads by a quarter to both sides', () => {
    expect(new BackOff({ firstMs: 1000, maxMs: 9000, random: () => 0 }).next()).toBe(750);
    expect(new BackOff({ firstMs: 1000, maxMs: 9000, random: () => 1 }).next()).toBe(1250);
  });
});
