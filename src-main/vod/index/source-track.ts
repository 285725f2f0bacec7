import type { CursorMark, SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import type { Track } from '../../media/track.ts';

/** A walk over the samples of a track that can be taken up again at any of them. */
export interface MarkedCursor extends SampleCursor {
  /** The place of the current sample. */
  mark(): CursorMark;
  /** Goes to a sample whose place `mark()` has named. */
  goTo(mark: CursorMark): void;
}

/** One track of a file as its container has it. */
export interface SourceTrack {
  readonly track: Track;
  /** Ticks per second of the times in the file. */
  readonly timescale: number;
  /** What is added to every time, in the same ticks: what its edit list says. */
  readonly shiftTicks: number;
  /** A walk that begins before the first sample. */
  cursor(): MarkedCursor;
}
