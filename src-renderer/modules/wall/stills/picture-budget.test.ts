import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MIN_PLAYING, CHECK_MS, nextBudget, UNLIMITED, type PictureBudget } from './picture-budget.ts';

const GOOD = { playing: 16, playable: 16, shown: 200, dropped: 2, frozen: 0 };
const BAD = { ...GOOD, shown: 150, dropped: 50 };
/** Budget after repeated samples over a time. */
function after(budget: PictureBudget, sample: typeof GOOD, ms: number, fromMs = 0): PictureBudget {
  return Array.from({ length: ms / CHECK_MS }).reduce<PictureBudget>(
    (now, _, index) => nextBudget(now, sample, fromMs + index * CHECK_MS),
    budget,
  );
}

describe('the maximum number of playing tiles', () => {
  it('is unlimited while few pictures are dropped, and is reduced after two seconds of many drops', () => {
    expect(after(UNLIMITED, GOOD, 60_000).maxPlaying).toBe(Infinity);
    const doubtful = after(after(UNLIMITED, BAD, 1_000), GOOD, 2_000, 1_000);
    expect([after(UNLIMITED, BAD, 1_500).maxPlaying, doubtful.maxPlaying]).toEqual([Infinity, Infinity]);
    expect(after(UNLIMITED, BAD, 2_000).maxPlaying).toBe(10);
    expect(after(UNLIMITED, { ...BAD, shown: 40, dropped: 60 }, 1_000).maxPlaying).toBe(5);
  });

  it('falls at once when a picture is about to freeze, and then waits for the effect', () => {
    const fewer = nextBudget(UNLIMITED, { ...GOOD, frozen: 1 }, 0);
    expect(fewer.maxPlaying).toBe(12);
    expect(nextBudget(fewer, { ...GOOD, frozen: 3 }, 2_500)).toBe(fewer);
    expect(nextBudget(fewer, { ...GOOD, playing: 12, frozen: 1 }, 3_000).maxPlaying).toBe(9);
  });

  it('rises by a quarter after a good minute, and is finally unlimited', () => {
    let budget = after(UNLIMITED, BAD, 2_000);
    expect(after(budget, { ...GOOD, playing: 10 }, 59_500, 2_000).maxPlaying).toBe(10);
    budget = after(budget, { ...GOOD, playing: 10 }, 62_000, 2_000);
    expect(budget.maxPlaying).toBe(13);
    expect(after(budget, { ...GOOD, playing: 13 }, 64_000, 64_000)).toMatchObject({ maxPlaying: Infinity, before: 13 });
  });

  it('returns to its value before a failed increase, and the next increase waits twice as long', () => {
    const more = after(after(UNLIMITED, BAD, 2_000), { ...GOOD, playing: 10 }, 62_000, 2_000);
    const failed = after(more, { ...BAD, playing: 13 }, 5_000, 64_000);
    expect(failed).toMatchObject({ maxPlaying: 10, waitMs: 120_000 });
    const again = after(failed, { ...GOOD, playing: 10 }, 125_000, 69_000);
    expect(again.maxPlaying).toBe(13);
    // After five good minutes an attempt counts as proven.
    const proven = after(again, { ...GOOD, playing: 13, playable: 0 }, 400_000, 194_000);
    expect(after(proven, { ...BAD, playing: 13 }, 2_000, 594_000).waitMs).toBe(60_000);
  });

  it('is at least four, and ignores samples of few pictures', () => {
    expect(after(UNLIMITED, { ...BAD, playing: 4, shown: 10, dropped: 90 }, 9_000).maxPlaying).toBe(Infinity);
    expect(after(UNLIMITED, { ...GOOD, shown: 0, dropped: 12 }, 9_000).maxPlaying).toBe(Infinity);
    const count = fc.nat(1000);
    const tiles = { playing: fc.nat(100), playable: fc.nat(100), frozen: fc.nat(3) };
    const sample = fc.record({ ...tiles, shown: count, dropped: count });
    fc.assert(
      fc.property(fc.array(sample), (samples) => {
        let budget = UNLIMITED;
        samples.forEach((one, index) => {
          budget = nextBudget(budget, one, index * 1_000);
          expect(budget.maxPlaying).toBeGreaterThanOrEqual(MIN_PLAYING);
        });
      }),
    );
  });
});
