import type { SourceTrack } from '../index/source-track.ts';

/** A picture that decoding can start with, as the index of a container names it. */
export interface OutlinePoint {
  /** Its presentation time, in ticks of the track of the file. */
  readonly ptsTicks: number;
  /** Where reading begins. */
  readonly offset: number;
  /** Where reading may end for what stands before it. */
  readonly endOffset: number;
}

/** A sample that was found in a range of a file. Times are in ticks of the file, its shift counted in. */
export interface FoundSample {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly ptsTicks: number;
  readonly dtsTicks: number;
  readonly durationTicks: number;
  readonly isSync: boolean;
}

/** A track of an outline: its samples are looked up. */
export type OutlineTrack = Omit<SourceTrack, 'cursor' | 'samples'>;

/**
 * What a container says of a file without its samples: where decoding can start. The samples of a range between two such places are looked up when they are
 * asked for.
 */
export interface Outline {
  /** The first one is that of the points. */
  readonly tracks: readonly OutlineTrack[];
  /** In order; the first is where the file begins. */
  readonly points: readonly OutlinePoint[];
  /** Whether the file says when pictures are decoded; otherwise the decoding time of each is that of its presentation until it is known what surrounds it. */
  readonly hasDecodeTimes: boolean;
  /** The samples of each track between two places, in the order of the file; there may be more around them. */
  read(offset: number, endOffset: number): Promise<readonly (readonly FoundSample[])[]>;
}
