import type { FileBytes } from '../../media/containers/file-bytes.ts';
import type { CursorMark, SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import type { Track } from '../../media/track.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';

/** A walk over the samples of a track that can be taken up again at any of them. */
export interface MarkedCursor extends SampleCursor {
  /** The place of the current sample. */
  mark(): CursorMark;
  /** Goes to a sample whose place `mark()` has named. */
  goTo(mark: CursorMark): void;
}

/** A file that samples lie in. */
export interface SourceFile extends MediaFile {
  readonly sizeBytes: number;
}

/** A file as the readers of its tracks see it. */
export interface IndexedFile extends FileBytes {
  /** The same file as it is served. */
  readonly media: SourceFile;
}

/** The tracks of a file as its container has them. */
export interface SourceTracks {
  /** One at least. */
  readonly sources: readonly SourceTrack[];
  /** Bytes in memory that their samples are listed in. */
  readonly tableBytes: number;
}

/** One track of a file as its container has it. */
export interface SourceTrack {
  readonly track: Track;
  /** Ticks per second of the times in the file. */
  readonly timescale: number;
  /** What is added to every time, in the same ticks: what its edit list says. */
  readonly shiftTicks: number;
  /** Where its presentation ends before its media does, in the same ticks. */
  readonly endTicks?: number;
  /** Where the samples lie. */
  readonly file: SourceFile;
  /** A walk that begins before the first sample. */
  cursor(): MarkedCursor;
  /** Where samples do not lie in the file as they are served, but have to be unpacked; absent where they do. */
  readonly unpack?: (samples: PackedSamples) => MediaFile;
}

/** Some samples of a track, one behind the other. */
export interface PackedSamples {
  /** The place of the first one. */
  readonly mark: CursorMark;
  /** Bytes of each. */
  readonly sizes: Uint32Array;
}
