import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FeedPace } from './feed-pace.ts';

describe('FeedPace', () => {
  it('plays at normal speed with the target buffer, faster with more, slower with less', () => {
    expect(new FeedPace().arrived(130, 0)).toEqual({ rate: 1, jumpMs: 0 });
    expect(new FeedPace().arrived(400, 0).rate).toBeGreaterThan(1.05);
    expect(new FeedPace().arrived(40, 0).rate).toBeLessThan(1);
  });

  it('skips a large surplus', () => {
    expect(new FeedPace().arrived(4_130, 0)).toEqual({ rate: 1, jumpMs: 4_000 });
  });

  it('ignores single early arrivals, and keeps a larger buffer after a stall', () => {
    const pace = new FeedPace();
    pace.arrived(130, 0);
    expect(pace.arrived(600, 500).rate).toBe(1);
    pace.stalled();
    expect(pace.arrived(130, 1_000).rate).toBeLessThan(1);
    // The larger target decays.
    expect(pace.arrived(130, 60_000).rate).toBe(1);
  });

  it('stays within tolerable speeds, and never jumps back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 60_000 }), { minLength: 1 }), (leads) => {
        const pace = new FeedPace();
        for (const [index, lead] of leads.entries()) {
          const { rate, jumpMs } = pace.arrived(lead, index * 130);
          expect(rate >= 0.96 && rate <= 1.08 && jumpMs >= 0).toBe(true);
          if (lead < 0) pace.stalled();
        }
      }),
    );
  });

  it('settles close to the live edge from any start', () => {
    const pace = new FeedPace();
    let leadMs = 900;
    for (let atMs = 0; atMs < 20_000; atMs += 130) leadMs -= (pace.arrived(leadMs, atMs).rate - 1) * 130;
    expect(leadMs).toBeGreaterThan(80);
    expect(leadMs).toBeLessThan(200);
  });
});
