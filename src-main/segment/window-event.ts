import type { SplicePoint } from '../media/scte35/splice-point.ts';
import type { Track } from '../media/track.ts';

/** Bytes in shared memory, readable from every thread without a copy. Not written again while they are in use. */
export interface SharedBytes {
  readonly buffer: SharedArrayBuffer;
  readonly offset: number;
  readonly length: number;
  /** Index of its use count in the buffer; -1 for memory that is never used again. */
  readonly useOffset: number;
}

/** A track and its init segment. */
interface TrackInit {
  readonly track: Track;
  /** Part of the address of the init segment: another one with each format of the track, and never used twice. */
  readonly initId: number;
  readonly init: SharedBytes;
}

/**
 * All tracks of the window from here on. Always the first event. A track with the `initId` that it had goes on, whatever becomes of the
 * others, and a segment that it has open stays open; segments that start later use the init segments given here. A track that is not
 * named any more has ended its segments, and leaves the window. One that is new begins with a segment that the others begin too.
 */
interface InitEvent {
  readonly type: 'init';
  readonly tracks: readonly TrackInit[];
}

/** A segment of one track opens; its address is known from here on. */
export interface SegmentStartEvent {
  readonly type: 'segment-start';
  readonly trackId: string;
  /** Media sequence number (RFC 8216bis 4.4.3.2); the same number covers the same time in all tracks. */
  readonly msn: number;
  /** Presentation time of the first access unit: UTC ticks in the timescale of the track. */
  readonly startTicks: number;
  readonly initId: number;
  /** Whether this segment does not continue the one before it (EXT-X-DISCONTINUITY). */
  readonly isDiscontinuity: boolean;
}

/** A partial segment is complete: one CMAF chunk. Belongs to the open segment of its track. */
export interface PartEvent {
  readonly type: 'part';
  readonly trackId: string;
  readonly msn: number;
  /** Position in the segment, from 0. */
  readonly index: number;
  readonly startTicks: number;
  readonly durationTicks: number;
  /** Whether the part starts with a random access point (INDEPENDENT=YES). */
  readonly isIndependent: boolean;
  /** Whether its pictures carry closed captions (CEA-608, CEA-708); absent where it says nothing of that. */
  readonly hasCaptions?: boolean;
  readonly bytes: SharedBytes;
  /** Clock at which the first access unit of the part came in, in epoch milliseconds. */
  readonly arrivedMs: number;
}

/**
 * What has come of the open part of a track since its last chunk, as a CMAF chunk of its own: for those who cannot wait until the part is complete,
 * while there are any. All chunks of a part come before it; readers who take parts need none of them.
 */
export interface ChunkEvent {
  readonly type: 'chunk';
  readonly trackId: string;
  readonly msn: number;
  /** Position of the part in the segment, from 0. */
  readonly partIndex: number;
  /** Position in the part, from 0. */
  readonly index: number;
  /** Where it begins, as parts do: UTC ticks in the timescale of the track. */
  readonly startTicks: number;
  /** Whether it starts with a random access point. */
  readonly isIndependent: boolean;
  /** Whether the part ends with it. */
  readonly isLast: boolean;
  readonly bytes: Uint8Array;
}

/** The open segment of the track is complete. */
export interface SegmentEndEvent {
  readonly type: 'segment-end';
  readonly trackId: string;
  readonly msn: number;
  /** Parts that begin behind it are taken back: another track has nothing for their time. */
  readonly durationTicks: number;
  /** Whether there is nothing to load (EXT-X-GAP): the track was silent for this time. */
  readonly isGap: boolean;
}

/** A splice point is announced, or is here. Encoders announce one several times. */
interface SpliceEvent extends SplicePoint {
  readonly type: 'splice';
  /** Epoch milliseconds of the splice point; the time of arrival for an immediate splice. */
  readonly atMs: number;
  /** The whole splice information section (SCTE 35, 9.6) in base 64; its time is UTC in 90 kHz ticks, 33 bits of it. */
  readonly section: string;
}

/** Segments of all tracks with a lower media sequence number leave the window. */
interface TrimEvent {
  readonly type: 'trim';
  readonly firstMsn: number;
}

/**
 * The wall clock was set back, and the output with it: all segments, which lie in the future now, leave the window; those that follow may
 * lie before them in time. Their media sequence numbers go on.
 */
interface RewindEvent {
  readonly type: 'rewind';
  readonly firstMsn: number;
}

/** No input gives anything for the moment; the open segments are complete. The next segment is a discontinuity. */
interface IdleEvent {
  readonly type: 'idle';
}

/**
 * Everything that can happen to a window. Plain values that a structured clone carries; applying the same
 * events in the same order holds the same window.
 */
export type WindowEvent =
  | InitEvent
  | SegmentStartEvent
  | ChunkEvent
  | PartEvent
  | SegmentEndEvent
  | SpliceEvent
  | TrimEvent
  | RewindEvent
  | IdleEvent;
