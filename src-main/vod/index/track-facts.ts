import type { KnownProgram } from '../../media/containers/mpegts/reader.ts';
import type { Track } from '../../media/track.ts';
import type { SampleTables } from '../../media/containers/isobmff/sample-cursor.ts';
import type { PackedList } from './listed-samples.ts';

/** One track of a file as plain data: as it is kept on disk, and crosses between threads. */
export interface TrackFacts {
  readonly track: Track;
  /** Ticks per second of the times in the file. */
  readonly timescale: number;
  /** What is added to every time, in the same ticks: what its edit list says. */
  readonly shiftTicks: number;
  /** Where its presentation ends before its media does, in the same ticks. */
  readonly endTicks?: number;
  /** The samples: by the tables of the file, or listed. */
  readonly samples: SampleTables | PackedList;
  /** Bytes of the lengths in front of NAL units in the file, where they are not four. */
  readonly lengthBytes?: 1 | 2;
  /** Parameter sets that are put before pictures; absent where the sample entry has those of all. */
  readonly sets?: readonly SetsRun[];
  /** What a transport stream is unpacked with. */
  readonly transport?: ListedTransport;
}

/** Parameter sets of pictures from a sample on, up to the next such run: they are put before that sample and all sync samples. */
export interface SetsRun {
  /** Number of the first sample. */
  readonly first: number;
  /** NAL units, each after its length in four bytes. */
  readonly bytes: Uint8Array;
}

/** What is known of a track of a transport stream; places of its units are those where reading has to begin for them to be whole. */
export interface ListedTransport {
  readonly program: KnownProgram;
  /** The recordings in it, one behind the other. */
  readonly recordings: readonly ListedRecording[];
}

/** One recording in a transport stream that has several. */
interface ListedRecording {
  /** Number of its first unit. */
  readonly first: number;
  /** What was added to the times in the file. */
  readonly shiftTicks: number;
}
