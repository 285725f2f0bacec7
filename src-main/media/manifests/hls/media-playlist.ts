import type { PlaylistByteRange } from './byte-range.ts';
import type { SegmentKey } from './segment-key.ts';
import type { SpliceDateRange, SpliceMark } from './splice-mark.ts';

/** EXT-X-MAP (RFC 8216bis 4.4.4.5): initialization of the segments after it. */
export interface InitSection {
  readonly uri: string;
  readonly range?: PlaylistByteRange;
  /** Its encryption: the keys in force at the tag. */
  readonly keys: readonly SegmentKey[];
}

/** EXT-X-PART (RFC 8216bis 4.4.4.9): piece of a segment that is available before the segment is complete. */
export interface PlaylistPart {
  readonly uri: string;
  readonly durationMs: number;
  readonly range?: PlaylistByteRange;
  readonly isIndependent: boolean;
  readonly isGap: boolean;
}

/** One segment of a media playlist. */
export interface PlaylistSegment {
  /** Media sequence number. */
  readonly msn: number;
  /** EXTINF, or the sum of the parts of an open segment. */
  readonly durationMs: number;
  /** Absent for the open segment at the end, which has only parts. */
  readonly uri?: string;
  readonly range?: PlaylistByteRange;
  /** All EXT-X-KEY tags in force; one supported key is enough. */
  readonly keys: readonly SegmentKey[];
  readonly map?: InitSection;
  /** Number of EXT-X-DISCONTINUITY tags before it in this playlist. */
  readonly discontinuities: number;
  readonly isGap: boolean;
  /** EXT-X-PROGRAM-DATE-TIME of its first sample in epoch milliseconds, stated or extrapolated from an earlier segment. */
  readonly startMs?: number;
  readonly parts: readonly PlaylistPart[];
  /** Marks of splice points before it; absent without any. */
  readonly marks?: readonly SpliceMark[];
}

/** EXT-X-SERVER-CONTROL (RFC 8216bis 4.4.3.8). */
export interface ServerControl {
  readonly canBlockReload: boolean;
  readonly holdBackMs?: number;
  readonly partHoldBackMs?: number;
}

/** Media playlist: the segments of one rendition. */
export interface MediaPlaylist {
  readonly kind: 'media';
  /** EXT-X-TARGETDURATION; if missing, the maximum segment duration. */
  readonly targetMs: number;
  /** EXT-X-PART-INF: maximum part duration; absent without low latency. */
  readonly partTargetMs?: number;
  /** EXT-X-MEDIA-SEQUENCE: number of the first segment. */
  readonly mediaSequence: number;
  /** True if the playlist does not state that number, so that every version starts at 0; otherwise absent. */
  readonly isUnnumbered?: true;
  /** EXT-X-DISCONTINUITY-SEQUENCE, if stated. */
  readonly discontinuitySequence?: number;
  /** EXT-X-ENDLIST: nothing will be added. */
  readonly isEnded: boolean;
  readonly serverControl: ServerControl;
  readonly segments: readonly PlaylistSegment[];
  /** Segments that a delta update leaves out (EXT-X-SKIP). */
  readonly skippedSegments: number;
  /** EXT-X-DATERANGE with sections (RFC 8216bis 4.4.5.1.1), in the order of the playlist; absent without any. */
  readonly dateRanges?: readonly SpliceDateRange[];
}

/** Complete segments, without the open segment at the end. */
export function completeSegments(playlist: MediaPlaylist): readonly PlaylistSegment[] {
  return playlist.segments.at(-1)?.uri === undefined ? playlist.segments.slice(0, -1) : playlist.segments;
}
