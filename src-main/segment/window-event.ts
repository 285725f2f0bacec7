import type { SplicePoint } from '../media/scte35/splice-point.ts';
import type { Track } from '../media/track.ts';

/** Bytes in shared memory, readable from every thread without a copy. Never written while in use. */
export interface SharedBytes {
  readonly buffer: SharedArrayBuffer;
  readonly offset: number;
  readonly length: number;
  /** Offset of the use count in the buffer; -1 for memory that is never reused. */
  readonly useOffset: number;
}

interface TrackInit {
  readonly track: Track;
  /** Part of the address of the init segment: a new one for each format of the track, never reused. */
  readonly initId: number;
  readonly init: SharedBytes;
}

/**
 * All tracks of the window from now on. Always the first event. A track with an unchanged `initId` continues, and its open
 * segment stays open; later segments use the init segments given here. A missing track has ended its segments and leaves the
 * window. A new track starts with a segment that all other tracks start too.
 */
interface InitEvent {
  readonly type: 'init';
  readonly tracks: readonly TrackInit[];
}

/** Opens a segment of one track; from now on the segment has an address. */
export interface SegmentStartEvent {
  readonly type: 'segment-start';
  readonly trackId: string;
  /** Media sequence number (RFC 8216bis 4.4.3.2); the same number covers the same time in all tracks. */
  readonly msn: number;
  /** Presentation time of the first access unit: UTC ticks in the timescale of the track. */
  readonly startTicks: number;
  readonly initId: number;
  /** Whether this segment is a discontinuity (EXT-X-DISCONTINUITY). */
  readonly isDiscontinuity: boolean;
}

/** A complete part (one CMAF chunk) of the open segment of its track. */
export interface PartEvent {
  readonly type: 'part';
  readonly trackId: string;
  readonly msn: number;
  /** Index in the segment, from 0. */
  readonly index: number;
  readonly startTicks: number;
  readonly durationTicks: number;
  /** Whether the part starts with a random access point (INDEPENDENT=YES). */
  readonly isIndependent: boolean;
  /** Whether its pictures carry closed captions (CEA-608, CEA-708); absent if unknown. */
  readonly hasCaptions?: boolean;
  readonly bytes: SharedBytes;
  /** Arrival of the first access unit of the part, epoch milliseconds. */
  readonly arrivedMs: number;
}

/**
 * Media of the open part of a track since its last chunk, as a CMAF chunk. Emitted only while a reader cannot wait until the part
 * is complete. All chunks of a part come before the part; readers of parts ignore them.
 */
export interface ChunkEvent {
  readonly type: 'chunk';
  readonly trackId: string;
  readonly msn: number;
  /** Index of the part in the segment, from 0. */
  readonly partIndex: number;
  /** Index in the part, from 0. */
  readonly index: number;
  /** Start in UTC ticks of the track. */
  readonly startTicks: number;
  readonly isIndependent: boolean;
  readonly isLast: boolean;
  readonly bytes: Uint8Array;
}

/** Ends the open segment of a track. */
export interface SegmentEndEvent {
  readonly type: 'segment-end';
  readonly trackId: string;
  readonly msn: number;
  /** Parts that start after this length are withdrawn: another track has no media for their time. */
  readonly durationTicks: number;
  /** Whether the segment has no media (EXT-X-GAP). */
  readonly isGap: boolean;
}

/** Splice point, announced or due. Encoders announce a splice point several times. */
interface SpliceEvent extends SplicePoint {
  readonly type: 'splice';
  /** Time of the splice point, epoch milliseconds; the time of arrival for an immediate splice. */
  readonly atMs: number;
  /** Complete splice information section (SCTE 35, 9.6) in base64. Its time is UTC in 90 kHz ticks, 33 bits. */
  readonly section: string;
}

/** Removes segments with a lower media sequence number from the window. */
interface TrimEvent {
  readonly type: 'trim';
  readonly firstMsn: number;
}

/**
 * The wall clock was set back, and the output with it: all segments are now in the future and leave the window. Later segments may
 * start before them; media sequence numbers continue.
 */
interface RewindEvent {
  readonly type: 'rewind';
  readonly firstMsn: number;
}

/** The stream has no input; open segments are complete. The next segment is a discontinuity. */
interface IdleEvent {
  readonly type: 'idle';
}

/**
 * Change of a window. Events are plain values for a structured clone; applying the same events in the same order gives the same
 * window.
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
