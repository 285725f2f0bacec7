import { isSameEvent } from '../media/scte35/splice-point.ts';
import type { WindowSplice } from './segment-window.ts';

/**
 * Adds a splice point to a list in the order of time. A repeated announcement replaces the earlier one of its event and
 * kind, a cancellation removes the event, and splice points in the past stay.
 *
 * @param endMs end of the timeline at the time of the announcement, in milliseconds
 */
export function mergeSplice(splices: readonly WindowSplice[], splice: WindowSplice, endMs: number): WindowSplice[] {
  const isOpen = (other: WindowSplice): boolean => other.atMs >= endMs && isSameEvent(other, splice);
  if (splice.kind === 'cancel') return splices.filter((other) => !isOpen(other));
  const isReplaced = (other: WindowSplice): boolean =>
    other.kind === splice.kind &&
    (other.atMs === splice.atMs ? other.section === splice.section || isSameEvent(other, splice) : isOpen(other));
  return [...splices.filter((other) => !isReplaced(other)), splice].sort((a, b) => a.atMs - b.atMs);
}

/** Extra time, in milliseconds, of a break that needs a splice point at its end but gets none. */
const RETURN_GUARD_MS = 30_000;

/** End of a break without a splice point at its end; Infinity if its length is not announced. */
export function announcedEndMs({ atMs, durationMs, needsReturn }: WindowSplice): number {
  return durationMs === null ? Infinity : atMs + durationMs + (needsReturn ? RETURN_GUARD_MS : 0);
}
