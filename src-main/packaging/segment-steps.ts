import type { SegmentWindow, TimeRange, WindowSegment } from '../segment/segment-window.ts';

/** Number of segments that a renderer processes per step, in less than a millisecond. */
export const STEP_SEGMENTS = 1000;
/** Duration of the ranges in which a longer window is listed, in milliseconds. */
const RANGE_MS = 3_600_000;

/**
 * State of a renderer between two steps: `reading` if everything read so far stays valid under any change of the
 * window, `read` if the window is not needed any more. Otherwise the window must stay unchanged.
 */
export type RenderStep = 'reading' | 'read' | void;

/** Maximum number of attempts if the window renumbers its segments while they are read. */
const MAX_ATTEMPTS = 3;

/**
 * Segments of a track, as `window.segments` lists them after the last step: one hour of a long window per step, oldest first.
 * Segments that have left the window in the meantime are still listed.
 */
export function* segmentSteps(
  window: SegmentWindow,
  trackId: string,
  range?: TimeRange,
): Generator<RenderStep, readonly WindowSegment[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = yield* inRanges(window, trackId, range);
    if (found) return found;
  }
  return window.segments(trackId, range);
}

/** Adds the segments that the window got since `segments` were listed. */
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

/** @returns undefined if the window has renumbered its segments in the meantime */
function* inRanges(
  window: SegmentWindow,
  trackId: string,
  range: TimeRange | undefined,
): Generator<RenderStep, readonly WindowSegment[] | undefined> {
  const { version } = window;
  const bounds = window.bounds();
  const fromMs = Math.max(range?.fromMs ?? -Infinity, bounds?.fromMs ?? 0);
  const toMs = Math.min(range?.toMs ?? Infinity, bounds?.toMs ?? 0);
  // Announced media may be outside the bounds.
  if (!bounds || toMs - fromMs <= RANGE_MS) return window.segments(trackId, range);
  const found: WindowSegment[] = [];
  for (let at = fromMs; at < toMs; at += RANGE_MS) {
    const isFirst = at === fromMs;
    const isLast = at + RANGE_MS >= toMs;
    const piece = {
      fromMs: isFirst ? (range?.fromMs ?? -Infinity) : at,
      toMs: isLast ? (range?.toMs ?? Infinity) : at + RANGE_MS,
    };
    const lastMsn = found.at(-1)?.msn ?? -Infinity;
    let isNext = window.version !== version && found.length > 0;
    // A segment that overlaps two ranges is in both.
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
