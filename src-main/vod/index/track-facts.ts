import type { LengthSize } from '../../media/codecs/nal/length-prefixed.ts';
import type { FoundProgram } from '../../media/containers/mpegts/reader.ts';
import type { Track } from '../../media/track.ts';
import type { SampleTables } from '../../media/containers/isobmff/sample-cursor.ts';
import type { PackedList } from './listed-samples.ts';

/** Track of a file as plain data, for storage and for transfer between threads. */
export interface TrackFacts {
  /** Track in its first format. */
  readonly track: Track;
  /** Later formats, in order, with the id and the timescale of the first one; absent if there are none. */
  readonly formats?: readonly FormatRun[];
  /** Ticks per second of the times in the file. */
  readonly timescale: number;
  /** Offset added to all times because of the edit list, in the same ticks. */
  readonly shiftTicks: number;
  /** End of the presentation if the media is longer, in the same ticks. */
  readonly endTicks?: number;
  /** Samples: tables of the file, or a list. */
  readonly samples: SampleTables | PackedList;
  /** Size of the lengths before NAL units in the file; absent if the samples have the served form. */
  readonly lengthBytes?: LengthSize;
  /** Parameter sets to insert before pictures; absent if the sample entry has all of them. */
  readonly sets?: readonly SetsRun[];
  /** Data needed to unpack a transport stream. */
  readonly transport?: ListedTransport;
}

/** Run of samples in another format than the previous samples. */
export interface FormatRun {
  /** Number of the first sample. */
  readonly first: number;
  readonly track: Track;
}

/** Parameter sets for a run of samples, inserted before its first sample and all its sync samples. */
export interface SetsRun {
  /** Number of the first sample. */
  readonly first: number;
  /** NAL units, each after its length in four bytes. */
  readonly bytes: Uint8Array;
}

/**
 * Data of a transport stream track. The offset of a unit is the position at which reading must start to get the complete unit.
 */
export interface ListedTransport {
  /** Id of the track in its file. */
  readonly trackId: string;
  /** Programmes by the number of the unit at which they start, in order: packet identifiers may change. */
  readonly programs: readonly ListedProgram[];
  /** Recordings in the file, in order. */
  readonly recordings: readonly ListedRecording[];
}

/** Programme for a reader that starts in the middle of the file. */
export interface ListedProgram {
  /** Number of the first unit. */
  readonly first: number;
  readonly program: FoundProgram;
}

/** One of several recordings in a transport stream. */
interface ListedRecording {
  /** Number of the first unit of the recording. */
  readonly first: number;
  /** Offset added to the times of the file. */
  readonly shiftTicks: number;
}
