import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GRIDS, columnsOf, gridFor, mergePlaces, pageCount, pageOf, pageSlice, stepIndex } from './grid-math.ts';

const directions = ['left', 'right', 'up', 'down', 'first', 'last'] as const;

describe('grid of the wall', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 4],
    [4, 4],
    [5, 9],
    [10, 16],
    [17, 16],
  ])('%i tiles go on a grid of %i', (count, grid) => {
    expect(gridFor(count)).toBe(grid);
  });

  it.each([
    [0, 4, 1],
    [4, 4, 1],
    [5, 4, 2],
    [33, 16, 3],
  ] as const)('%i tiles by %i take %i pages', (count, grid, pages) => {
    expect(pageCount(count, grid)).toBe(pages);
  });

  it('shows every tile on exactly one page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.constantFrom(...GRIDS), (count, grid) => {
        const all = Array.from({ length: count }, (_, index) => index);
        const pages = Array.from({ length: pageCount(count, grid) }, (_, page) => pageSlice(all, page, grid));
        expect(pages.flat()).toEqual(all);
        for (const index of all) expect(pageSlice(all, pageOf(index, grid), grid)).toContain(index);
      }),
    );
  });

  it('never leaves the wall with an arrow key', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(59),
        fc.constantFrom(...GRIDS),
        fc.constantFrom(...directions),
        (count, start, grid, direction) => {
          const next = stepIndex(Math.min(start, count - 1), direction, count, columnsOf(grid));
          expect(next).toBeGreaterThanOrEqual(0);
          expect(next).toBeLessThan(count);
        },
      ),
    );
  });

  it.each([
    ['down to a shorter row', 2, 'down', 7, 9, 5],
    ['down into the gap of the last row', 5, 'down', 7, 9, 6],
    ['down on the last row stays', 6, 'down', 7, 9, 6],
    ['down to the next page', 3, 'down', 8, 4, 5],
    ['right to the next page', 3, 'right', 8, 4, 4],
    ['up on the first row stays', 1, 'up', 8, 4, 1],
    ['nothing selected', -1, 'left', 8, 4, 0],
    ['empty wall', -1, 'right', 0, 4, -1],
  ] as const)('%s', (_, index, direction, count, grid, expected) => {
    expect(stepIndex(index, direction, count, columnsOf(grid))).toBe(expected);
  });

  it('keeps the order of known tiles', () => {
    expect(mergePlaces(['c', 'gone', 'a'], ['a', 'b', 'c'])).toEqual(['c', 'gone', 'a', 'b']);
    expect(mergePlaces(['c', 'gone', 'a'], ['a', 'gone', 'c'])).toEqual(['c', 'gone', 'a']);
  });

  it('forgets the oldest places of streams that went, when there are too many', () => {
    const gone = Array.from({ length: 600 }, (_, index) => `gone${index}`);
    const places = mergePlaces(['first', ...gone], ['first', 'new']);
    expect([places.length, places[0], places[1], places.at(-1)]).toEqual([502, 'first', 'gone100', 'new']);
  });

  it('has square grids', () => {
    expect(GRIDS.map((grid) => columnsOf(grid))).toEqual([1, 2, 3, 4]);
  });
});
