/** Largest distance by which a decoding time after its presentation time is believed and moved back, in ticks of 90 kHz. */
const MAX_SHIFT_TICKS = 90_000;
/** Number of pictures that a decoder may hold back (H.264 A.3.1 item h, H.265 A.4.2). */
const MAX_DEPTH = 16;
/** A presentation time that is further from the one before it belongs to another clock, in ticks of 90 kHz. */
const SAME_CLOCK_TICKS = 5 * 90_000;

/**
 * Decoding times of one video track that rise and are never after the presentation time. Inputs whose decoding times are too late get
 * all of them moved back by the same amount; inputs without decoding times (pictures with B frames that have one time each) get them
 * from the order of their presentation times. All times are ticks of 90 kHz on the clock of the input.
 */
export class DecodeTimes {
  #depth: number;
  readonly #frameTicks: number;
  #shift = 0;
  #isMade = false;
  #lastDts = -Infinity;
  /** Presentation times of the last picture and of the one before it. */
  #lastPts: number | undefined;
  #ptsBeforeLast = Infinity;
  /** Presentation times of the pictures that a decoder would hold back, ascending; only where the decoding times are made. */
  #waiting: number[] = [];

  /**
   * @param depth number of pictures that may be decoded before a picture that is shown earlier, as the bitstream says it
   * @param frameTicks length of a picture, as far as it is known at the start
   */
  constructor(depth: number, frameTicks: number) {
    this.#depth = Math.min(depth, MAX_DEPTH);
    this.#frameTicks = frameTicks;
  }

  /** Returns the decoding time of the next picture in decoding order. It lies after `pts` only if the input is far out of order. */
  next(dts: number, pts: number): number {
    const lastPts = this.#lastPts;
    if (lastPts === undefined) this.#start(dts, pts);
    else if (!this.#isMade && pts === dts && dts < this.#lastDts && this.#fillsGap(pts, lastPts)) {
      this.#isMade = true;
      this.#depth = Math.max(1, this.#depth);
      this.#fill(lastPts);
    }
    this.#ptsBeforeLast = lastPts ?? Infinity;
    this.#lastPts = pts;
    this.#lastDts = dts;
    if (!this.#isMade) return this.#late(dts, pts);
    return pts === dts ? this.#made(pts, lastPts ?? pts) : this.#stated(dts, pts);
  }

  /** A first picture that a decoder shows at once, in a stream that makes it wait for others, says that the times are too late. */
  #start(dts: number, pts: number): void {
    if (this.#depth === 0) return;
    const needed = this.#depth * this.#frameTicks;
    if (pts === dts) {
      this.#isMade = true;
      this.#fill(pts);
    } else if (pts - dts < needed - this.#frameTicks / 2) this.#shift = Math.min(needed - (pts - dts), MAX_SHIFT_TICKS);
  }

  /** Whether a picture is shown before the last one and after the one before that: the last one has left room for it. */
  #fillsGap(pts: number, lastPts: number): boolean {
    return pts < lastPts && pts > this.#ptsBeforeLast && lastPts - pts < MAX_SHIFT_TICKS;
  }

  #late(dts: number, pts: number): number {
    const late = dts - this.#shift - pts;
    if (late > 0 && this.#shift + late <= MAX_SHIFT_TICKS) this.#shift += late;
    return dts - this.#shift;
  }

  /** The input states decoding times after all. */
  #stated(dts: number, pts: number): number {
    this.#isMade = false;
    this.#waiting = [];
    this.#shift = Math.min(this.#depth * this.#frameTicks, MAX_SHIFT_TICKS);
    return this.#late(dts, pts);
  }

  #made(pts: number, lastPts: number): number {
    const waiting = this.#waiting;
    if (Math.abs(pts - lastPts) > SAME_CLOCK_TICKS) this.#fill(pts);
    let at = waiting.length;
    while (at > 0 && (waiting[at - 1] ?? 0) > pts) at--;
    waiting.splice(at, 0, pts);
    // Shown before all that wait: the decoder has to hold back one picture more than was known.
    if (at === 0 && this.#depth < MAX_DEPTH) {
      this.#depth++;
      return pts;
    }
    return waiting.shift() ?? pts;
  }

  #fill(pts: number): void {
    this.#waiting.length = 0;
    for (let ahead = this.#depth; ahead > 0; ahead--) this.#waiting.push(pts - ahead * this.#frameTicks);
  }
}
