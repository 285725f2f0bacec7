import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEAST_PLAYING, nextBudget, UNLIMITED, type PictureBudget } from './picture-budget.ts';

const GOOD = { playing: 16, shown: 800, dropped: 10 };
const BAD = { playing: 16, shown: 600, dropped: 200 };
/** The budget after so many looks, two seconds apart. */
function after(budget: PictureBudget, look: typeof GOOD, looks: number, fromMs = 0): PictureBudget {
  return Array.from({ length: looks }).reduce<PictureBudget>(
    (now, _, index) => nextBudget(now, look, fromMs + index * 2000),
    budget,
  );
}

describe('tiles that may play', () => {
  it('are all as long as few pictures are dropped, and half where many are for some seconds', () => {
    expect(after(UNLIMITED, GOOD, 100)).toEqual(UNLIMITED);
    expect(after(UNLIMITED, BAD, 2).most).toBe(Infinity);
    expect(after(after(UNLIMITED, BAD, 2), GOOD, 1)).toMatchObject({ most: Infinity, badLooks: 0 });
    expect(after(UNLIMITED, BAD, 3).most).toBe(8);
  });

  it('are one more after a minute in which all was well, and the next try comes later after one that failed', () => {
    const half = after(UNLIMITED, BAD, 3);
    expect(after(half, { ...GOOD, playing: 8 }, 29, 6000).most).toBe(8);
    const more = after(half, { ...GOOD, playing: 8 }, 31, 6000);
    expect(more.most).toBe(9);
    const failed = after(more, { ...BAD, playing: 9 }, 3, 70_000);
    expect(failed).toMatchObject({ most: 4, waitMs: 120_000 });
  });

  it('never are fewer than four, and a look at few pictures says nothing', () => {
    expect(after(UNLIMITED, { playing: 4, shown: 10, dropped: 90 }, 10)).toEqual(UNLIMITED);
    expect(after(UNLIMITED, { playing: 16, shown: 0, dropped: 49 }, 10)).toEqual(UNLIMITED);
    const look = fc.record({ playing: fc.nat(100), shown: fc.nat(1000), dropped: fc.nat(1000) });
    fc.assert(
      fc.property(fc.array(look), (looks) => {
        let budget = UNLIMITED;
        looks.forEach((one, index) => {
          budget = nextBudget(budget, one, index * 2000);
          expect(budget.most).toBeGreaterThanOrEqual(LEAST_PLAYING);
        });
      }),
    );
  });
});
