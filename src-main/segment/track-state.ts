import type { ChunkShape } from '../media/containers/isobmff/chunk-shape.ts';
import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';

/** Open part of a track: a growing CMAF chunk. */
export interface OpenPart {
  /** Index in its segment, from 0. */
  readonly index: number;
  /** Decoding time of its first unit. */
  readonly dtsTicks: number;
  /** Arrival of its first unit, epoch milliseconds. */
  readonly arrivedMs: number;
  readonly isIndependent: boolean;
  readonly shape: ChunkShape;
}

/** Open segment of a track, or none. */
type TrackSegment =
  /** No open segment; `endTicks` is the decoding time at the end of the last one. */
  | { readonly phase: 'ended'; readonly endTicks: number }
  /** A segment with at least one unit. */
  | {
      readonly phase: 'open';
      /** Presentation minus decoding time of its first unit, in ticks. */
      readonly shiftTicks: number;
      /** Decoding time of its first and its newest unit. */
      readonly startTicks: number;
      /** Delay of its first unit after the cut point, in ticks. */
      readonly lateTicks: number;
      lastTicks: number;
      part: OpenPart;
    };

/** An open segment. */
export type OpenSegment = Extract<TrackSegment, { phase: 'open' }>;

/** Cutting state of a track. All ticks are in the timescale of the track. */
export interface TrackState {
  /** Index among the tracks of the stream, unique and constant while the track continues. */
  readonly index: number;
  /** Replaced by a track of the same format when other properties change. */
  track: Track;
  /** Id of its init segment. */
  readonly initId: number;
  /** `track_ID` in chunks. */
  readonly number: number;
  readonly isAudio: boolean;
  /** Maximum length of a part in ticks. */
  readonly partTicks: number;
  /** Maximum number of samples in a part. */
  readonly partSamples: number;
  /**
   * Media sequence number of the open or the last segment. Before the first segment of the track: number of the segment after
   * which the track starts, or -1.
   */
  msn: number;
  segment: TrackSegment;
  /** Whether its first unit may precede the cut point of its segment, because the track has changed its format there. */
  changesFormat: boolean;
  /** Parameter sets for its first picture, because earlier media may have had other sets. */
  sets: Uint8Array | undefined;
  /** Number of random access points that a late leader may still skip before it starts inside a segment of other tracks. */
  patience: number;
  /** Length of the last segment in ticks. */
  usualTicks: number;
  /** Assumed length of the newest sample if nothing follows, in ticks. */
  frameTicks: number;
  /** Units that wait until their segment is known, oldest first. They are copies, because units are borrowed. */
  readonly pending: StreamUnit[];
}
