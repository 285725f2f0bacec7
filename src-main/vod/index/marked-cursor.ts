import type { CursorMark, SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';

/** A walk over the samples of a track that can be taken up again at any of them. */
export interface MarkedCursor extends SampleCursor {
  /** The place of the current sample. */
  mark(): CursorMark;
  /** Goes to a sample whose place `mark()` has named. */
  goTo(mark: CursorMark): void;
}
