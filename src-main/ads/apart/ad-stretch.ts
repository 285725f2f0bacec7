import type { WindowSegment } from '../../segment/segment-window.ts';
import type { Showing } from '../clip.ts';

interface StretchBase {
  /** Media sequence number of its first segment, for this viewer. */
  readonly firstMsn: number;
  /** Its start on the timeline of the viewer, in milliseconds: UTC, and less than a segment behind it after a break. */
  readonly startMs: number;
  /** Time of the stream at which it begins, in milliseconds: what is behind it there is behind it for the viewer. */
  readonly streamMs: number;
  /** Media sequence number of the same segment in its source. */
  readonly sourceMsn: number;
  /** Start of the same segment on the timeline of its source, in milliseconds. */
  readonly sourceStartMs: number;
  readonly isDiscontinuity: boolean;
  /** Discontinuities before it. */
  readonly discontinuitySequence: number;
}

/** Segments of the stream, one after the other. */
export interface ProgrammeStretch extends StretchBase {
  readonly kind: 'programme';
  /** Discontinuities of the source up to its first segment, that one's included. */
  readonly sourceDiscontinuities: number;
  /** Number in the source of the first segment that is not part of it; infinite while it goes on. */
  endMsn: number;
}

/** One showing of a clip. */
export interface ClipStretch extends StretchBase, Showing {
  readonly kind: 'clip';
  readonly startMs: number;
  count: number;
}

/** What a viewer is shown without a break in between. */
export type Stretch = ProgrammeStretch | ClipStretch;

/** Discontinuities of a stretch and all before it. @param entry of the stream that comes after it */
export function discontinuitiesAfter(stretch: Stretch, entry: WindowSegment): number {
  const own = stretch.discontinuitySequence + (stretch.isDiscontinuity ? 1 : 0);
  return stretch.kind === 'clip' ? own : own + entry.discontinuitySequence - stretch.sourceDiscontinuities;
}
