/** A stream that came forward into a cell. */
interface Forward {
  readonly stream: string;
  /** How bad it is; 0 is the worst. */
  readonly rank: number;
  /** Since when it has had no alarm any more, in milliseconds; null while it has one. */
  readonly calmSinceMs: number | null;
}

/** The cells of the penalty box, in the order of the wall; null where nothing is wrong. */
export type PenaltyBox = readonly (Forward | null)[];

/** How long a tile stays after its alarm ended, in milliseconds: one that comes again would make it jump. */
export const CALM_MS = 5_000;

/**
 * The penalty box a moment later. A stream in alarm takes a free cell, the worst first, and keeps it until its alarm has been over for a while; where no cell is free it takes
 * that of one whose alarm ended, or of one that is less bad.
 *
 * @param alarmed how bad the worst alarm of each stream is that has one, the worst first; 0 is the worst
 * @param count cells that there are
 */
export function nextBox(
  box: PenaltyBox,
  alarmed: ReadonlyMap<string, number>,
  count: number,
  nowMs: number,
): PenaltyBox {
  const next = Array.from({ length: count }, (_, index) => kept(box[index] ?? null, alarmed, nowMs));
  const inside = new Set(next.flatMap((one) => one?.stream ?? []));
  for (const [stream, rank] of [...alarmed].sort((one, other) => one[1] - other[1])) {
    if (inside.has(stream)) continue;
    const index = placeFor(next, rank);
    if (index < 0) break;
    next[index] = { stream, rank, calmSinceMs: null };
  }
  return next;
}

function kept(one: Forward | null, alarmed: ReadonlyMap<string, number>, nowMs: number): Forward | null {
  if (one === null) return null;
  const rank = alarmed.get(one.stream);
  if (rank !== undefined) return { ...one, rank, calmSinceMs: null };
  const calmSinceMs = one.calmSinceMs ?? nowMs;
  return nowMs - calmSinceMs >= CALM_MS ? null : { ...one, calmSinceMs };
}

/** The cell that a stream may take: a free one, one that is calm, or the least bad of those that are less bad; -1 for none. */
function placeFor(box: readonly (Forward | null)[], rank: number): number {
  const free = box.indexOf(null);
  if (free >= 0) return free;
  const calm = box.findIndex((one) => one !== null && one.calmSinceMs !== null);
  if (calm >= 0) return calm;
  const least = box.reduce((found, one, index) => ((one?.rank ?? -1) > (box[found]?.rank ?? -1) ? index : found), 0);
  return (box[least]?.rank ?? -1) > rank ? least : -1;
}
