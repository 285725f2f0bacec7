import type { PackedUnits, SoundForm } from '../sound/loudness-meter.ts';

/** A time range of a source, in milliseconds from its start. */
interface EditTime {
  readonly startMs: number;
  readonly stopMs: number;
}

/** An edit of a clip, in addition to its format. Coordinates are pixels of the source. */
export type ClipEdit =
  | ({ readonly kind: 'crop' } & EditTime)
  | ({ readonly kind: 'mute' } & Partial<EditTime>)
  | { readonly kind: 'overlay'; readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };

/** Video format of a clip. */
export interface ClipPicture {
  /** Default: H.264. */
  readonly codec?: 'h264' | 'h265';
  /** True for interlaced frames, top field first; only for H.264. */
  readonly isInterlaced?: boolean;
  readonly width: number;
  readonly height: number;
  readonly sarWidth: number;
  readonly sarHeight: number;
  /** Frames per second, as a fraction. */
  readonly fpsNum: number;
  readonly fpsDen: number;
  /** `main10` only for H.265, `baseline` and `high` only for H.264. */
  readonly profile: 'baseline' | 'main' | 'high' | 'main10';
  /** Level as the standard writes it, for example `4.0`. */
  readonly level: string;
  /** Average and maximum bitrate; if it is missing, the size of the file follows the content. */
  readonly bitrateKbps?: number | undefined;
}

/** Audio format of a clip: AAC-LC. */
export interface ClipSound {
  readonly sampleRate: number;
  readonly channels: 1 | 2 | 6;
  readonly bitrateKbps?: number | undefined;
}

/** Coded sound: consecutive units. */
export interface CodedSound extends SoundForm {
  readonly units: PackedUnits;
}

/** Target loudness of a clip: a number of LUFS (EBU R 128), or the loudness of recent sound of a stream. */
type ClipLoudness = { readonly lufs: number } | { readonly like: CodedSound };

/** Filler after the last picture. */
interface ClipSlate {
  /** Length unit in milliseconds: the clip is extended to a multiple of it. */
  readonly multipleMs: number;
  /** Absolute path of a picture or a film for the filler, shown without its sound; black without it. */
  readonly path?: string | undefined;
}

/** Files and format of a clip. */
export interface ConformInput {
  /** Absolute paths, played in order. */
  readonly inputs: readonly string[];
  /** Absolute path of the MP4 file. */
  readonly output: string;
  readonly picture: ClipPicture;
  /** Null for a clip without sound. */
  readonly sound: ClipSound | null;
  readonly edits: readonly ClipEdit[];
  /** Black and silent time before the first picture, in milliseconds. */
  readonly leadInMs: number;
  /** Undefined to keep the loudness of each file. */
  readonly loudness?: ClipLoudness | undefined;
  readonly slate?: ClipSlate | undefined;
}

/** Progress of a clip. */
export interface ConformProgress {
  /** 0 to 1. */
  readonly part: number;
}

/** A finished clip. */
export interface ConformOutput {
  readonly durationMs: number;
  /** LUFS of each file, and the target of the clip; absent if loudness was not measured. */
  readonly loudness?: { readonly ofInputs: readonly (number | null)[]; readonly lufs: number };
}
