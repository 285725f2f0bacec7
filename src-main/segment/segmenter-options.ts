/** How a stream is cut, and how much of it stays in the window. */
export interface SegmenterOptions {
  /** Longest part in milliseconds. Default 500. */
  readonly partMs: number;
  /** Shortest segment in milliseconds; a segment ends at the first random access point after it. Default 2000. */
  readonly segmentMs: number;
  /** Complete segments that the window keeps beside the open one. Default 6. */
  readonly segmentCount: number;
  /** Longest segment in milliseconds: after it a segment ends even without a random access point. */
  readonly maxSegmentMs: number;
  /** Most bytes that the window may hold; beyond it the oldest segments leave early. */
  readonly maxWindowBytes: number;
}

/** Where a window goes on when its stream had a run before: no number is used twice. */
export interface SegmenterResume {
  readonly nextMsn: number;
  readonly nextInitId: number;
  /** Whether the window still holds segments of an earlier run, which the next one does not continue. */
  readonly isContinuation: boolean;
  /** Longest segment of earlier runs in milliseconds, from which the target duration follows; absent if there is none. */
  readonly longestSegmentMs?: number;
}

/** A window without media for longer than this counts as a new playlist, with a new target duration, in milliseconds. */
export const NEW_PLAYLIST_MS = 60_000;

/**
 * Target duration in seconds (EXT-X-TARGETDURATION): no segment is longer, once rounded. It must not change (RFC 8216, 6.2.1), so the first regular segment
 * settles it, and the segmenter keeps to it.
 */
export function targetDurationOf(segmentMs: number, longestSegmentMs: number): number {
  return Math.max(1, Math.round(Math.max(segmentMs, longestSegmentMs) / 1000));
}

/** Defaults of the segmenter. */
export const SEGMENTER_DEFAULTS: SegmenterOptions = {
  partMs: 500,
  segmentMs: 2000,
  segmentCount: 6,
  maxSegmentMs: 20_000,
  maxWindowBytes: 256 * 1024 * 1024,
};
