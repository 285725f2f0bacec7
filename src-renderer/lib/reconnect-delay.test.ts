import { describe, expect, it } from 'vitest';
import { ReconnectDelay } from './reconnect-delay.ts';

describe('ReconnectDelay', () => {
  it('doubles up to its limit, and can be reset', () => {
    const delay = new ReconnectDelay({ firstMs: 500, maxMs: 3000, random: () => 0.5 });
    expect([delay.next(), delay.next(), delay.next(), delay.next(), delay.next()]).toEqual([
      500, 1000, 2000, 3000, 3000,
    ]);
    expect(delay.attempts).toBe(5);
    delay.reset();
    expect(delay.next()).toBe(500);
  });

  it('is randomized by a quarter in both directions', () => {
    expect(new ReconnectDelay({ firstMs: 1000, maxMs: 9000, random: () => 0 }).next()).toBe(750);
    expect(new ReconnectDelay({ firstMs: 1000, maxMs: 9000, random: () => 1 }).next()).toBe(1250);
  });
});
