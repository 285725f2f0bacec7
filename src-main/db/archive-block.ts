/** A range of time, in epoch milliseconds; its end is not in it. */
interface ArchiveRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** A block of an archive as the catalog has it. */
export interface ArchiveBlock {
  /** Name of the stream. */
  readonly stream: string;
  /** Folder of the disk, and the path of the file below it. */
  readonly disk: string;
  readonly path: string;
  /** Epoch milliseconds of its media. */
  readonly startMs: number;
  readonly endMs: number;
  readonly sizeBytes: number;
  /** Whether it is no continuation of what was recorded before it. */
  readonly isDiscontinuity: boolean;
  /** Its tracks as text; blocks with the same share it. */
  readonly tracks: string;
  /** Where its segments lie. */
  readonly packedIndex: Uint8Array;
}

/** A block with the times in which it has media: more than one where there are holes, or where it is long. */
export interface NewArchiveBlock extends ArchiveBlock {
  readonly storedRanges: readonly ArchiveRange[];
}
