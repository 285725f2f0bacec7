import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { FilterChain } from '../libav/filter-chain.ts';
import { endless, pictureChain, silence, soundChain, type Loudness } from './clip-filters.ts';
import { ClipSource } from './clip-source.ts';
import type { ClipEdit, ClipPicture, ClipSound } from './clip-target.ts';
import type { ClipWriter } from './clip-writer.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Maximum length of a clip, in seconds. */
const MAX_S = 3600;

/** Source file of a clip with its conversion. */
export interface ClipPartInput {
  readonly path: string;
  readonly picture: ClipPicture;
  readonly sound: ClipSound | null;
  readonly edits: readonly ClipEdit[];
  readonly leadInMs: number;
  /** Undefined to keep the loudness of the file. */
  readonly level?: { readonly from: Loudness; readonly toLufs: number } | undefined;
  /**
   * Number of pictures to produce, without sound; the last picture repeats if the file has too few. Undefined for all pictures of
   * the file.
   */
  readonly fillPictures?: number;
  readonly threads: number;
}

/** Conversion of one source file into the clip. */
export class ClipPart {
  readonly #source: ClipSource;
  readonly #writer: ClipWriter;
  readonly #input: ClipPartInput;
  /** Number of pictures of the clip at the end of this part. */
  readonly #maxPictures: number;
  #silence: FilterChain | undefined;

  constructor(input: ClipPartInput, writer: ClipWriter) {
    const { path, picture, sound, edits, leadInMs, level, fillPictures, threads } = input;
    this.#input = input;
    this.#writer = writer;
    this.#source = new ClipSource(path, threads, fillPictures === undefined ? undefined : [AVMEDIA_TYPE_VIDEO]);
    this.#maxPictures = fillPictures === undefined ? Infinity : writer.pictures + fillPictures;
    const video = this.#source.track(AVMEDIA_TYPE_VIDEO);
    if (!video) throw new AirdeskError('clip_not_made', because('clip_without_video', { path }));
    const chain = pictureChain(picture, edits, leadInMs);
    video.chain = fillPictures === undefined ? chain : endless(chain);
    const audio = this.#source.track(AVMEDIA_TYPE_AUDIO);
    if (sound && audio) audio.chain = soundChain(sound, edits, leadInMs, level);
    else if (sound) this.#silence = new FilterChain(silence(sound), AVMEDIA_TYPE_AUDIO);
  }

  /** Share of the file that was read, 0 to 1. */
  get done(): number {
    const { durationS } = this.#source;
    return durationS > 0 ? Math.min(1, (this.#source.track(AVMEDIA_TYPE_VIDEO)?.atS ?? 0) / durationS) : 0;
  }

  /**
   * Converts the next piece.
   * @returns false at the end
   */
  read(): boolean {
    const hasMore = this.#source.read() && this.#writer.pictures < this.#maxPictures;
    this.#takePictures();
    const { sound } = this.#input;
    // An audio track whose sound cannot be decoded counts as missing.
    if (!hasMore && sound && this.#source.track(AVMEDIA_TYPE_AUDIO)?.hasFrames !== true)
      this.#silence ??= new FilterChain(silence(sound), AVMEDIA_TYPE_AUDIO);
    // Sound ends with the pictures. Before the end of the file it is not limited, because pictures may follow.
    this.#takeSound(hasMore && !this.#silence ? Infinity : this.#writer.samplesOfPictures);
    return hasMore;
  }

  /** Closes the file. Missing sound is replaced by silence up to the end of the pictures. */
  end(): void {
    if (this.#source.track(AVMEDIA_TYPE_VIDEO)?.hasFrames !== true)
      throw new AirdeskError('clip_not_made', because('clip_video_not_decoded'));
    this.#source.close();
    this.#silence?.close();
  }

  #takePictures(): void {
    const video = this.#source.track(AVMEDIA_TYPE_VIDEO);
    const { fpsNum, fpsDen } = this.#input.picture;
    while (this.#writer.pictures < this.#maxPictures) {
      const frame = video?.next();
      if (!frame) return;
      this.#writer.writePicture(frame);
      frame.free();
      if ((this.#writer.pictures * fpsDen) / fpsNum > MAX_S)
        throw new AirdeskError('clip_not_made', because('clip_too_long', { seconds: MAX_S }));
    }
  }

  #takeSound(maxSamples: number): void {
    const audio = this.#source.track(AVMEDIA_TYPE_AUDIO);
    const from = this.#silence ?? (audio?.chain === '' ? undefined : audio);
    while (this.#writer.samples < maxSamples) {
      const frame = from?.next();
      if (!frame) return;
      this.#writer.writeSound(frame);
      frame.free();
    }
  }
}
