import type { CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import type { LaterSamples } from '../outline/later-samples.ts';
import type { SourceTrack } from './source-track.ts';

/** A segment of one track: some of its samples, one behind the other. Times are those of its media as it is served, in ticks of the track. */
export interface SegmentRow {
  /** The first sample; undefined in a hole, where the track has nothing. */
  readonly mark: CursorMark | undefined;
  readonly sampleCount: number;
  /** Presentation time of the first sample, or where the hole begins. */
  readonly startTicks: number;
  readonly durationTicks: number;
  /** Bytes of the samples. */
  readonly dataBytes: number;
  /** Whether decoding can start with it. */
  readonly isSync: boolean;
}

/** One track of a file, cut into segments. */
export interface IndexedTrack {
  readonly source: SourceTrack;
  /** What leads from times of the file to those of the media as it is served, in ticks of the track: no decoding time is below 0. */
  readonly biasTicks: number;
  /** By segment number: the same ones cover the same time in all tracks. */
  readonly rows: readonly SegmentRow[];
  /** Where the samples of each segment are looked up when they are asked for; marks and counts of the rows mean nothing then, and bytes are estimates. */
  readonly later?: LaterSamples;
}

/** What is known of a file without reading its media. */
export interface FileIndex {
  /** Video first; one at least, and each has media. */
  readonly tracks: readonly IndexedTrack[];
  /** Time of the media with which the presentation begins, in milliseconds. */
  readonly biasMs: number;
  /** Estimated bytes that it takes in memory. */
  readonly memoryBytes: number;
}

/** Why a file cannot be played. */
export interface FileRefusal {
  readonly code: 'vod_file_damaged' | 'vod_file_not_supported' | 'vod_index_timeout';
  /** In words, for the operator. */
  readonly detail: string;
}
