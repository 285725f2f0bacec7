import type { WindowSegment } from '../../../segment/segment-window.ts';
import type { Showing } from '../../proof/showing.ts';

interface RangeBase {
  /** Media sequence number of its first segment, for this viewer. */
  readonly firstMsn: number;
  /**
   * Start on the viewer's timeline, in milliseconds: UTC plus the viewer's delay, which is less than a segment after a
   * break.
   */
  readonly startMs: number;
  /**
   * Time of the stream at its start, in milliseconds. The viewer sees later media of the stream after the range.
   */
  readonly streamMs: number;
  /** Media sequence number of the same segment in its source. */
  readonly sourceMsn: number;
  /** Start of the same segment on the timeline of its source, in milliseconds. */
  readonly sourceStartMs: number;
  readonly isDiscontinuity: boolean;
  /** Number of discontinuities before the range. */
  readonly discontinuitySequence: number;
}

/** Consecutive segments of the stream. */
export interface ProgrammeRange extends RangeBase {
  readonly kind: 'programme';
  /** Number of discontinuities of the source up to and including its first segment. */
  readonly sourceDiscontinuities: number;
  /** Media sequence number in the source after its last segment; infinite while the range grows. */
  endMsn: number;
}

/** One showing of a clip. */
export interface ClipRange extends RangeBase, Showing {
  readonly kind: 'clip';
  readonly startMs: number;
  count: number;
}

/** Consecutive segments for a viewer, all of the stream or all of one clip. */
export type PlannedRange = ProgrammeRange | ClipRange;

/**
 * Number of discontinuities in a range and before it.
 * @param entry next segment of the stream
 */
export function discontinuitiesUpTo(planned: PlannedRange, entry: WindowSegment): number {
  const firstSequence = planned.discontinuitySequence + (planned.isDiscontinuity ? 1 : 0);
  return planned.kind === 'clip'
    ? firstSequence
    : firstSequence + entry.discontinuitySequence - planned.sourceDiscontinuities;
}
