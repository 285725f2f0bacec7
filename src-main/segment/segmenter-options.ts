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
}

/** Defaults of the segmenter. */
export const SEGMENTER_DEFAULTS: SegmenterOptions = {
  partMs: 500,
  segmentMs: 2000,
  segmentCount: 6,
  maxSegmentMs: 20_000,
  maxWindowBytes: 256 * 1024 * 1024,
};
