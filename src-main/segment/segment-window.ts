import type { SplicePoint } from '../media/scte35/splice-point.ts';
import type { Track } from '../media/track.ts';
import type { MediaBytes } from './media-bytes.ts';
import type { RecentChunks } from './recent-chunks.ts';

/** Partial segment (RFC 8216bis 4.4.4.9): one CMAF chunk (`moof` and `mdat`), or all chunks of a recorded segment. */
export interface Part extends MediaBytes {
  /** Whether the part may have several chunks. Default: false. */
  readonly hasManyChunks?: boolean;
  readonly index: number;
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly isIndependent: boolean;
  /** Arrival of the first access unit of the part, epoch milliseconds. */
  readonly arrivedMs: number;
}

/**
 * Media segment. Starts at a random access point, unless the input has none in time. A segment has no address and no
 * number; both belong to a window.
 */
export interface Segment {
  readonly trackId: string;
  /** Presentation time of the first access unit in the media, in ticks of the track. */
  readonly startTicks: number;
  /** Sum of the durations of its parts; grows while the segment is open. */
  readonly durationTicks: number;
  /** `startTicks` in whole milliseconds. */
  readonly startMs: number;
  /** Parts in order; empty without media. Only segments near the live edge have several parts. */
  readonly parts: readonly Part[];
  /** Bytes of all parts. */
  readonly sizeBytes: number;
  readonly isComplete: boolean;
  /** Whether there is nothing to load (EXT-X-GAP). */
  readonly isGap: boolean;
  readonly initId: number;
}

/** Segment in a window. The same segment may be in several windows with different numbers and addresses. */
export interface WindowSegment {
  readonly segment: Segment;
  /** Media sequence number. Rises by one; a number covers the same time in all tracks of the window. */
  readonly msn: number;
  /** Start on the timeline of the window, in milliseconds. */
  readonly startMs: number;
  readonly isDiscontinuity: boolean;
  /** Number of discontinuities of the window before this segment (EXT-X-DISCONTINUITY-SEQUENCE, RFC 8216bis 4.4.3.3); matches in all tracks. */
  readonly discontinuitySequence: number;
  /** Identifies the segment in its track: the `addressPrefix` of its period, then the start of the media in milliseconds. */
  readonly address: string;
}

/** Init segment (`ftyp` and `moov`) and the track that it describes. */
export interface Init extends MediaBytes {
  readonly initId: number;
  readonly track: Track;
}

/**
 * Bit rate in bits per second: peak over segments, and mean. Before the first complete segment, the peak is measured
 * on the incomplete segment and is too high, because a segment starts with a key frame.
 */
export interface TrackRate {
  readonly peak: number;
  /** Absent before the first complete segment. */
  readonly average?: number;
}

/** Track of a window, with its properties that need no reading of media. */
export interface WindowTrack {
  /** Track in its newest format. */
  readonly track: Track;
  /** Tracks of one group carry the same content in several qualities; a player switches between them. */
  readonly group: string;
  readonly rate: TrackRate;
  /** Whether the pictures carry CEA-608 or CEA-708 captions. */
  readonly hasCaptions: boolean;
  /** First possible segment of a track that started later than other tracks; otherwise absent or 0. */
  readonly firstMsn?: number;
}

/** Range of the window with the same tracks and without a discontinuity (a DASH Period). */
export interface WindowPeriod {
  /** Media sequence number of its first segment; segments before it may have been trimmed. */
  readonly firstMsn: number;
  /** Start on the timeline of the window, in milliseconds. Stays the same when segments are trimmed. */
  readonly startMs: number;
  /** Media time that corresponds to `startMs`, in milliseconds: UTC for live media and archives; a clip counts from its own start. */
  readonly mediaOffsetMs: number;
  /** Prefix of the addresses of its segments; empty for the stream's own media. */
  readonly addressPrefix: string;
  /** Whether tracks may still join the period. Default: false. */
  readonly isGathering?: boolean;
  /**
   * Ids of the tracks of the period, once they are final: a later track starts with the next period. Absent if all tracks belong
   * to it.
   */
  readonly trackIds?: readonly string[];
  /** MPEG-TS programme of the period. Absent if each period starts with a discontinuity. */
  readonly programme?: WindowProgramme;
}

/** MPEG-TS programme of a period: one video and all audio. Constant between discontinuities (RFC 8216, 4.3.2.3). */
export interface WindowProgramme {
  /** Ids of the tracks. The first is the leading track, whose segments give the rendition its addresses. */
  readonly trackIds: readonly string[];
  /** Whether the tracks differ from the previous period, or the media does not continue it. */
  readonly isChange: boolean;
  /** Number of changes in the window up to this period. */
  readonly changes: number;
}

/** Splice point in the window, or announced. */
export interface WindowSplice extends SplicePoint {
  /** Milliseconds on the timeline of the window. */
  readonly atMs: number;
  /** Splice information section (SCTE 35) in base64. */
  readonly section: string;
}

/**
 * Media that a player plays instead of the window, at a time or before the start (RFC 8216bis appendix D:
 * `com.apple.hls.interstitial`).
 */
