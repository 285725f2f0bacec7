/** Reads the media of segments of one container into a sink, a little at a time. */
export interface SegmentReader {
  /** Whether the times have 33 bits and wrap. */
  readonly isWrapping: boolean;
  /** Opens the bytes of the next segment or part; they must not change until they are read. */
  open(bytes: Buffer, init: Buffer | undefined): void;
  /** Reads a little more. Returns false at the end of the bytes. */
  step(): boolean;
  /** Whether a picture of the previous bytes was not emitted yet, because it may continue in the next segment. */
  readonly isPictureOpen: boolean;
  /** Starts the next segment, which continues this one. */
  nextSegment(): void;
  /** Ends the segment without a continuation: emits waiting data. */
  endSegment(): void;
}
