import type { CursorMark, SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';

/** Cursor over the samples of a track that can resume at any marked sample. */
export interface MarkedCursor extends SampleCursor {
  /** Position of the current sample. */
  mark(): CursorMark;
  /** Moves to a position returned by `mark()`. */
  goTo(mark: CursorMark): void;
}
