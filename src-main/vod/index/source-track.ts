import type { LeftOutTrack } from '../../media/access-unit.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import type { CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import type { TrackFacts } from './track-facts.ts';
import type { MarkedCursor } from './marked-cursor.ts';

/** File that holds samples. */
export interface SourceFile extends MediaFile {
  readonly sizeBytes: number;
}

/** File for container readers. */
export interface IndexedFile extends FileBytes {
  /** Real path, with all links resolved. */
  readonly path: string;
  /** Version string, which changes with the content. */
  readonly version: string;
  /** The same file, as a source of media for viewers. */
  readonly media: SourceFile;
}

/** Tracks of a file as its container describes them. */
export interface SourceTracks {
  /** At least one track. */
  readonly sources: readonly SourceTrack[];
  /** Size of the sample lists in memory, in bytes. */
  readonly tableBytes: number;
  /** True if the samples were listed in a pass over the whole file; the lists are then stored on disk. */
  readonly isListed: boolean;
  /** Tracks that cannot be played. */
  readonly leftOut: readonly LeftOutTrack[];
}

/** Track of a file as its container describes it. */
export interface SourceTrack extends TrackFacts {
  /** File that holds the samples. */
  readonly file: SourceFile;
  /** Cursor before the first sample. */
  cursor(): MarkedCursor;
  /** Unpacks samples whose stored form is not the served form; absent if both are equal. */
  readonly unpack?: (samples: PackedSamples) => MediaFile;
}

/** Consecutive samples of a track. */
export interface PackedSamples {
  /** Position of the first sample; unique within the track. */
  readonly mark: CursorMark;
  /** Offset and decoding time (ticks of the file) of the first sample. */
  readonly offset: number;
  readonly dtsTicks: number;
  /** Size of each sample in bytes. */
  readonly sizes: Uint32Array;
}
