import type { FormatProblem } from '../access-unit.ts';
import type { AudioTrack, VideoTrack } from '../track.ts';

/** What every assembler is made with. */
export interface AssemblerOptions {
  /** Track id that the resulting track value carries, `v1` or `a1` for example. */
  readonly trackId: string;
  readonly language?: string;
  readonly sourceId?: number;
  /** Hears of damaged parameter sets and frames. */
  readonly problem: (problem: FormatProblem) => void;
}

/** One picture, ready for a CMAF sample. */
export interface AssembledPicture {
  /** NAL units with four-byte lengths, without parameter sets, delimiters and filler. Borrowed until the next call. */
  readonly data: Uint8Array;
  readonly isRandomAccess: boolean;
}

/** Turns elementary video in Annex B form, one access unit a call, into pictures and a track value. */
export interface VideoAssembler {
  /** The current format; undefined until all parameter sets were seen. A new identity means a change of format. */
  readonly track: VideoTrack | undefined;
  /** Returns undefined for a unit without a coded picture, and before the parameter sets are known. */
  assemble(annexB: Uint8Array): AssembledPicture | undefined;
  /** As `assemble`, for NAL units whose places are known: pairs of start and end at `bounds[from..to)`. */
  assembleUnits(bytes: Uint8Array, bounds: readonly number[], from: number, to: number): AssembledPicture | undefined;
}

/** Cuts elementary audio into frames; keeps the rest of a frame that continues in the next call. */
export interface AudioSplitter {
  /** The current format; undefined until the first whole frame header. A new identity means a change of format. */
  readonly track: AudioTrack | undefined;
  /** Calls `frame` for each whole raw frame in order (borrowed bytes). The first frame that starts in `bytes` has the time of the packet. */
  split(bytes: Uint8Array, frame: (data: Uint8Array, startsInThisCall: boolean) => void): void;
  /** Forgets a half frame, after lost packets. */
  reset(): void;
}
