import { describe, expect, it } from 'vitest';
import { ProblemThrottle } from './problem-throttle.ts';

describe('ProblemThrottle', () => {
  it('reports each code once a minute', () => {
    const news = new ProblemThrottle();
    expect([news.isNews('ts_continuity', 1000), news.isNews('rtp_lost', 1000)]).toEqual([true, true]);
    expect([news.isNews('ts_continuity', 30_000), news.isNews('ts_continuity', 60_999)]).toEqual([false, false]);
    expect([news.isNews('ts_continuity', 61_000), news.isNews('ts_continuity', 61_001)]).toEqual([true, false]);
  });
});
