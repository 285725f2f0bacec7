import type { SegmentWindow, TimeRange, WindowSegment } from '../segment/segment-window.ts';

/** Segments between two steps of a renderer: less than a millisecond. */
export const STEP_SEGMENTS = 1000;
/** A window that is longer is listed in pieces of this length, in milliseconds. */
const PIECE_MS = 3_600_000;

/** Segments of a track, as `window.segments` has them: of a long window an hour at a step. */
export function* segmentSteps(
  window: SegmentWindow,
  trackId: string,
  range?: TimeRange,
): Generator<void, readonly WindowSegment[]> {
  const bounds = window.bounds();
  const fromMs = Math.max(range?.fromMs ?? -Infinity, bounds?.fromMs ?? 0);
  const toMs = Math.min(range?.toMs ?? Infinity, bounds?.toMs ?? 0);
  // What is announced may lie behind the bounds.
  if (!bounds || toMs - fromMs <= PIECE_MS) return window.segments(trackId, range);
  const found: WindowSegment[] = [];
  for (let at = fromMs; at < toMs; at += PIECE_MS) {
    const isFirst = at === fromMs;
    const isLast = at + PIECE_MS >= toMs;
    const piece = {
      fromMs: isFirst ? (range?.fromMs ?? -Infinity) : at,
      toMs: isLast ? (range?.toMs ?? Infinity) : at + PIECE_MS,
    };
    const lastMsn = found.at(-1)?.msn ?? -Infinity;
    // A segment that has a moment of two pieces is in both.
    for (const entry of window.segments(trackId, piece)) if (entry.msn > lastMsn) found.push(entry);
    yield;
  }
  return found;
}
