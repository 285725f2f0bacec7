import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallLayoutSchema, type WallLayout } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { cellsOf } from '../layout/placing.ts';
import { PRESETS } from '../layout/presets.ts';
import {
  addCell,
  cellAt,
  dropCell,
  freePlaces,
  moveCell,
  removeCell,
  resizeGrid,
  setTile,
  spanCell,
} from './cell-edit.ts';

const PLAIN: WallLayout = { columns: 3, rows: 2, cells: [] };
/** Prints a layout: one letter per cell, in reading order. */
function drawn(layout: WallLayout): string[] {
  return Array.from({ length: layout.rows }, (_, y) =>
    Array.from({ length: layout.columns }, (_, x) => {
      const cell = cellAt(layout, { x, y });
      return cell ? String.fromCharCode(97 + cellsOf(layout).indexOf(cell)) : '.';
    }).join(''),
  );
}
const first = (layout: WallLayout, x = 0, y = 0): NonNullable<ReturnType<typeof cellAt>> => cellAt(layout, { x, y })!;

describe('changes of a layout', () => {
  it('let a spanning cell replace others, and release their places when it shrinks', () => {
    const large = spanCell(PLAIN, first(PLAIN), 2, 2);
    expect(drawn(large)).toEqual(['aab', 'aac']);
    expect(drawn(spanCell(large, first(large), 9, 1))).toEqual(['aaa', 'bcd']);
  });

  it('swap a large cell with small ones, if they fit', () => {
    const large = spanCell(PLAIN, first(PLAIN), 2, 2);
    expect(drawn(moveCell(large, first(large), 1, 0))).toEqual(['abb', 'cbb']);
    const wide = spanCell(PLAIN, first(PLAIN, 1, 0), 2, 1);
    expect(moveCell(wide, first(wide, 0, 1), 0, -1).cells).toEqual(
      expect.arrayContaining([expect.objectContaining({ x: 0, y: 0 })]),
    );
    const below = spanCell(PLAIN, first(PLAIN, 0, 1), 2, 1);
    expect(moveCell(below, first(below), 0, 1)).toBe(below);
  });

  it('swap the contents of two cells, or move a cell to a free place if it fits', () => {
    const one = setTile(PLAIN, first(PLAIN), { kind: 'stream', stream: 'cam1' });
    const swapped = dropCell(one, first(one), { x: 2, y: 1 });
    expect([first(swapped).tile, first(swapped, 2, 1).tile]).toEqual([
      { kind: 'next' },
      { kind: 'stream', stream: 'cam1' },
    ]);
    const free = removeCell(swapped, first(swapped, 1, 0));
    expect(freePlaces(free)).toEqual([{ x: 1, y: 0 }]);
    expect(drawn(dropCell(free, first(free), { x: 1, y: 0 }))).toEqual(['.ab', 'cde']);
    const wide = spanCell(free, first(free, 0, 1), 2, 1);
    expect(dropCell(wide, first(wide, 0, 1), { x: 1, y: 0 })).toBe(wide);
  });

  it('add a cell at a free place only, and never remove the last cell', () => {
    const free = removeCell(PLAIN, first(PLAIN));
    expect(drawn(addCell(free, { x: 0, y: 0 }))).toEqual(['abc', 'def']);
    expect(addCell(PLAIN, { x: 0, y: 0 })).toBe(PLAIN);
    const one: WallLayout = { columns: 1, rows: 1, cells: [] };
    expect(removeCell(one, first(one))).toBe(one);
  });

  it('cut cells for a smaller grid, and add cells for a larger one', () => {
    const large = spanCell(PLAIN, first(PLAIN), 2, 2);
    expect(drawn(resizeGrid(large, 1, 3))).toEqual(['a', 'a', 'b']);
    expect(drawn(resizeGrid(PLAIN, 2, 9))).toHaveLength(8);
  });

  it('always result in a valid layout', () => {
    const place = fc.record({ x: fc.nat(8), y: fc.nat(8) });
    const step = fc.tuple(fc.constantFrom('move', 'drop', 'span', 'add', 'remove', 'resize'), place, place);
    fc.assert(
      fc.property(fc.constantFrom(...PRESETS), fc.array(step, { maxLength: 20 }), ({ layout }, steps) => {
        const last = steps.reduce((now, [what, from, to]) => {
          if (what === 'resize') return resizeGrid(now, from.x, from.y);
          const free = freePlaces(now)[0];
          if (what === 'add') return free ? addCell(now, free) : now;
          const cell = cellAt(now, { x: from.x % now.columns, y: from.y % now.rows });
          if (!cell) return now;
          if (what === 'move') return moveCell(now, cell, to.x - 4, to.y - 4);
          if (what === 'drop') return dropCell(now, cell, { x: to.x % now.columns, y: to.y % now.rows });
          return what === 'span' ? spanCell(now, cell, to.x, to.y) : removeCell(now, cell);
        }, layout);
        expect(wallLayoutSchema.safeParse(last).success).toBe(true);
        expect(cellsOf(last).length).toBeGreaterThan(0);
      }),
      { numRuns: 50 },
    );
  });
});
