import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { Track } from './track.ts';

/** Ticks per second of all input times: 90 kHz, as in MPEG-2 systems. */
export const INPUT_TIMESCALE = 90_000;

/**
 * All coded data of one picture or one audio frame. `data` is borrowed: it is valid until the call that passes it returns. To
 * keep it, copy it.
 */
export interface AccessUnit {
  readonly trackId: string;
  /** Decoding time in 90 kHz ticks of the input's own clock, unrolled, so that it never wraps. It has no relation to UTC. */
  readonly dtsTicks: number;
  /** Presentation time in the same ticks. */
  readonly ptsTicks: number;
  /**
   * Whether decoding can start here: IDR, CRA or BLA picture, recovery point, or H.264 intra picture after an SPS; every audio
   * frame.
   */
  readonly isRandomAccess: boolean;
  /**
   * H.264 and H.265: NAL units, each after its length in four bytes, without access unit delimiters, and without parameter
   * sets unless they changed while the format of the track stayed the same.
   * Audio: one raw frame without ADTS header.
   */
  readonly data: Uint8Array;
}

/** Splice information section (SCTE-35), received, or created from a mark in the input, with the time at which it was found. */
export interface SpliceMessage {
  /** PID or other number of the track that carried it; 0 if none did. */
  readonly sourceId: number;
  /** The section from `table_id` (0xFC) to its CRC. Borrowed, like the data of an access unit. */
  readonly section: Uint8Array;
  /**
   * Time in 90 kHz ticks of the input at which it was found: the decoding time of the newest access unit before it, or the time
   * of a cue point itself.
   */
  readonly atTicks: number;
}

/** Track that is left out because its codec cannot be carried, or because it is encrypted. */
export interface LeftOutTrack {
  readonly content: 'video' | 'audio';
  /** Name of the codec for operators, for example `MPEG-2 video`. */
  readonly codec: string;
  /** Present if it is left out because it is encrypted. */
  readonly isEncrypted?: true;
}

/** Fault in the bytes of an input. The reader continues; the listener counts and reports. */
export interface FormatProblem extends Explained {
  /** Stable code, for example `ts_sync_lost`. Every code is in the error catalogue of the contract. */
  readonly code: string;
  /** Tracks that are left out for as long as the input sends them in these codecs. */
  readonly leftOut?: readonly LeftOutTrack[];
}

/** Receives the output of a container reader. All calls are synchronous and in the order of the bytes. */
export interface MediaSink {
  /**
   * The set of tracks is known, or has changed. Comes before the first access unit of any track in it.
   * A reader waits a bounded time for the parameter sets of all tracks that the container announces.
   */
  tracks(tracks: readonly Track[]): void;
  accessUnit(unit: AccessUnit): void;
  splice(message: SpliceMessage): void;
  problem(problem: FormatProblem): void;
}
