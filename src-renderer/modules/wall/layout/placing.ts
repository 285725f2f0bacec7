import type { WallCell, WallLayout, WallTile } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { isInGroup } from './groups.ts';

/** Tile in its cell on a page. */
export interface PlacedTile {
  /** Key that stays the same while the tile exists, wherever it moves. */
  readonly key: string;
  readonly cell: WallCell;
  /** Stream of the tile; null if none is left for it. */
  readonly stream: string | null;
  /** Stream that moved from here into the penalty box. */
  readonly boxedStream?: string;
}

/** Cells in reading order. */
function inReadingOrder(cells: readonly WallCell[]): WallCell[] {
  return [...cells].sort((one, other) => one.y - other.y || one.x - other.x);
}

/** Cells of a layout in reading order; without cells of its own, those of a plain grid, each for the next stream. */
export function cellsOf({ columns, rows, cells }: WallLayout): readonly WallCell[] {
  if (cells.length > 0) return inReadingOrder(cells);
  return Array.from({ length: columns * rows }, (_, index) => ({
    x: index % columns,
    y: Math.floor(index / columns),
    w: 1,
    h: 1,
    tile: { kind: 'next' },
  }));
}

/**
 * Queue from which a tile takes its streams page by page: a group, or '' for all others; undefined if it is the same on each
 * page.
 */
function queueOf(tile: WallTile): string | undefined {
  if (tile.kind === 'group') return tile.prefix;
  return tile.kind === 'next' ? '' : undefined;
}

/** Streams of each queue. A stream appears once: in its own cell, in the cell of its group, or among the others. */
function queuesOf(
  cells: readonly WallCell[],
  { streams, present }: WallStreams,
): ReadonlyMap<string, readonly string[]> {
  const pinned = new Set(cells.flatMap(({ tile }) => (tile.kind === 'stream' ? [tile.stream] : [])));
  const groups = [...new Set(cells.flatMap(({ tile }) => (tile.kind === 'group' ? [tile.prefix] : [])))];
  const isFree = (name: string): boolean => !pinned.has(name);
  const free = streams.filter((name) => isFree(name) && !groups.some((group) => isInGroup(name, group)));
  const members = (group: string): readonly string[] =>
    present.filter((name) => isFree(name) && isInGroup(name, group));
  return new Map([['', free], ...groups.map((group) => [group, members(group)] as const)]);
}

/** Streams of a wall. */
interface WallStreams {
  /** In the order of the wall. */
  readonly streams: readonly string[];
  /** Streams on the server, for the cells of groups. */
  readonly present: readonly string[];
}

/** Tiles of all pages. There is always at least one page. */
export function placePages(layout: WallLayout, of: WallStreams): readonly (readonly PlacedTile[])[] {
  const cells = cellsOf(layout);
  const queues = queuesOf(cells, of);
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

/**
 * Page with streams moved into the cells of the penalty box. Their own places stay reserved, and show that the streams
 * are in the box.
 *
 * @param boxed streams by cell of the box; null for none
 */
export function fillPenaltyBox(page: readonly PlacedTile[], boxed: readonly (string | null)[]): readonly PlacedTile[] {
  let cell = 0;
  const inBox = page.map(({ cell: { tile } }) => (tile.kind === 'penalty' ? (boxed[cell++] ?? null) : null));
  const taken = new Set(inBox.filter((name) => name !== null));
  return page.map((tile, index) => {
    const stream = inBox[index] ?? null;
    if (stream !== null) return { ...tile, key: stream, stream };
    if (tile.stream === null || !taken.has(tile.stream)) return tile;
    return { ...tile, key: `forward ${tile.stream}`, stream: null, boxedStream: tile.stream };
  });
}

/** Step to a neighbouring cell. */
type Step = 'left' | 'right' | 'up' | 'down';

/** Neighbour of a cell in a direction, by the longest shared edge; undefined at the edge of the wall. */
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
