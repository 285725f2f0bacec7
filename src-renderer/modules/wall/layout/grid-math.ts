/** Numbers of tiles per page. */
export const GRIDS = [1, 4, 9, 16] as const;
export type Grid = (typeof GRIDS)[number];

/** Direction of a selection step. */
export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** Columns and rows of a page. */
export interface GridShape {
  readonly columns: number;
  readonly rows: number;
}

/** Maximum number of tiles per page. */
const MAX_TILES = 16;
/** Aspect ratio of a picture. */
const PICTURE_ASPECT = 16 / 9;

/** Square grid with this number of tiles. */
export function squareOf(grid: Grid): GridShape {
  const columns = Math.round(Math.sqrt(grid));
  return { columns, rows: columns };
}

/**
 * Grid with the largest pictures for up to 16 tiles; ties are decided by fewer empty places, then by more columns.
 *
 * @param aspect width of the wall divided by its height
 */
export function shapeFor(count: number, aspect: number): GridShape {
  const tiles = Math.min(Math.max(1, count), MAX_TILES);
  const shapes = Array.from({ length: tiles }, (_, index): GridShape => {
    const columns = tiles - index;
    return { columns, rows: Math.ceil(tiles / columns) };
  });
  // As a fraction of the wall width.
  const pictureWidth = ({ columns, rows }: GridShape): number => Math.min(1 / columns, PICTURE_ASPECT / aspect / rows);
  return shapes.reduce((best, shape) => {
    const gain = pictureWidth(shape) / pictureWidth(best);
    if (Math.abs(gain - 1) > 0.02) return gain > 1 ? shape : best;
    return shape.columns * shape.rows < best.columns * best.rows ? shape : best;
  });
}

/** Index after an arrow key. It stays within the wall, and may move to the next page. */
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
  // If the last row is shorter, a step down from above its free places selects its last tile.
  const isLastRow = Math.floor(index / columns) === Math.floor((count - 1) / columns);
  return isLastRow ? index : count - 1;
}

/** Maximum number of remembered places of absent streams. */
const MAX_ABSENT = 500;

/** Keeps tiles in their familiar places: known names stay, including absent streams; new names follow. */
export function mergePlaces(known: readonly string[], present: readonly string[]): readonly string[] {
  const isPresent = new Set(present);
  const isKnown = new Set(known);
  let excess = known.reduce((count, name) => count + (isPresent.has(name) ? 0 : 1), 0) - MAX_ABSENT;
  const remembered = excess > 0 ? known.filter((name) => isPresent.has(name) || excess-- <= 0) : known;
  return [...remembered, ...present.filter((name) => !isKnown.has(name))];
}
