/** Reads the media of segments of one kind, a little at a time, into a sink. */
export interface SegmentReader {
  /** Whether its times have 33 bits and begin again at 0. */
  readonly isWrapping: boolean;
  /** Takes the bytes of the next segment or part; they stay as they are until they are read. */
  open(bytes: Buffer, init: Buffer | undefined): void;
  /** Reads on a little. Returns false when the bytes are at their end. */
  step(): boolean;
  /** The segment is over, or does not go on: hands on what waits for more. */
  endSegment(): void;
}
