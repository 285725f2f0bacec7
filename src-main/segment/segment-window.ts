import type { SplicePoint } from '../media/scte35/splice-point.ts';
import type { Track } from '../media/track.ts';
import type { MediaBytes } from './media-bytes.ts';
import type { RecentChunks } from './recent-chunks.ts';

/** A partial segment (RFC 8216bis 4.4.4.9): one CMAF chunk, `moof` and `mdat`; of what was recorded all chunks of the segment. */
export interface Part extends MediaBytes {
  /** Whether it may be several chunks, one behind the other; absent where it is one. */
  readonly hasManyChunks?: boolean;
  readonly index: number;
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly isIndependent: boolean;
  /** Clock at which the first access unit of the part came in, in epoch milliseconds. */
  readonly arrivedMs: number;
}

/** A media segment: starts on a random access point where the input has one in time. What it is called and where it stands is said by a window. */
export interface Segment {
  readonly trackId: string;
  /** Presentation time of the first access unit in the media: ticks in the timescale of the track. */
  readonly startTicks: number;
  /** Sum of the durations of its parts; grows while the segment is open. */
  readonly durationTicks: number;
  /** The same start in whole milliseconds. */
  readonly startMs: number;
  /** At least one where there is media; only an open segment, or one near a live edge, needs more. */
  readonly parts: readonly Part[];
  /** Bytes of all parts. */
  readonly sizeBytes: number;
  readonly isComplete: boolean;
  /** Whether there is nothing to load (EXT-X-GAP). */
  readonly isGap: boolean;
  readonly initId: number;
}

/** A segment as it stands in one window. The same segment may stand in several, under other numbers and addresses. */
export interface WindowSegment {
  readonly segment: Segment;
  /** Media sequence number; counts up by one, and covers the same time in all tracks of the window. */
  readonly msn: number;
  /** Start on the timeline of the window, in milliseconds. */
  readonly startMs: number;
  readonly isDiscontinuity: boolean;
  /** Number of discontinuities of the window before this segment (EXT-X-DISCONTINUITY-SEQUENCE, RFC 8216bis 4.4.3.3); matches in all tracks. */
  readonly discontinuitySequence: number;
  /** Names the segment in its track: the `addressPrefix` of its period, and the start of the media in milliseconds. */
  readonly address: string;
}

/** An init segment (`ftyp` and `moov`) and the track that it describes. */
export interface Init extends MediaBytes {
  readonly initId: number;
  readonly track: Track;
}

/**
 * Bits per second: of the segment that needs most, and the mean. Before the first complete segment the first is that of what is there of it, which is
 * rather more than it will be: it begins with a key frame.
 */
export interface TrackRate {
  readonly peak: number;
  /** Absent before the first complete segment. */
  readonly average?: number;
}

/** One track of a window, and what is known of it without reading media. */
export interface WindowTrack {
  /** Its newest format. */
  readonly track: Track;
  /** Tracks of the same group carry the same content in several qualities: a player has one of them at a time, and may change between them. */
  readonly group: string;
  readonly rate: TrackRate;
  /** Whether its pictures carry CEA-608 or CEA-708 captions. */
  readonly hasCaptions: boolean;
  /** Media sequence number of the first segment that it may have, where it came later than others; absent or 0 where it did not. */
  readonly firstMsn?: number;
}

/** A stretch of the window with the same tracks from end to end, and without a discontinuity in it (a DASH Period). */
export interface WindowPeriod {
  /** Media sequence number of its first segment; segments before it may have been trimmed. */
  readonly firstMsn: number;
  /** Start on the timeline of the window, in milliseconds. Stays the same when segments are trimmed. */
  readonly startMs: number;
  /** Time in its media that belongs to `startMs`, in milliseconds: live media and archives count UTC as the window does, a clip counts from its own start. */
  readonly mediaOffsetMs: number;
  /** What stands before the start in the addresses of its segments; empty for the stream's own media. */
  readonly addressPrefix: string;
  /** Whether it has only begun, and tracks are awaited that may have something of it. Absent where it has not. */
  readonly isGathering?: boolean;
  /** Ids of its tracks, where they are settled: another one came too late for it, and begins with the next one. Absent where all are its own. */
  readonly trackIds?: readonly string[];
  /** What it carries in MPEG-TS. Absent where each period begins with a discontinuity: its segments say it. */
  readonly programme?: WindowProgramme;
}

/** One picture and all sound of a period, which have to be the same from one discontinuity to the next in MPEG-TS (RFC 8216, 4.3.2.3). */
export interface WindowProgramme {
  /** Ids of its tracks, the leading one first: its segments name those of the rendition. */
  readonly trackIds: readonly string[];
  /** Whether they are others than before, or its media does not go on from before. */
  readonly isChange: boolean;
  /** How many such periods the window ever had up to this one. */
  readonly changes: number;
}

