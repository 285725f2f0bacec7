import type { FormatProblem } from '../access-unit.ts';
import type { AudioTrack, VideoTrack } from '../track.ts';

export interface AssemblerOptions {
  /** Track id of the resulting track, for example `v1` or `a1`. */
  readonly trackId: string;
  readonly language?: string;
  readonly sourceId?: number;
  /** Called for damaged parameter sets and frames. */
  readonly problem: (problem: FormatProblem) => void;
}

/** Picture in the form of a CMAF sample. Borrowed until the next call of any assembler. */
export interface AssembledPicture {
  /** NAL units with four-byte lengths, without parameter sets, delimiters and filler. */
  readonly data: Uint8Array;
  readonly isRandomAccess: boolean;
}

/** Converts elementary video in Annex B form, one access unit per call, to pictures and a track. */
export interface VideoAssembler {
  /** Current format; undefined before all parameter sets have arrived. A change of format gives another object. */
  readonly track: VideoTrack | undefined;
  /** Converts an access unit. Returns undefined for a unit without a coded picture, and before the parameter sets are known. */
  assemble(annexB: Uint8Array): AssembledPicture | undefined;
  /** Does the same as `assemble`, for NAL units at known positions: pairs of start and end at `bounds[from..to)`. */
  assembleUnits(bytes: Uint8Array, bounds: readonly number[], from: number, to: number): AssembledPicture | undefined;
}

/** Splits elementary audio into frames; keeps a partial frame that continues in the next call. */
export interface AudioSplitter {
  /** Current format; undefined until the first complete frame header. A change of format gives another object. */
  readonly track: AudioTrack | undefined;
  /**
   * Calls `frame` for each complete raw frame in order (borrowed bytes). The first frame that starts in `bytes` has the time of
   * the packet.
   */
  split(bytes: Uint8Array, frame: (data: Uint8Array, startsInThisCall: boolean) => void): void;
  /** Drops a partial frame, after lost packets. */
  reset(): void;
}
