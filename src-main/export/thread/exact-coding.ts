import type { VideoTrack } from '../../media/track.ts';
import { ExportFailure } from './export-task.ts';

/** A coded picture with its time, in ticks of its track. */
interface CodedPicture {
  readonly ptsTicks: number;
  /** NAL units, each after its length in four bytes. */
  readonly data: Uint8Array;
}

/** How pictures are encoded, so that they fit to those of a track. */
type Coding = {
  /** How many pictures may be decoded before one that is shown before them. */
  readonly reordered: number;
} & (
  | {
      readonly codec: 'h264';
      readonly profile: 'baseline' | 'main' | 'high';
      readonly levelIdc: number;
      readonly parameterSetId: number;
      readonly isInterlaced: boolean;
    }
  | { readonly codec: 'h265'; readonly profile: 'main' | 'main10' }
);

/** Pictures that were encoded again, in the order of their times, and the parameter sets that they need. */
interface MadePictures {
  readonly parameterSets: readonly Uint8Array[];
  readonly pictures: readonly CodedPicture[];
}

/** Encodes pictures again that are shown in a time. */
export type CutPictures = (input: {
  readonly coding: Coding;
  readonly decoderConfig: Uint8Array;
  readonly pictures: readonly CodedPicture[];
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly timescale: number;
  readonly fps: number;
}) => Promise<MadePictures>;

/** What a cut has to know of the coding of a track. */
export interface CutFormat {
  readonly coding: Coding;
  /** Whether decoding can begin with a picture, and with all that are decoded after it and shown after it. */
  isEntry(data: Uint8Array): boolean;
  /** Such a picture without those that are decoded after it and shown before it, which may need others of before. */
  alone(data: Uint8Array): Uint8Array;
  /** Pictures that were encoded with parameter sets whose numbers nothing else of the track has. */
  numbered(made: MadePictures): MadePictures;
  /** The track with further parameter sets beside its own: one sample entry for all of its pictures, because each names its sets by their numbers. */
  withSets(track: VideoTrack, sets: readonly Uint8Array[]): VideoTrack;
}

/** Why a time cannot be cut to the frame. */
export function notExact(why: string): ExportFailure {
  return new ExportFailure('export_not_exact', `The time cannot be cut to the frame: ${why}. Ask for it without exact`);
}
