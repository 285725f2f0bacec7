import type { WallCell, WallLayout } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { cellsOf } from './placing.ts';

/** Layout of the menu. */
export interface Preset {
  /** Label; a figure that is the same in every language. */
  readonly name: string;
  readonly layout: WallLayout;
}

/** Grid of equal tiles. */
function uniformGrid(columns: number, rows: number): WallLayout {
  return { columns, rows, cells: [] };
}

/** Large tiles, with small ones in all other places of the grid. */
function around(side: number, large: readonly (readonly [x: number, y: number, size: number])[]): WallLayout {
  const cells: WallCell[] = large.map(([x, y, size]) => ({ x, y, w: size, h: size, tile: { kind: 'next' } }));
  for (let place = 0; place < side * side; place++) {
    const [x, y] = [place % side, Math.floor(place / side)];
    const isTaken = large.some(([left, top, size]) => x >= left && x < left + size && y >= top && y < top + size);
    if (!isTaken) cells.push({ x, y, w: 1, h: 1, tile: { kind: 'next' } });
  }
  return { columns: side, rows: side, cells };
}

/** Layouts of the menu: grids, and large tiles surrounded by small ones. */
export const PRESETS: readonly Preset[] = [
  { name: '1', layout: uniformGrid(1, 1) },
  { name: '2×2', layout: uniformGrid(2, 2) },
  { name: '3×3', layout: uniformGrid(3, 3) },
  { name: '4×4', layout: uniformGrid(4, 4) },
  { name: '2×1', layout: uniformGrid(2, 1) },
  { name: '3×2', layout: uniformGrid(3, 2) },
  { name: '5×5', layout: uniformGrid(5, 5) },
  { name: '1+5', layout: around(3, [[0, 0, 2]]) },
  { name: '1+7', layout: around(4, [[0, 0, 3]]) },
  { name: '1+12', layout: around(4, [[1, 1, 2]]) },
  {
    name: '2+8',
    layout: around(4, [
      [0, 0, 2],
      [2, 0, 2],
    ]),
  },
  {
    name: '3+4',
    layout: around(4, [
      [0, 0, 2],
      [2, 0, 2],
      [0, 2, 2],
    ]),
  },
];

/** True if two layouts have the same cells, whatever their content. */
export function isSameShape(one: WallLayout, other: WallLayout): boolean {
  const text = (layout: WallLayout): string =>
    [layout.columns, layout.rows, ...cellsOf(layout).flatMap(({ x, y, w, h }) => [x, y, w, h])].join();
  return text(one) === text(other);
}
