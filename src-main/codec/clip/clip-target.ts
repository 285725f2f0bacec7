import type { PackedUnits, SoundForm } from '../sound/ear.ts';

/** A time of a source, in milliseconds from its start. */
interface EditTime {
  readonly startMs: number;
  readonly stopMs: number;
}

/** What is changed in a clip beside its format. Places are pixels of the source. */
export type ClipEdit =
  | ({ readonly kind: 'crop' } & EditTime)
  | ({ readonly kind: 'mute' } & Partial<EditTime>)
  | { readonly kind: 'overlay'; readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };

/** The picture of a clip. */
export interface ClipPicture {
  /** H.264 where it is absent. */
  readonly codec?: 'h264' | 'h265';
  /** Whether frames are two fields, the upper one first; only of H.264. */
  readonly isInterlaced?: boolean;
  readonly width: number;
  readonly height: number;
  readonly sarWidth: number;
  readonly sarHeight: number;
  /** Frames per second, as a fraction. */
  readonly fpsNum: number;
  readonly fpsDen: number;
  /** `main10` only of H.265, `baseline` and `high` only of H.264. */
  readonly profile: 'baseline' | 'main' | 'high' | 'main10';
  /** As the standard writes it, for example `4.0`. */
  readonly level: string;
  /** Average and peak; without it the size follows the content. */
  readonly bitrateKbps?: number | undefined;
}

/** The sound of a clip: AAC-LC. */
export interface ClipSound {
  readonly sampleRate: number;
  readonly channels: 1 | 2 | 6;
  readonly bitrateKbps?: number | undefined;
}

/** Coded sound: units that follow each other. */
export interface CodedSound extends SoundForm {
  readonly units: PackedUnits;
}

/** How loud a clip is: as loud as a number of LUFS (EBU R 128), or as sound that a stream just had. */
type ClipLoudness = { readonly lufs: number } | { readonly like: CodedSound };

/** Filler behind the last picture. */
interface ClipSlate {
  /** The clip lasts a whole number of times as long, in milliseconds. */
  readonly multipleMs: number;
  /** Absolute path of a picture or a film that is shown meanwhile, without its sound; black without it. */
  readonly path?: string | undefined;
}

/** Files that become a clip. */
export interface ConformInput {
  /** Absolute paths, played one after the other. */
  readonly inputs: readonly string[];
  /** Absolute path of the MP4 file. */
  readonly output: string;
  readonly picture: ClipPicture;
  /** Null for a clip without sound. */
  readonly sound: ClipSound | null;
  readonly edits: readonly ClipEdit[];
  /** Black and silent time before the first picture, in milliseconds. */
  readonly leadInMs: number;
  /** Without it each file is as loud as it is. */
  readonly loudness?: ClipLoudness | undefined;
  readonly slate?: ClipSlate | undefined;
}

/** How far a clip is. */
export interface ConformProgress {
  /** 0 to 1. */
  readonly part: number;
}

/** A clip that was made. */
export interface ConformOutput {
  readonly durationMs: number;
  /** LUFS of each file, and what the clip was brought to; absent where nothing was measured. */
  readonly loudness?: { readonly ofInputs: readonly (number | null)[]; readonly lufs: number };
}
