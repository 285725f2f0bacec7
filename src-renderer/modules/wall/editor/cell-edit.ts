import {
  isOverlap,
  isValidLayout,
  type WallCell,
  type WallLayout,
  type WallTile,
} from '../../../../src-preload/contract/operations/wall-calls.ts';
import { cellsOf } from '../layout/placing.ts';

/** Maximum number of columns, and of rows, of a page. */
export const MAX_SIDE = 8;

/** Position in the grid. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

const NEXT: WallTile = { kind: 'next' };
const within = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** Cell that covers a position; undefined if it is free. */
export function cellAt(layout: WallLayout, { x, y }: Place): WallCell | undefined {
  return cellsOf(layout).find((cell) => isOverlap(cell, { x, y, w: 1, h: 1 }));
}

/** Positions without a cell. */
export function freePlaces(layout: WallLayout): readonly Place[] {
  const cells = cellsOf(layout);
  return Array.from({ length: layout.columns * layout.rows }, (_, index) => ({
    x: index % layout.columns,
    y: Math.floor(index / layout.columns),
  })).filter((place) => !cells.some((cell) => isOverlap(cell, { ...place, w: 1, h: 1 })));
}

/** Replaces cells of a layout. A layout without cells would be a plain grid, so one cell always stays. */
function withCells(layout: WallLayout, cells: readonly WallCell[]): WallLayout {
  return cells.length === 0 ? layout : { ...layout, cells: [...cells] };
}

/** Replaces one cell. */
function replaced(layout: WallLayout, cell: WallCell, by: WallCell): WallLayout {
  return withCells(
    layout,
    cellsOf(layout).map((other) => (isSame(other, cell) ? by : other)),
  );
}

function isSame(cell: WallCell, other: WallCell): boolean {
  return cell.x === other.x && cell.y === other.y;
}

/** Moves a cell, limited to the grid. */
function movedTo(layout: WallLayout, cell: WallCell, { x, y }: Place): WallCell {
  return { ...cell, x: within(x, 0, layout.columns - cell.w), y: within(y, 0, layout.rows - cell.h) };
}

/**
 * Moves a cell by columns and rows. Cells in its way move into the space that becomes free; if they do not fit there, nothing
 * moves.
 */
export function moveCell(layout: WallLayout, cell: WallCell, dx: number, dy: number): WallLayout {
  const moved = movedTo(layout, cell, { x: cell.x + dx, y: cell.y + dy });
  const jumped = cellsOf(layout)
    .filter((other) => !isSame(other, cell))
    .map((other) => {
      if (!isOverlap(other, moved)) return other;
      return { ...other, x: other.x - Math.sign(dx) * cell.w, y: other.y - Math.sign(dy) * cell.h };
    });
  const edited = { ...layout, cells: [moved, ...jumped] };
  return isValidLayout(edited) ? edited : layout;
}

/** Drops a cell at a position: the two cells swap their contents, or the cell moves if the position is free and the cell fits. */
export function dropCell(layout: WallLayout, cell: WallCell, place: Place): WallLayout {
  const target = cellAt(layout, place);
  if (target) return swapTiles(layout, cell, target);
  const moved = replaced(layout, cell, movedTo(layout, cell, place));
  return isValidLayout(moved) ? moved : layout;
}

function swapTiles(layout: WallLayout, first: WallCell, second: WallCell): WallLayout {
  return withCells(
    layout,
    cellsOf(layout).map((cell) => {
      if (isSame(cell, first)) return { ...cell, tile: second.tile };
      return isSame(cell, second) ? { ...cell, tile: first.tile } : cell;
    }),
  );
}

/**
 * Sets the span of a cell, limited to the grid. Covered cells are removed; uncovered positions are filled by the next streams.
 */
export function spanCell(layout: WallLayout, cell: WallCell, w: number, h: number): WallLayout {
  const spanned = { ...cell, w: within(w, 1, layout.columns - cell.x), h: within(h, 1, layout.rows - cell.y) };
  const uncovered = cellsOf(layout).filter((other) => !isSame(other, cell) && !isOverlap(other, spanned));
  const freed = placesOf(cell).filter((place) => !isOverlap(place, spanned));
  return withCells(layout, [spanned, ...uncovered, ...freed]);
}

/** One cell for the next stream at each position of a rectangle. */
function placesOf({ x, y, w, h }: Omit<WallCell, 'tile'>): readonly WallCell[] {
  return Array.from({ length: w * h }, (_, index) => ({
    x: x + (index % w),
    y: y + Math.floor(index / w),
    w: 1,
    h: 1,
    tile: NEXT,
  }));
}

/** Adds a cell at a free position. */
export function addCell(layout: WallLayout, place: Place): WallLayout {
  if (cellAt(layout, place)) return layout;
  return withCells(layout, [...cellsOf(layout), { ...place, w: 1, h: 1, tile: NEXT }]);
}

/** Removes a cell, unless it is the last one. */
export function removeCell(layout: WallLayout, cell: WallCell): WallLayout {
  return withCells(
    layout,
    cellsOf(layout).filter((other) => !isSame(other, cell)),
  );
}

/** Sets the content of a cell. */
export function setTile(layout: WallLayout, cell: WallCell, tile: WallTile): WallLayout {
  return replaced(layout, cell, { ...cell, tile });
}

/** Resizes the grid. Cells are cut to it; new positions are filled by the next streams. */
export function resizeGrid(layout: WallLayout, columns: number, rows: number): WallLayout {
  const size = { columns: within(columns, 1, MAX_SIDE), rows: within(rows, 1, MAX_SIDE) };
  if (layout.cells.length === 0) return { ...layout, ...size };
  const remaining = layout.cells
    .filter(({ x, y }) => x < size.columns && y < size.rows)
    .map((cell) => ({
      ...cell,
      w: Math.min(cell.w, size.columns - cell.x),
      h: Math.min(cell.h, size.rows - cell.y),
    }));
  const added = placesOf({ x: 0, y: 0, w: size.columns, h: size.rows }).filter(
    ({ x, y }) => x >= layout.columns || y >= layout.rows,
  );
  return { ...layout, ...size, cells: [...remaining, ...added] };
}
