import type { WindowSplice } from './segment-window.ts';

/**
 * Splice points in their order with what is announced: what is announced again replaces what was said before, a cancellation takes it back, and
 * what has happened stays.
 *
 * @param endMs up to where the timeline has come when it is announced, in milliseconds
 */
export function mergeSplice(splices: readonly WindowSplice[], splice: WindowSplice, endMs: number): WindowSplice[] {
  const { kind, eventId, atMs } = splice;
  const isSame = (other: WindowSplice): boolean =>
    other.atMs === atMs
      ? other.section === splice.section
      : eventId !== null && other.eventId === eventId && other.atMs >= endMs;
  const kept = splices.filter((other) => !isSame(other) || (kind !== 'cancel' && other.kind !== kind));
  if (kind !== 'cancel') kept.push(splice);
  return kept.sort((a, b) => a.atMs - b.atMs);
}

/** How much longer than announced a break lasts that needs a point to end it and gets none, in milliseconds. */
const RETURN_GUARD_MS = 30_000;

/** When a break ends without a point that says so; Infinity where its length is not announced. */
export function announcedEndMs({ atMs, durationMs, needsReturn }: WindowSplice): number {
  return durationMs === null ? Infinity : atMs + durationMs + (needsReturn ? RETURN_GUARD_MS : 0);
}
