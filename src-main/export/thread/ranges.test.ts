import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ranges } from './ranges.ts';

const rows = fc.array(fc.record({ sizeBytes: fc.integer({ min: 0, max: 1000 }) }), { maxLength: 200 });

function rangesOf(sizes: readonly { readonly sizeBytes: number }[], max: number): Ranges {
  const ranges = new Ranges(max);
  for (const [at, { sizeBytes }] of sizes.entries()) ranges.add(at * 40, sizeBytes);
  return ranges;
}

describe('the ranges of an exported file', () => {
  it('list each row as long as there is room for it', () => {
    expect(rangesOf([{ sizeBytes: 3 }, { sizeBytes: 5 }], 2).list).toEqual([
      { startMs: 0, sizeBytes: 3 },
      { startMs: 40, sizeBytes: 5 },
    ]);
  });

  it('merge neighbours when there is no room', () => {
    const sizes = [1, 2, 4, 8, 16].map((sizeBytes) => ({ sizeBytes }));
    expect(rangesOf(sizes, 4).list).toEqual([
      { startMs: 0, sizeBytes: 3 },
      { startMs: 80, sizeBytes: 12 },
      { startMs: 160, sizeBytes: 16 },
    ]);
  });

  it('cover each byte once, in equal numbers of rows, and never exceed their maximum', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (sizes, max) => {
        const { list } = rangesOf(sizes, max);
        expect(list.length).toBeLessThanOrEqual(max);
        if (sizes.length > 0) expect(list.length).toBeGreaterThan(0);
        for (const [at, { startMs, sizeBytes }] of list.entries()) {
          const from = startMs / 40;
          const to = (list[at + 1]?.startMs ?? sizes.length * 40) / 40;
          // Only the last range may have fewer rows.
          if (at + 1 < list.length) expect(to - from).toBe((list[1]?.startMs ?? 0) / 40);
          expect(sizeBytes).toBe(sizes.slice(from, to).reduce((sum, row) => sum + row.sizeBytes, 0));
        }
      }),
    );
  });
});
