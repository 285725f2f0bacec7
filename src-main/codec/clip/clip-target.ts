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

/** The picture of a clip: progressive H.264. */
export interface ClipPicture {
  readonly width: number;
  readonly height: number;
  readonly sarWidth: number;
  readonly sarHeight: number;
  /** Frames per second, as a fraction. */
  readonly fpsNum: number;
  readonly fpsDen: number;
  readonly profile: 'baseline' | 'main' | 'high';
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
}

/** How far a clip is. */
export interface ConformProgress {
  /** 0 to 1. */
  readonly part: number;
}

/** A clip that was made. */
export interface ConformOutput {
  readonly durationMs: number;
}
