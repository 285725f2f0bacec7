import type { FormatProblem } from '../../media/access-unit.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import { MAX_BOX_START_BYTES, readBoxStart } from '../../media/containers/isobmff/box.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import { MAX_MOOF_BYTES, readFragment } from '../../media/containers/isobmff/movie-fragment.ts';
import type { DescribedCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import { BOX_BLOCK_BYTES, FileBlock, SAMPLE_BLOCK_BYTES } from '../../media/containers/file-bytes.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';

/** Maximum size of a sample, the same as in other containers. */
const MAX_SAMPLE_BYTES = 16 << 20;
/** Maximum number of boxes between two fragments, and of consecutive samples without a byte. */
const MAX_IDLE_STEPS = 10_000;

/** Walk through one track of an MP4 file: the samples of `moov`, then fragment after fragment. */
export class Mp4TrackWalk {
  readonly movieTrack: MovieTrack;
  /** Times of the current sample in 90 kHz ticks, after the edit list. */
  dtsTicks = 0;
  ptsTicks = 0;
  isDone = false;
  readonly #file: FileBytes;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #data: FileBlock;
  readonly #boxes: FileBlock;
  #cursor: DescribedCursor;
  #endTicks = 0;
  /** Shift that moves decoding times before presentation times, in files with negative composition offsets. */
  #decodeShiftTicks: number | undefined;
  /** Offset at which the search for the next fragment starts; Infinity if there are no fragments. */
  #fragmentAt: number;

  constructor(
    file: FileBytes,
    movieTrack: MovieTrack,
    isFragmented: boolean,
    problem: (problem: FormatProblem) => void,
  ) {
    this.#file = file;
    this.#problem = problem;
    this.#data = new FileBlock(file, SAMPLE_BLOCK_BYTES);
    this.#boxes = new FileBlock(file, BOX_BLOCK_BYTES);
    this.movieTrack = movieTrack;
    this.#cursor = movieTrack.samples();
    this.#fragmentAt = isFragmented && movieTrack.defaults ? 0 : Infinity;
  }

  /** Moves to the next non-empty sample, or sets `isDone`. */
  async next(): Promise<void> {
    for (let step = 0; step < MAX_IDLE_STEPS; step++) {
      const cursor = this.#cursor;
      if (!cursor.next()) {
        if (!(await this.#nextFragment())) break;
        continue;
      }
      this.#endTicks = cursor.dtsTicks + cursor.durationTicks;
      if (cursor.sizeBytes === 0) continue;
      if (
        cursor.sizeBytes > MAX_SAMPLE_BYTES ||
        cursor.offset < 0 ||
        cursor.offset + cursor.sizeBytes > this.#file.sizeBytes
      ) {
        this.#damaged(
          `A sample of ${this.movieTrack.track.id} lies outside the file or is longer than ${MAX_SAMPLE_BYTES} bytes.`,
        );
        break;
      }
      const { timescale, shiftTicks } = this.movieTrack;
      this.#decodeShiftTicks ??= cursor.minOffsetTicks;
      this.dtsTicks = toInputTicks(cursor.dtsTicks + shiftTicks + this.#decodeShiftTicks, timescale);
      this.ptsTicks = toInputTicks(cursor.dtsTicks + cursor.compositionOffsetTicks + shiftTicks, timescale);
      return;
    }
    this.isDone = true;
  }

  /** Index of the sample description of the current sample. */
  get descriptionIndex(): number {
    return this.#cursor.descriptionIndex;
  }

  /** Bytes of the current sample; valid until the next call. */
  read(): Promise<Uint8Array | undefined> {
    return this.#data.view(this.#cursor.offset, this.#cursor.sizeBytes);
  }

  async #nextFragment(): Promise<boolean> {
    const { defaults } = this.movieTrack;
    for (let step = 0; step < MAX_IDLE_STEPS && defaults; step++) {
      const at = this.#fragmentAt;
      if (at + 8 > this.#file.sizeBytes) return false;
      const head = await this.#boxes.view(at, Math.min(MAX_BOX_START_BYTES, this.#file.sizeBytes - at));
      const start = head && readBoxStart(head, 0);
      // A box of size 0 extends to the end of the file.
      if (!start || start.sizeBytes === 0) return false;
      this.#fragmentAt = at + start.sizeBytes;
      if (start.type !== 'moof') continue;
      const moof = start.sizeBytes <= MAX_MOOF_BYTES ? await this.#boxes.view(at, start.sizeBytes) : undefined;
      const cursor = moof && readFragment(moof, at, defaults, this.#endTicks);
      if (!cursor) {
        this.#damaged(`The fragment at byte ${at} cannot be read.`);
        continue;
      }
      this.#cursor = cursor;
      return true;
    }
    return false;
  }

  #damaged(detail: string): void {
    this.#problem({ code: 'mp4_bad_box', detail });
  }
}

function toInputTicks(ticks: number, timescale: number): number {
  return timescale === INPUT_TIMESCALE ? ticks : Math.round((ticks * INPUT_TIMESCALE) / timescale);
}