/** A splice point inside the window, or announced for what comes next. */
export interface WindowSplice extends SplicePoint {
  /** On the timeline of the window. */
  readonly atMs: number;
  /** The splice information section (SCTE-35) in base 64. */
  readonly section: string;
}

/** Media that a player shows in place of the window from a time on, or before it begins (RFC 8216bis appendix D: `com.apple.hls.interstitial`). */
export interface WindowInterstitial {
  /** Names it in the window: lower-case letters and digits, also in its addresses. */
  readonly id: string;
  readonly placement: 'preroll' | 'midroll';
  /** On the timeline of the window. */
  readonly startMs: number;
  /** Length of its media; stays the same. */
  readonly durationMs: number;
  /** After so much of it the window goes on, where that is less than all of it; comes late, and stays the same then. */
  readonly limitMs?: number | undefined;
}

/** Subtitles of a window, whole. */
export interface WindowSubtitles {
  /** `s1`, `s2` …; also a path segment of its addresses. */
  readonly id: string;
  /** For viewers. */
  readonly name: string;
  /** Language tag (RFC 5646), where it is known. */
  readonly language?: string;
  /** WebVTT. */
  readonly media: MediaBytes;
}

/** From when to when, in milliseconds on the timeline of the window; the end is not part of it. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Ordered segments between two ends: the live window, the archive, a file or a stitched view. Renderers see nothing else. Reading it
 * changes nothing and reads no media; it changes only between turns of the event loop. It may be long: finding one segment costs the
 * logarithm of their number, and listing some costs their number.
 */
export interface SegmentWindow {
  /** `live`: grows and is trimmed; `event`: only grows; `static`: never changes. */
  readonly mutability: 'live' | 'event' | 'static';
  /** Counts up with every change. What was rendered at the same version is still true. */
  readonly version: number;
  /** Whether nothing is added at the moment, though it may be later: the stream has no input. */
  readonly isIdle: boolean;
  /** Epoch milliseconds of time 0 of the timeline: 0 where it is UTC itself, undefined where it has no date, as in a file. */
  readonly epochMs: number | undefined;
  /** Nominal lengths in milliseconds, as configured: a renderer announces at least these. */
  readonly partMs: number;
  readonly segmentMs: number;
  /**
   * Whether players of DASH are to load segments whole, because its periods have clocks of their own: Shaka may set that of the next period before the last
   * chunk of one is in its place. Absent where they are not.
   */
  readonly loadsWhole?: boolean | undefined;
  /** Tracks in the order of their ids, video first. Empty until the first init. */
  readonly tracks: readonly WindowTrack[];
  /**
   * The same, and among them those that get no more segments but have some in the window still: players that know them may go on to their
   * end. Absent where there are none.
   */
  readonly listedTracks?: readonly WindowTrack[];
  /** Subtitles, which players load as a whole; absent where there are none. */
  readonly subtitles?: readonly WindowSubtitles[];
  /** Whether it has what was live long ago, which viewers go back to; absent where it has not. */
  readonly goesBack?: boolean | undefined;
  /** Current init segments, one for each track. */
  readonly inits: readonly Init[];
  /** Media sequence number of the first segment that it ever had, where it says so: before that one there was nothing. */
  readonly firstMsn?: number | undefined;
  /** Longest complete segment so far, in milliseconds; never falls. 0 before the first. */
  readonly longestSegmentMs: number;
  /** Longest part in the window, in milliseconds. 0 before the first. */
  readonly longestPartMs: number;
  /** From the start of the first segment to the end of the last one; undefined while it has none. */
  bounds(): TimeRange | undefined;
  /** Segments of a track, oldest first, the last one may be open; with a range those that have a moment of it. None of an unknown track. */
  segments(trackId: string, range?: TimeRange): readonly WindowSegment[];
  /** The newest segment of a track. */
  lastSegment(trackId: string): WindowSegment | undefined;
  segmentByAddress(trackId: string, address: string): WindowSegment | undefined;
  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined;
  /** An init segment of the stream's own media, or with the `addressPrefix` of a period one of that. */
  init(trackId: string, initId: number, addressPrefix?: string): Init | undefined;
  /** Periods in order, those with a moment of the range; one at least once there is a segment. */
  periods(range?: TimeRange): readonly WindowPeriod[];
  /** Splice points in order, each once however often it was announced, and without those that were taken back. */
  splices(range?: TimeRange): readonly WindowSplice[];
  /** What players of HLS show in its place, in order; absent where there is nothing of the kind. */
  interstitials?(): readonly WindowInterstitial[];
  /** The media of an interstitial: never changes. */
  interstitial?(id: string): ChangingWindow | undefined;
}

/** A window that says when it has changed. */
export interface ChangingWindow extends SegmentWindow {
  /** What its open parts have so far, while a desk wants it; absent where parts come whole. It changes without a new version. */
  readonly chunks?: RecentChunks;
  /** Calls back after each change; returns the function that ends it. A static window never calls. */
  onChange(listener: () => void): () => void;
}
