import type { Silence } from '../../lib/channel/channel.ts';
import type { FileRefusal } from '../index/file-index.ts';
import type { PackedList } from '../index/listed-samples.ts';
import type { PackedIndex } from '../index/packed-index.ts';
import type { FileSubtitles } from '../subtitles.ts';

/** Files to index: one, or the renditions of a ladder. */
export interface IndexTask {
  readonly files: readonly { readonly path: string; readonly version: string; readonly sizeBytes: number }[];
  /** Minimum length of a segment in milliseconds. */
  readonly segmentMs: number;
  /** Minimum size of a file that is opened by its outline, in bytes. */
  readonly outlineFromBytes: number;
}

export interface Indexed {
  readonly index: PackedIndex | FileRefusal;
  /** Bytes read from each file. */
  readonly bytesIn: readonly number[];
}

/** Segment of an outlined file whose samples are needed. */
export interface SamplesRequest {
  readonly task: IndexTask;
  /** Position of the track in the index. */
  readonly track: number;
  readonly segment: number;
}

/** Film whose subtitle files are needed. */
interface SubtitleRequest {
  /** Path of the film, SMIL file or folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Output time at which the presentation starts, in milliseconds. */
  readonly mediaOffsetMs: number;
}

/** Messages to an index thread. */
export interface ToIndexThread extends Silence {
  readonly calls: {
    readonly index: readonly [IndexTask, Indexed];
    readonly samples: readonly [SamplesRequest, PackedList];
    readonly subtitles: readonly [SubtitleRequest, readonly FileSubtitles[]];
    /** Resolves when the store has written everything. */
    readonly settle: readonly [undefined, undefined];
  };
}

export interface IndexThreadStart {
  /** Folder of stored indexes; absent if none are stored. */
  readonly storeFolder?: string;
  /** Number of the thread among those of its folder. */
  readonly number: number;
  /** Whether the thread runs with low priority. */
  readonly isLow: boolean;
  /** Time after which a read counts as hanging, in milliseconds. */
  readonly hangMs?: number;
}
