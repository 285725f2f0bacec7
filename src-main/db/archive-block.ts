/** Time range in epoch milliseconds, without its end. */
interface ArchiveRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Block of an archive in the catalog. */
export interface ArchiveBlock {
  /** Name of the stream. */
  readonly stream: string;
  /** Folder of the disk; the path of the file is relative to it. */
  readonly disk: string;
  readonly path: string;
  /** Time of its media, epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly sizeBytes: number;
  /** Whether the block does not continue the recording before it. */
  readonly isDiscontinuity: boolean;
  /** Tracks of the block as text; blocks with equal tracks share one text. */
  readonly tracks: string;
  /** Packed index of its segments. */
  readonly packedIndex: Uint8Array;
}

/** Block with the time ranges of its media: more than one if it has gaps, or is long. */
export interface NewArchiveBlock extends ArchiveBlock {
  readonly storedRanges: readonly ArchiveRange[];
}
