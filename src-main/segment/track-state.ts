import type { ChunkShape } from '../media/containers/isobmff/chunk-shape.ts';
import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';

/** The open part of a track: one CMAF chunk that grows. */
export interface OpenPart {
  /** Position in its segment, from 0. */
  readonly index: number;
  /** Decoding time of its first unit. */
  readonly dtsTicks: number;
  /** Clock at which its first unit came in, in epoch milliseconds. */
  readonly arrivedMs: number;
  readonly isIndependent: boolean;
  readonly shape: ChunkShape;
}

/** What a track has open. */
type TrackSegment =
  /** Nothing; `endTicks` is the decoding time at which its last segment ended. */
  | { readonly phase: 'ended'; readonly endTicks: number }
  /** A segment with one unit at least. */
  | {
      readonly phase: 'open';
      /** Presentation minus decoding time of its first unit, in ticks. */
      readonly shiftTicks: number;
      /** Decoding time of its first unit, and of the newest. */
      readonly startTicks: number;
      lastTicks: number;
      part: OpenPart;
    };

/** An open segment. */
export type OpenSegment = Extract<TrackSegment, { phase: 'open' }>;

/** One track of the stream, as far as it is cut. All ticks in the timescale of the track. */
export interface TrackState {
  /** A place of its own among the tracks of the stream, which it keeps while it goes on. */
  readonly index: number;
  /** Another value of the same format may take its place. */
  track: Track;
  /** Number of its init segment. */
  readonly initId: number;
  /** Its number in chunks (`track_ID`). */
  readonly number: number;
  readonly isAudio: boolean;
  /** Longest part. */
  readonly partTicks: number;
  /** Most samples of a part. */
  readonly partSamples: number;
  /** Media sequence number of the open or the last segment; before its first one that of the segment behind which it begins, or -1. */
  msn: number;
  segment: TrackSegment;
  /** Parameter sets that its first picture carries, because what was before it may have had others. */
  sets: Uint8Array | undefined;
  /** How many random access points it lets pass, if it is to lead and came later than others, before it begins inside of a segment of theirs. */
  patience: number;
  /** Length of the last segment. */
  usualTicks: number;
  /** How long the newest sample is taken to be when nothing follows. */
  frameTicks: number;
  /** Units that wait until their segment is known, oldest first. Copies, because units are borrowed. */
  readonly held: StreamUnit[];
}
