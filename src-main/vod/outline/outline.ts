import type { LeftOutTrack } from '../../media/access-unit.ts';
import type { SourceTrack } from '../index/source-track.ts';

/** Random access point listed in the index of a container. */
export interface OutlinePoint {
  /** Presentation time in ticks of the track of the file. */
  readonly ptsTicks: number;
  /** Offset at which reading starts. */
  readonly offset: number;
  /** Offset at which reading may end for media before this point. */
  readonly endOffset: number;
}

/** Sample found in a range of a file. Times are in ticks of the file, including its shift. */
export interface FoundSample {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly ptsTicks: number;
  readonly dtsTicks: number;
  readonly durationTicks: number;
  readonly isSync: boolean;
}

/** Track of an outline; its samples are looked up on request. */
export type OutlineTrack = Omit<SourceTrack, 'cursor' | 'samples'>;

/**
 * Outline of a file: its random access points as the container lists them, without samples. The samples between two points are
 * looked up on request.
 */
export interface Outline {
  /** Tracks of the file; the points belong to the first one. */
  readonly tracks: readonly OutlineTrack[];
  /** In order; the first is at the start of the file. */
  readonly points: readonly OutlinePoint[];
  /**
   * Whether the file stores decoding times; otherwise each equals the presentation time until the surrounding pictures are known.
   */
  readonly hasDecodeTimes: boolean;
  /** First pictures of the file; absent if samples are not served as they are stored. */
  readonly pictures?: readonly FoundSample[];
  /** Tracks that cannot be played; default: none. */
  readonly leftOut?: readonly LeftOutTrack[];
  /** Samples of each track between two offsets, in file order; may include neighbouring samples. */
  read(offset: number, endOffset: number): Promise<readonly (readonly FoundSample[])[]>;
}
