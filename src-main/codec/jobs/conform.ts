import { availableParallelism, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { pictureChain, silence, soundChain } from '../clip/clip-filters.ts';
import { ClipSource } from '../clip/clip-source.ts';
import { FilterChain } from '../filter-chain.ts';
import type { ConformInput, ConformOutput, ConformProgress } from '../clip/clip-target.ts';
import { ClipWriter } from '../clip/clip-writer.ts';

/** Nice value of the process: what is live comes before it. */
const NICE = 15;
/** How often it is said how far it is, in milliseconds. */
const PROGRESS_MS = 250;
/** Length of the longest clip, in seconds. */
const MOST_S = 3600;

/** Makes a clip in the format of a stream from files, and is the only job of its process. Raises `clip_not_made`, `clip_no_room`. */
export async function conform(
  input: ConformInput,
  report: (progress: ConformProgress) => void,
): Promise<ConformOutput> {
  setPriority(NICE);
  const { picture, sound, inputs } = input;
  const threads = Math.max(1, Math.floor(availableParallelism() / 2));
  const writer = new ClipWriter(input.output, picture, sound, threads);
  let saidMs = performance.now();
  for (const [index, path] of inputs.entries()) {
    const part = new SourcePart(input, path, index === 0 ? input.leadInMs : 0, writer, threads);
    while (part.read()) {
      const nowMs = performance.now();
      if (nowMs - saidMs < PROGRESS_MS) continue;
      saidMs = nowMs;
      report({ part: (index + part.done) / inputs.length });
      // The owner may hang up meanwhile.
      await setImmediate();
    }
    part.end();
  }
  writer.finish();
  return { durationMs: Math.round((writer.pictures * 1000 * picture.fpsDen) / picture.fpsNum) };
}

/** One source file on its way into the clip. */
class SourcePart {
  readonly #source: ClipSource;
  readonly #writer: ClipWriter;
  readonly #input: ConformInput;
  readonly #silence: FilterChain | undefined;

  constructor(input: ConformInput, path: string, leadInMs: number, writer: ClipWriter, threads: number) {
    const { picture, sound, edits } = input;
    this.#input = input;
    this.#writer = writer;
    this.#source = new ClipSource(path, threads);
    const video = this.#source.track(AVMEDIA_TYPE_VIDEO);
    if (!video) throw new AirdeskError('clip_not_made', `There is no picture in ${path}`);
    video.chain = pictureChain(picture, edits, leadInMs);
    const audio = this.#source.track(AVMEDIA_TYPE_AUDIO);
    if (sound && audio) audio.chain = soundChain(sound, edits, leadInMs);
    else if (sound) this.#silence = new FilterChain(silence(sound), AVMEDIA_TYPE_AUDIO);
  }

  /** How much of the file was read, 0 to 1. */
  get done(): number {
    const { durationS } = this.#source;
    return durationS > 0 ? Math.min(1, (this.#source.track(AVMEDIA_TYPE_VIDEO)?.atS ?? 0) / durationS) : 0;
  }

  /** Carries the next piece through. @returns false at the end */
  read(): boolean {
    const goesOn = this.#source.read();
    this.#takePictures();
    // Sound that is longer than the picture is cut off, so it waits for the picture at the end.
    this.#takeSound(goesOn && !this.#silence ? Infinity : this.#pictureSamples());
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
    for (let frame = video?.next(); frame; frame = video?.next()) {
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

  /** Samples of the time of all pictures. */
  #pictureSamples(): number {
    const { picture, sound } = this.#input;
    return Math.round((this.#writer.pictures * (sound?.sampleRate ?? 0) * picture.fpsDen) / picture.fpsNum);
  }
}
