import type { SegmentWindow, TimeRange, WindowSegment } from '../segment/segment-window.ts';

/** Number of segments rendered in one step, less than a millisecond. */
export const STEP_SEGMENTS = 1000;
/** Length of the pieces in which a long window is listed, in milliseconds. */
const PIECE_MS = 3_600_000;

/**
 * Hint of a renderer between two steps: `reading`, its input stays valid however the window changes; `read`, it no longer needs
 * the window. Without a hint the window must be unchanged.
 */
export type RenderStep = 'reading' | 'read' | void;

/** Maximum number of renumberings of a window while it is read. */
const MOST_ATTEMPTS = 3;

/**
 * Segments of a track, as `window.segments` returns them at the end: an hour of a long window in each step, oldest first.
 * Segments trimmed meanwhile stay listed.
 */
export function* segmentSteps(
  window: SegmentWindow,
  trackId: string,
  range?: TimeRange,
): Generator<RenderStep, readonly WindowSegment[]> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const found = yield* inPieces(window, trackId, range);
    if (found) return found;
  }
  return window.segments(trackId, range);
}

/** Adds segments that have arrived since the listing. */
export function withNewest(
  window: SegmentWindow,
  trackId: string,
  segments: readonly WindowSegment[],
  range?: TimeRange,
): readonly WindowSegment[] {
  const last = segments.at(-1);
  if (!last) return segments;
  const newest = window.segments(trackId, { fromMs: last.startMs, toMs: range?.toMs ?? Infinity });
  const firstMsn = newest[0]?.msn ?? 0;
  if (firstMsn > last.msn + 1) return window.segments(trackId, range);
  const end = segments.findLastIndex(({ msn }) => msn < firstMsn) + 1;
  return [...segments.slice(0, end), ...newest];
}

/** @returns undefined where the window has numbered its segments anew meanwhile */
function* inPieces(
  window: SegmentWindow,
  trackId: string,
  range: TimeRange | undefined,
): Generator<RenderStep, readonly WindowSegment[] | undefined> {
  const { version } = window;
  const bounds = window.bounds();
  const fromMs = Math.max(range?.fromMs ?? -Infinity, bounds?.fromMs ?? 0);
  const toMs = Math.min(range?.toMs ?? Infinity, bounds?.toMs ?? 0);
  // Announced media may be after the bounds.
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
    let isNext = window.version !== version && found.length > 0;
    // A segment that overlaps two pieces is in both.
    for (const entry of window.segments(trackId, piece)) {
      if (entry.msn <= lastMsn) continue;
      if (isNext && entry.msn !== lastMsn + 1) return undefined;
      isNext = false;
      found.push(entry);
    }
    if (!isLast) yield 'reading';
  }
  return found;
}
