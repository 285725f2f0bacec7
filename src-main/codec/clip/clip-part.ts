import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { FilterChain } from '../filter-chain.ts';
import { endless, pictureChain, silence, soundChain, type Loudness } from './clip-filters.ts';
import { ClipSource } from './clip-source.ts';
import type { ClipEdit, ClipPicture, ClipSound } from './clip-target.ts';
import type { ClipWriter } from './clip-writer.ts';

/** Length of the longest clip, in seconds. */
const MOST_S = 3600;

/** What a source file gives a clip. */
export interface ClipPartInput {
  readonly path: string;
  readonly picture: ClipPicture;
  readonly sound: ClipSound | null;
  readonly edits: readonly ClipEdit[];
  readonly leadInMs: number;
  /** Absent where its sound stays as loud as it is. */
  readonly level?: { readonly from: Loudness; readonly toLufs: number } | undefined;
  /** Pictures that it gives, as many as these and without its sound: the last one stays where there are no more. Absent for all that it has. */
  readonly fillPictures?: number;
  readonly threads: number;
}

/** One source file on its way into the clip. */
export class ClipPart {
  readonly #source: ClipSource;
  readonly #writer: ClipWriter;
  readonly #input: ClipPartInput;
  /** Pictures of the clip with which this part ends. */
  readonly #mostPictures: number;
  #silence: FilterChain | undefined;

  constructor(input: ClipPartInput, writer: ClipWriter) {
    const { path, picture, sound, edits, leadInMs, level, fillPictures, threads } = input;
    this.#input = input;
    this.#writer = writer;
    this.#source = new ClipSource(path, threads, fillPictures === undefined ? undefined : [AVMEDIA_TYPE_VIDEO]);
    this.#mostPictures = fillPictures === undefined ? Infinity : writer.pictures + fillPictures;
    const video = this.#source.track(AVMEDIA_TYPE_VIDEO);
    if (!video) throw new AirdeskError('clip_not_made', `There is no picture in ${path}`);
    const chain = pictureChain(picture, edits, leadInMs);
    video.chain = fillPictures === undefined ? chain : endless(chain);
    const audio = this.#source.track(AVMEDIA_TYPE_AUDIO);
    if (sound && audio) audio.chain = soundChain(sound, edits, leadInMs, level);
    else if (sound) this.#silence = new FilterChain(silence(sound), AVMEDIA_TYPE_AUDIO);
  }

  /** How much of the file was read, 0 to 1. */
  get done(): number {
    const { durationS } = this.#source;
    return durationS > 0 ? Math.min(1, (this.#source.track(AVMEDIA_TYPE_VIDEO)?.atS ?? 0) / durationS) : 0;
  }

  /** Carries the next piece through. @returns false at the end */
  read(): boolean {
    const goesOn = this.#source.read() && this.#writer.pictures < this.#mostPictures;
    this.#takePictures();
    const { sound } = this.#input;
    // A track of sound of which nothing can be decoded is none.
    if (!goesOn && sound && this.#source.track(AVMEDIA_TYPE_AUDIO)?.hasFrames !== true)
      this.#silence ??= new FilterChain(silence(sound), AVMEDIA_TYPE_AUDIO);
    // Sound that is longer than the picture is cut off, so it waits for the picture at the end.
    this.#takeSound(goesOn && !this.#silence ? Infinity : this.#writer.samplesOfPictures);
    return goesOn;
  }

  /** Closes the file. Sound is as long as the picture then: what is missing is silent. */
  end(): void {
    if (this.#source.track(AVMEDIA_TYPE_VIDEO)?.hasFrames !== true)
      throw new AirdeskError('clip_not_made', 'No picture of the file can be decoded');
    this.#source.close();
    this.#silence?.close();
  }

  #takePictures(): void {
    const video = this.#source.track(AVMEDIA_TYPE_VIDEO);
    const { fpsNum, fpsDen } = this.#input.picture;
    while (this.#writer.pictures < this.#mostPictures) {
      const frame = video?.next();
      if (!frame) return;
      this.#writer.writePicture(frame);
      frame.free();
      if ((this.#writer.pictures * fpsDen) / fpsNum > MOST_S)
        throw new AirdeskError('clip_not_made', `A clip is at most ${MOST_S} s long`);
    }
  }

  #takeSound(mostSamples: number): void {
    const audio = this.#source.track(AVMEDIA_TYPE_AUDIO);
    const from = this.#silence ?? (audio?.chain === '' ? undefined : audio);
    while (this.#writer.samples < mostSamples) {
      const frame = from?.next();
      if (!frame) return;
      this.#writer.writeSound(frame);
      frame.free();
    }
  }
}
