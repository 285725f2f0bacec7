import type { WallCell, WallLayout, WallTile } from '../../../../src-preload/contract/wall-calls.ts';

/** A tile in its cell on a page. */
export interface PlacedTile {
  /** The same for as long as the tile goes on, wherever it stands. */
  readonly key: string;
  readonly cell: WallCell;
  /** The stream whose tile it is; null where there is none for it. */
  readonly stream: string | null;
}

/** Cells in the order in which one reads. */
function inReadingOrder(cells: readonly WallCell[]): WallCell[] {
  return [...cells].sort((one, other) => one.y - other.y || one.x - other.x);
}

/** The cells of a layout in the order in which one reads; those of a plain grid, each for the next stream, where it has none of its own. */
export function cellsOf({ columns, rows, cells }: WallLayout): readonly WallCell[] {
  if (cells.length > 0) return inReadingOrder(cells);
  return Array.from({ length: columns * rows }, (_, index) => ({
    ...{ x: index % columns, y: Math.floor(index / columns), w: 1, h: 1 },
    tile: { kind: 'next' },
  }));
}

/** Where a tile takes its streams from, page by page; undefined where it has the same on each. */
function queueOf(tile: WallTile): string | undefined {
  return tile.kind === 'next' ? '' : undefined;
}

/** The streams that wait for tiles of each kind of queue. */
function queuesOf(cells: readonly WallCell[], streams: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const pinned = new Set(cells.flatMap(({ tile }) => (tile.kind === 'stream' ? [tile.stream] : [])));
  const free = pinned.size === 0 ? streams : streams.filter((name) => !pinned.has(name));
  return new Map([['', free]]);
}

/** The tiles of all pages. A page is shown even where no stream is. @param streams in the order of the wall */
export function placePages(layout: WallLayout, streams: readonly string[]): readonly (readonly PlacedTile[])[] {
  const cells = cellsOf(layout);
  const queues = queuesOf(cells, streams);
  const slots = new Map<string, number>();
  for (const { tile } of cells) {
    const queue = queueOf(tile);
    if (queue !== undefined) slots.set(queue, (slots.get(queue) ?? 0) + 1);
  }
  const pagesOf = ([queue, count]: [string, number]): number => Math.ceil((queues.get(queue)?.length ?? 0) / count);
  const pages = Math.max(1, ...[...slots].map(pagesOf));
  const next = new Map<string, number>();
  return Array.from({ length: pages }, () =>
    cells.map((cell) => {
      const queue = queueOf(cell.tile);
      const at = queue === undefined ? 0 : (next.get(queue) ?? 0);
      if (queue !== undefined) next.set(queue, at + 1);
      const stream = queue === undefined ? streamOf(cell.tile) : (queues.get(queue)?.[at] ?? null);
      return { key: stream ?? `${cell.tile.kind} ${cell.x} ${cell.y}`, cell, stream };
    }),
  );
}

function streamOf(tile: WallTile): string | null {
  return tile.kind === 'stream' ? tile.stream : null;
}

/** A step to a cell beside. */
type Step = 'left' | 'right' | 'up' | 'down';

/** The cell that lies next to another in a direction, by what they have in common at its edge; undefined at the edge of the wall. */
export function cellBeside<T extends Omit<WallCell, 'tile'>>(from: T, cells: readonly T[], step: Step): T | undefined {
  const isAcross = step === 'left' || step === 'right';
  const sign = step === 'left' || step === 'up' ? -1 : 1;
  const along = ({ x, y, w, h }: T): readonly [number, number] => (isAcross ? [x, x + w] : [y, y + h]);
  const beside = ({ x, y, w, h }: T): readonly [number, number] => (isAcross ? [y, y + h] : [x, x + w]);
  const gap = (cell: T): number => (sign > 0 ? along(cell)[0] - along(from)[1] : along(from)[0] - along(cell)[1]);
  const common = (cell: T): number =>
    Math.min(beside(cell)[1], beside(from)[1]) - Math.max(beside(cell)[0], beside(from)[0]);
  return cells
    .filter((cell) => cell !== from && gap(cell) >= 0 && common(cell) > 0)
    .sort((one, other) => gap(one) - gap(other) || common(other) - common(one) || beside(one)[0] - beside(other)[0])[0];
}
