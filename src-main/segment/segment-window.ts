import type { Track } from '../media/track.ts';
import type { SharedBytes } from './window-event.ts';

/** A partial segment (RFC 8216bis 4.4.4.9): one CMAF chunk, `moof` and `mdat`. */
export interface Part {
  readonly index: number;
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly isIndependent: boolean;
  readonly bytes: Uint8Array;
  /** The memory behind `bytes` where it is used again: a reader in a later turn holds a count on it meanwhile. */
  readonly memory?: SharedBytes;
  /** Clock at which the first access unit of the part came in, in epoch milliseconds. */
  readonly arrivedMs: number;
}

/** A media segment: its own address, starts on a random access point where the input has one in time. */
export interface Segment {
  /** Media sequence number; the same number covers the same time in all tracks of the window. */
  readonly msn: number;
  readonly trackId: string;
  /** Presentation time of the first access unit: UTC ticks in the timescale of the track. */
  readonly startTicks: number;
  /** Sum of the durations of its parts; grows while the segment is open. */
  readonly durationTicks: number;
  /** Presentation time of the first access unit in whole epoch milliseconds: the address of the segment. */
  readonly startMs: number;
  readonly parts: readonly Part[];
  readonly isComplete: boolean;
  readonly isDiscontinuity: boolean;
  readonly isGap: boolean;
  readonly initId: number;
}

/** An init segment (`ftyp` and `moov`) and the track that it describes. */
export interface Init {
  readonly initId: number;
  readonly track: Track;
  readonly bytes: Uint8Array;
}

/** One track of a window with its segments, oldest first; the last one may be open. */
export interface WindowTrack {
  readonly track: Track;
  readonly segments: readonly Segment[];
  /** Number of discontinuities before its first segment (EXT-X-DISCONTINUITY-SEQUENCE, RFC 8216bis 4.4.3.3): what matches in all tracks. */
  readonly discontinuitySequence: number;
}

/** A stretch of the window without a discontinuity in it (a DASH Period). */
export interface WindowPeriod {
  /** Media sequence number of its first segment; segments before it may have been trimmed. */
  readonly firstMsn: number;
  /** Epoch milliseconds of its first presentation time. Stays the same when segments are trimmed. */
  readonly startMs: number;
}

/** A splice point inside the window. */
export interface WindowSplice {
  readonly atMs: number;
  /** The splice information section (SCTE-35) in base 64. */
  readonly section: string;
}

/**
 * Ordered segments and parts between two ends: the live window, the archive, a file or a stitched view. Renderers see
 * nothing else. Reading it changes nothing; it changes only between turns of the event loop.
 */
export interface SegmentWindow {
  /** `live`: grows and is trimmed; `event`: only grows; `static`: never changes. */
  readonly mutability: 'live' | 'event' | 'static';
  /** Counts up with every change. What was rendered at the same version is still true. */
  readonly version: number;
  /** Nominal lengths in milliseconds, as configured: a renderer announces at least these. */
  readonly partMs: number;
  readonly segmentMs: number;
  /** Tracks in the order of their ids, video first. Empty until the first init. */
  readonly tracks: readonly WindowTrack[];
  /** Current init segments, one for each track. */
  readonly inits: readonly Init[];
  readonly splices: readonly WindowSplice[];
  /** Periods in order, one at least once there is a segment. */
  readonly periods: readonly WindowPeriod[];
  /** Longest complete segment so far, in milliseconds; never falls. 0 before the first. */
  readonly longestSegmentMs: number;
  /** Longest part in the window, in milliseconds. 0 before the first. */
  readonly longestPartMs: number;
  init(trackId: string, initId: number): Init | undefined;
}
