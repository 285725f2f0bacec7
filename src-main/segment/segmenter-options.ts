/** Options of the segmenter and of its window. */
export interface SegmenterOptions {
  /** Maximum length of a part in milliseconds. Default 500. */
  readonly partMs: number;
  /**
   * Minimum length of a segment in milliseconds. The segment ends at the first random access point after it. Default
   * 2000.
   */
  readonly segmentMs: number;
  /**
   * Number of complete segments in the window, besides the open one. Default 6. If decoding can start with none of them, the
   * window keeps older segments, down to one with which it can.
   */
  readonly segmentCount: number;
  /** Maximum length of a segment in milliseconds. The segment then ends even without a random access point. */
  readonly maxSegmentMs: number;
  /** Maximum size of the window in bytes. Above it, the oldest segments leave early. */
  readonly maxWindowBytes: number;
}

/** Continuation of a window after an earlier run; no media sequence number is used twice. */
export interface SegmenterResume {
  readonly nextMsn: number;
  readonly nextInitId: number;
  /** Whether the window still has segments of an earlier run, so that the next segment is a discontinuity. */
  readonly isContinuation: boolean;
  /** Longest segment of earlier runs in milliseconds, which sets the target duration; absent if none. */
  readonly longestSegmentMs?: number;
}

/**
 * Maximum time without media after which a window continues with the same target duration, in milliseconds. After a
 * longer time it counts as a new playlist.
 */
export const NEW_PLAYLIST_MS = 60_000;

/**
 * Target duration in seconds (EXT-X-TARGETDURATION): no segment rounds to more. It must not change (RFC 8216, 6.2.1), so the
 * first regular segment settles it, and the segmenter does not exceed it.
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
