import type { FileBytes } from '../../media/containers/file-bytes.ts';
import type { CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import type { TrackFacts } from './track-facts.ts';
import type { MarkedCursor } from './marked-cursor.ts';

/** A file that samples lie in. */
export interface SourceFile extends MediaFile {
  readonly sizeBytes: number;
}

/** A file as the readers of its tracks see it. */
export interface IndexedFile extends FileBytes {
  /** Where it lies, behind all links. */
  readonly path: string;
  /** Changes with its content. */
  readonly version: string;
  /** The same file as it is served. */
  readonly media: SourceFile;
}

/** The tracks of a file as its container has them. */
export interface SourceTracks {
  /** One at least. */
  readonly sources: readonly SourceTrack[];
  /** Bytes in memory that their samples are listed in. */
  readonly tableBytes: number;
  /** Whether the file had to be read for them: they are kept on disk for the next time. */
  readonly isListed: boolean;
}

/** One track of a file as its container has it. */
export interface SourceTrack extends TrackFacts {
  /** Where the samples lie. */
  readonly file: SourceFile;
  /** A walk that begins before the first sample. */
  cursor(): MarkedCursor;
  /** Where samples do not lie in the file as they are served, but have to be unpacked; absent where they do. */
  readonly unpack?: (samples: PackedSamples) => MediaFile;
}

/** Some samples of a track, one behind the other. */
export interface PackedSamples {
  /** The place of the first one; other ones of the track have others. */
  readonly mark: CursorMark;
  /** Where the first one lies, and when it is decoded, in ticks of the file. */
  readonly offset: number;
  readonly dtsTicks: number;
  /** Bytes of each. */
  readonly sizes: Uint32Array;
}
