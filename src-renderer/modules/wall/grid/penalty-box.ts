/** Stream in a cell of the penalty box. */
interface BoxedStream {
  readonly stream: string;
  /** Severity rank; 0 is the most severe. */
  readonly rank: number;
  /** Time since which it has no alarm, in milliseconds; null while it has one. */
  readonly calmSinceMs: number | null;
}

/** Cells of the penalty box in the order of the wall; null for an empty cell. */
export type PenaltyBox = readonly (BoxedStream | null)[];

/** Time that a tile stays after the end of its alarm, in milliseconds: otherwise a repeated alarm would make the tile jump. */
export const CALM_MS = 5_000;

/**
 * Next state of the penalty box. A stream with an alarm takes a free cell, the most severe first, and keeps it until some time
 * after the end of the alarm. Without a free cell it replaces a stream whose alarm has ended, or a less severe one.
 *
 * @param alarmed rank of the most severe alarm by stream, most severe first; 0 is the most severe
 * @param count number of cells
 */
export function nextBox(
  box: PenaltyBox,
  alarmed: ReadonlyMap<string, number>,
  count: number,
  nowMs: number,
): PenaltyBox {
  const next = Array.from({ length: count }, (_, index) => cellAfter(box[index] ?? null, alarmed, nowMs));
  const inside = new Set(next.flatMap((cell) => cell?.stream ?? []));
  for (const [stream, rank] of [...alarmed].sort(([, a], [, b]) => a - b)) {
    if (inside.has(stream)) continue;
    const index = placeFor(next, rank);
    if (index < 0) break;
    next[index] = { stream, rank, calmSinceMs: null };
  }
  return next;
}

function cellAfter(cell: BoxedStream | null, alarmed: ReadonlyMap<string, number>, nowMs: number): BoxedStream | null {
  if (cell === null) return null;
  const rank = alarmed.get(cell.stream);
  if (rank !== undefined) return { ...cell, rank, calmSinceMs: null };
  const calmSinceMs = cell.calmSinceMs ?? nowMs;
  return nowMs - calmSinceMs >= CALM_MS ? null : { ...cell, calmSinceMs };
}

/**
 * Index of the cell for a stream: a free cell, a cell whose alarm has ended, or the least severe cell below `rank`; -1
 * for none.
 */
function placeFor(box: readonly (BoxedStream | null)[], rank: number): number {
  const free = box.indexOf(null);
  if (free >= 0) return free;
  const calm = box.findIndex((cell) => cell !== null && cell.calmSinceMs !== null);
  if (calm >= 0) return calm;
  const leastSevere = box.reduce(
    (found, cell, index) => ((cell?.rank ?? -1) > (box[found]?.rank ?? -1) ? index : found),
    0,
  );
  return (box[leastSevere]?.rank ?? -1) > rank ? leastSevere : -1;
}