export interface WindowInterstitial {
  /** Id in the window, also in addresses: lower-case letters and digits. */
  readonly id: string;
  readonly placement: 'preroll' | 'midroll';
  /** Milliseconds on the timeline of the window. */
  readonly startMs: number;
  /** Length of its media in milliseconds; never changes. */
  readonly durationMs: number;
  /** Playback limit in milliseconds if it is shorter than the media. May be set later, then never changes. */
  readonly limitMs?: number | undefined;
}

/** Complete subtitles of a window. */
export interface WindowSubtitles {
  /** `s1`, `s2` …; also a path segment of its addresses. */
  readonly id: string;
  /** Name shown to viewers. */
  readonly name: string;
  /** Language tag (RFC 5646), if known. */
  readonly language?: string;
  /** WebVTT. */
  readonly media: MediaBytes;
}

/** Whether the media of a file starts before time 0 of its window, because decoding needs it; it is not shown. */
export function hasHiddenStart({ mutability, epochMs }: SegmentWindow, { startMs }: WindowSegment): boolean {
  return mutability === 'static' && epochMs === undefined && startMs < 0;
}

/** Time range in milliseconds on the timeline of the window; the end is exclusive. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Ordered segments of a live stream, an archive, a file or a stitched view: the only input of renderers. Reading it changes
 * nothing and reads no media. It changes only between turns of the event loop. It may be long: finding a segment takes O(log n),
 * listing k segments O(k).
 */
export interface SegmentWindow {
  /** `live`: grows and is trimmed; `event`: only grows; `static`: never changes. */
  readonly mutability: 'live' | 'event' | 'static';
  /** Rises with every change. A text rendered at the same version is still valid. */
  readonly version: number;
  /** Whether the stream has no input at present, so that no media is added. */
  readonly isIdle: boolean;
  /** Epoch milliseconds of time 0 of the timeline: 0 if it is UTC, undefined without a date, as in a file. */
  readonly epochMs: number | undefined;
  /** Nominal lengths in milliseconds, as configured. Playlists announce at least these. */
  readonly partMs: number;
  readonly segmentMs: number;
  /** Whether the media of each period has its own clock, as with clips between segments of a stream. Default: false. */
  readonly hasPeriodClocks?: boolean | undefined;
  /**
   * Media sequence number of the segment at which HLS players must start: the first segment of a preroll. Absent if players
   * choose.
   */
  readonly startMsn?: number | undefined;
  /** Tracks in the order of their ids, video first. Empty until the first init. */
  readonly tracks: readonly WindowTrack[];
  /**
   * `tracks`, and ended tracks that still have segments, so that players can play them to their end. Absent if no ended track has
   * any.
   */
  readonly listedTracks?: readonly WindowTrack[];
  /** Subtitles, each loaded completely; absent if none. */
  readonly subtitles?: readonly WindowSubtitles[];
  /** Whether viewers can go back to recorded media. Default: false. */
  readonly canRewind?: boolean | undefined;
  /** Current init segments, one for each track. */
  readonly inits: readonly Init[];
  /** Media sequence number of the very first segment, if known. */
  readonly firstMsn?: number | undefined;
  /** Longest complete segment so far, in milliseconds; never decreases. 0 before the first segment. */
  readonly longestSegmentMs: number;
  /** Longest part in the window, in milliseconds. 0 before the first part. */
  readonly longestPartMs: number;
  /** Range from the start of the first segment to the end of the last one; undefined without segments. */
  bounds(): TimeRange | undefined;
  /** Segments of a track, oldest first; the last one may be open. With a range, the segments that overlap it. None for an unknown track. */
  segments(trackId: string, range?: TimeRange): readonly WindowSegment[];
  /** Newest segment of a track. */
  lastSegment(trackId: string): WindowSegment | undefined;
  /** Segment with an address; in a live window also one that has just left the lists. */
  segmentByAddress(trackId: string, address: string): WindowSegment | undefined;
  /** Segment with a number, as `segmentByAddress`. */
  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined;
  /** Init segment of the stream's media, or of the period with `addressPrefix`. */
  init(trackId: string, initId: number, addressPrefix?: string): Init | undefined;
  /** Periods in order, optionally those that overlap a range; at least one once there is a segment. */
  periods(range?: TimeRange): readonly WindowPeriod[];
  /** Splice points in order, each once even if it was announced several times, without cancelled splice points. */
  splices(range?: TimeRange): readonly WindowSplice[];
  /** Interstitials of HLS in order; absent if none. */
  interstitials?(): readonly WindowInterstitial[];
  /** Media of an interstitial; never changes. */
  interstitial?(id: string): ChangingWindow | undefined;
}

/** Window that reports its changes. */
export interface ChangingWindow extends SegmentWindow {
  /** Chunks of open parts while a desk plays them; absent if parts arrive complete. Changes without a new version. */
  readonly chunks?: RecentChunks;
  /** Calls `listener` after each change. Returns a function that unsubscribes. A static window never calls. */
  onChange(listener: () => void): () => void;
}
