/** How many tiles a page of the wall has. */
export const GRIDS = [1, 4, 9, 16] as const;
export type Grid = (typeof GRIDS)[number];

/** A step of the selection. */
export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** Columns and rows of a page. */
export interface GridShape {
  readonly columns: number;
  readonly rows: number;
}

/** Most tiles of a page. */
const MAX_TILES = 16;
/** Width of a picture by its height. */
const PICTURE_ASPECT = 16 / 9;

/** The shape of a grid that was chosen: as many rows as columns. */
export function squareOf(grid: Grid): GridShape {
  const columns = Math.round(Math.sqrt(grid));
  return { columns, rows: columns };
}

/**
 * The shape in which so many tiles, of at most 16, have the largest pictures; of those the one with the fewest empty places, then with the most columns.
 *
 * @param aspect width of the wall by its height
 */
export function shapeFor(count: number, aspect: number): GridShape {
  const tiles = Math.min(Math.max(1, count), MAX_TILES);
  const shapes = Array.from({ length: tiles }, (_, index): GridShape => {
    const columns = tiles - index;
    return { columns, rows: Math.ceil(tiles / columns) };
  });
  // As parts of the width of the wall.
  const pictureWidth = ({ columns, rows }: GridShape): number => Math.min(1 / columns, PICTURE_ASPECT / aspect / rows);
  return shapes.reduce((best, shape) => {
    const gain = pictureWidth(shape) / pictureWidth(best);
    if (Math.abs(gain - 1) > 0.02) return gain > 1 ? shape : best;
    return shape.columns * shape.rows < best.columns * best.rows ? shape : best;
  });
}

/** The index that an arrow key leads to. It stays on the wall, and goes over to the next page where the index does. */
export function stepIndex(index: number, direction: Direction, count: number, columns: number): number {
  if (count === 0) return -1;
  if (index < 0) return 0;
  switch (direction) {
    case 'left':
      return Math.max(0, index - 1);
    case 'right':
      return Math.min(count - 1, index + 1);
    case 'up':
      return index - columns < 0 ? index : index - columns;
    case 'down':
      return downFrom(index, columns, count);
    case 'first':
      return 0;
    case 'last':
      return count - 1;
  }
}

function downFrom(index: number, columns: number, count: number): number {
  if (index + columns < count) return index + columns;
  // A shorter last row lies below: go to its end rather than nowhere.
  const isLastRow = Math.floor(index / columns) === Math.floor((count - 1) / columns);
  return isLastRow ? index : count - 1;
}

/** Places of streams that went are kept for this many. */
const MAX_GONE = 500;

/** Keeps every tile where the operator knows it: known names keep their places, also of streams that are away for now; new ones come after them. */
export function mergePlaces(known: readonly string[], present: readonly string[]): readonly string[] {
  const isPresent = new Set(present);
  const isKnown = new Set(known);
  let tooMany = known.reduce((count, name) => count + (isPresent.has(name) ? 0 : 1), 0) - MAX_GONE;
  const kept = tooMany > 0 ? known.filter((name) => isPresent.has(name) || tooMany-- <= 0) : known;
  return [...kept, ...present.filter((name) => !isKnown.has(name))];
}
