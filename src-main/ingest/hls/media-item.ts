import type { PlaylistByteRange } from '../../media/manifests/hls/byte-range.ts';
import type { InitSection } from '../../media/manifests/hls/media-playlist.ts';
import type { SegmentKey } from '../../media/manifests/hls/segment-key.ts';
import type { SpliceMark } from '../../media/manifests/hls/splice-mark.ts';

/** Item to load and read: a segment, or a part of one. */
export interface MediaItem {
  /** Media sequence number of its segment. */
  readonly msn: number;
  /** Index of the part in its segment; absent for a complete segment. */
  readonly part?: number;
  /** Address as written; absent if there is nothing to load (EXT-X-GAP). */
  readonly uri?: string;
  readonly range?: PlaylistByteRange;
  readonly keys: readonly SegmentKey[];
  readonly map?: InitSection;
  readonly durationMs: number;
  /** Number of its era (a range of continuous times), which increases at each discontinuity. */
  readonly era: number;
  /** Whether media is missing before it. */
  readonly isAfterGap: boolean;
  /** EXT-X-PROGRAM-DATE-TIME of its start in epoch milliseconds, if the playlist has dates. */
  readonly dateMs?: number;
  /** Marks of splice points before it. */
  readonly marks?: readonly SpliceMark[];
}
