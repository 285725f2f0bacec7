import type { LeftOutTrack } from '../../media/access-unit.ts';
import type { CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import type { SampleCache } from './sample-cache.ts';
import type { SourceTrack } from './source-track.ts';
import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Segment of one track: consecutive samples. Times are on the timeline of the output, in ticks of the track. */
export interface SegmentRow {
  /** First sample; undefined in a gap, where the track has no media. */
  readonly mark: CursorMark | undefined;
  readonly sampleCount: number;
  /** Presentation time of the first sample, or start of the gap. */
  readonly startTicks: number;
  readonly durationTicks: number;
  /** Size of the samples in bytes. */
  readonly dataBytes: number;
  /** Whether decoding can start with the segment. */
  readonly isSync: boolean;
}

export interface IndexedTrack {
  readonly source: SourceTrack;
  /** Offset from times of the file to output times, in ticks of the track. It is so large that no decoding time is negative. */
  readonly biasTicks: number;
  /** Segments by number. Segments with the same number cover the same time in all tracks. */
  readonly rows: readonly SegmentRow[];
  /**
   * Looks up the samples of a segment on request. If present, the rows contain no usable marks and sample counts, and their
   * sizes are estimates.
   */
  readonly sampleCache?: SampleCache;
}

/** Index of a file: tracks and segments, without the media. */
export interface FileIndex {
  /** At least one track, video first. Every track has media. */
  readonly tracks: readonly IndexedTrack[];
  /** Output time at which the presentation starts, in milliseconds. */
  readonly biasMs: number;
  /** Estimated size of the index in memory. */
  readonly memoryBytes: number;
  /** Tracks of the file that cannot be played; absent if there are none. */
  readonly leftOut?: readonly LeftOutTrack[];
}

/** Reason for refusing a file. */
export interface FileRefusal extends Explained {
  readonly code: 'vod_file_damaged' | 'vod_file_not_supported' | 'vod_index_timeout';
}
