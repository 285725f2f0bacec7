import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GRIDS, mergePlaces, shapeFor, squareOf, stepIndex } from './grid-math.ts';

const directions = ['left', 'right', 'up', 'down', 'first', 'last'] as const;

describe('the grid of the wall', () => {
  it.each([
    [0, 16 / 9, 1, 1],
    [2, 16 / 9, 2, 1],
    [4, 16 / 9, 2, 2],
    [5, 16 / 9, 3, 2],
    [8, 16 / 9, 3, 3],
    [11, 16 / 9, 4, 3],
    [40, 16 / 9, 4, 4],
    [8, 32 / 9, 4, 2],
    [3, 9 / 16, 1, 3],
  ])('shows %i tiles on a wall of %d:1 in %i columns and %i rows', (count, aspect, columns, rows) => {
    expect(shapeFor(count, aspect)).toEqual({ columns, rows });
  });

  it('has room for every tile, and no other shape has larger pictures', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.double({ min: 0.3, max: 5, noNaN: true }), (count, aspect) => {
        const widthIn = (columns: number, rows: number): number => Math.min(1 / columns, 16 / 9 / aspect / rows);
        const { columns, rows } = shapeFor(count, aspect);
        expect(columns * rows).toBeGreaterThanOrEqual(count);
        for (let other = 1; other <= count; other++)
          expect(widthIn(columns, rows)).toBeGreaterThan(0.9 * widthIn(other, Math.ceil(count / other)));
      }),
    );
  });

  it('is not left with arrow keys', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(59),
        fc.constantFrom(...GRIDS),
        fc.constantFrom(...directions),
        (count, start, grid, direction) => {
          const next = stepIndex(Math.min(start, count - 1), direction, count, squareOf(grid).columns);
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
  ] as const)('is navigated: %s', (_, index, direction, count, grid, expected) => {
    expect(stepIndex(index, direction, count, squareOf(grid).columns)).toBe(expected);
  });

  it('keeps the order of known tiles', () => {
    expect(mergePlaces(['c', 'gone', 'a'], ['a', 'b', 'c'])).toEqual(['c', 'gone', 'a', 'b']);
    expect(mergePlaces(['c', 'gone', 'a'], ['a', 'gone', 'c'])).toEqual(['c', 'gone', 'a']);
  });

  it('drops the oldest positions of removed streams when there are too many', () => {
    const gone = Array.from({ length: 600 }, (_, index) => `gone${index}`);
    const places = mergePlaces(['first', ...gone], ['first', 'new']);
    expect([places.length, places[0], places[1], places.at(-1)]).toEqual([502, 'first', 'gone100', 'new']);
  });

  it('has square presets', () => {
    expect(GRIDS.map((grid) => squareOf(grid).columns)).toEqual([1, 2, 3, 4]);
  });
});
