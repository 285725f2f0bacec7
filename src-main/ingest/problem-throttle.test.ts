import { describe, expect, it } from 'vitest';
import { ProblemThrottle } from './problem-throttle.ts';

describe('ProblemThrottle', () => {
  it('reports each code at most once a minute', () => {
    const throttle = new ProblemThrottle();
    expect([throttle.isDue('ts_continuity', 1000), throttle.isDue('rtp_lost', 1000)]).toEqual([true, true]);
    expect([throttle.isDue('ts_continuity', 30_000), throttle.isDue('ts_continuity', 60_999)]).toEqual([false, false]);
    expect([throttle.isDue('ts_continuity', 61_000), throttle.isDue('ts_continuity', 61_001)]).toEqual([true, false]);
  });
});
