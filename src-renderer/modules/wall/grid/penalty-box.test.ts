import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALM_MS, nextBox, type PenaltyBox } from './penalty-box.ts';

const names = (box: PenaltyBox): (string | null)[] => box.map((one) => one?.stream ?? null);
const alarmed = (ranks: Record<string, number>): ReadonlyMap<string, number> => new Map(Object.entries(ranks));

describe('PenaltyBox', () => {
  it('shows the most severe alarms, each in a fixed cell', () => {
    let box = nextBox([], alarmed({ b: 1, a: 0 }), 2, 0);
    expect(names(box)).toEqual(['a', 'b']);
    box = nextBox(box, alarmed({ b: 1 }), 2, 1000);
    expect(names(box)).toEqual(['a', 'b']);
    box = nextBox(box, alarmed({ b: 1 }), 2, 1000 + CALM_MS);
    expect(names(box)).toEqual([null, 'b']);
  });

  it('keeps a tile whose alarm returns soon', () => {
    let box = nextBox([], alarmed({ a: 0 }), 1, 0);
    box = nextBox(box, alarmed({}), 1, 1000);
    box = nextBox(box, alarmed({ a: 0 }), 1, 2000);
    box = nextBox(box, alarmed({}), 1, 3000);
    expect(names(nextBox(box, alarmed({}), 1, 2999 + CALM_MS))).toEqual(['a']);
    expect(names(nextBox(box, alarmed({}), 1, 3000 + CALM_MS))).toEqual([null]);
  });

  it('replaces an ended or less severe alarm by a more severe one, but not by an equal one', () => {
    const full = nextBox([], alarmed({ a: 1, b: 2 }), 2, 0);
    expect(names(nextBox(full, alarmed({ a: 1, b: 2, c: 0 }), 2, 1))).toEqual(['a', 'c']);
    expect(names(nextBox(full, alarmed({ a: 1, b: 2, c: 2 }), 2, 1))).toEqual(['a', 'b']);
    expect(names(nextBox(full, alarmed({ b: 2, c: 2 }), 2, 1))).toEqual(['c', 'b']);
  });

  it('has at most one stream per cell, no stream twice, and no free cell while an alarm waits', () => {
    const step = fc.tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(2)),
      fc.nat(4),
      fc.nat(2 * CALM_MS),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let [box, now]: [PenaltyBox, number] = [[], 0];
        for (const [ranks, count, waitMs] of steps) {
          now += waitMs;
          box = nextBox(box, alarmed(ranks), count, now);
          const inside = names(box).filter((name) => name !== null);
          expect(box).toHaveLength(count);
          expect(new Set(inside).size).toBe(inside.length);
          const waiting = Object.keys(ranks).filter((name) => !inside.includes(name));
          if (waiting.length > 0) expect(names(box)).not.toContain(null);
          const best = Math.min(...waiting.map((name) => ranks[name] ?? 9));
          for (const one of box)
            expect(one === null || one.calmSinceMs !== null ? best : best).toBeGreaterThanOrEqual(one?.rank ?? 0);
        }
      }),
    );
  });

  it('handles a thousand alarms', () => {
    const many = new Map(Array.from({ length: 1000 }, (_, index) => [`s${index}`, index % 3]));
    expect(names(nextBox([], many, 2, 0))).toEqual(['s0', 's3']);
    expect(nextBox([], new Map(), 0, 0)).toEqual([]);
  });
});
