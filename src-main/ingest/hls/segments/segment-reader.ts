/** Reads the media of segments of one kind, a little at a time, into a sink. */
export interface SegmentReader {
  /** Whether its times have 33 bits and begin again at 0. */
  readonly isWrapping: boolean;
  /** Takes the bytes of the next segment or part; they stay as they are until they are read. */
  open(bytes: Buffer, init: Buffer | undefined): void;
  /** Reads on a little. Returns false when the bytes are at their end. */
  step(): boolean;
  /** Whether a picture of the bytes before was not handed on: it continues in the next segment, or nothing has shown yet that it ended. */
  readonly isPictureOpen: boolean;
  /** The next bytes are of the next segment, which continues this one. */
  nextSegment(): void;
  /** Nothing continues the bytes before: hands on what waits for more. */
  endSegment(): void;
}
