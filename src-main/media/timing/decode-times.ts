/** Maximum distance by which a decoding time after its presentation time is accepted and moved back, in ticks of 90 kHz. */
const MAX_SHIFT_TICKS = 90_000;
/** Maximum number of pictures that a decoder holds back (H.264 A.3.1 item h, H.265 A.4.2). */
const MAX_DEPTH = 16;
/** Maximum distance of successive presentation times of one clock, in ticks of 90 kHz. */
const SAME_CLOCK_TICKS = 5 * 90_000;

/**
 * Computes decoding times of one video track that increase and are never after the presentation time. Late decoding times are
 * all moved back by the same amount; if the input states only one time per picture, they are computed from the order of the
 * presentation times. All times are ticks of 90 kHz on the clock of the input.
 */
export class DecodeTimes {
  #depth: number;
  /** Whether the bitstream states that pictures are shown in decoding order: steps back of their times are jitter. */
  readonly #isInOrder: boolean;
  readonly #frameTicks: number;
  /** Ticks by which stated decoding times are moved back. */
  #shift = 0;
  /** Whether decoding times are computed from the presentation times instead of the stated ones. */
  #isComputed = false;
  #lastDts = -Infinity;
  /** Presentation times of the last two pictures; NaN and infinite before them. */
  #lastPts = NaN;
  #ptsBeforeLast = Infinity;
  /** Presentation times of the pictures that a decoder would hold back, ascending; only if decoding times are computed. */
  #waiting: number[] = [];

  /**
   * @param depth maximum number of pictures decoded before a picture that is shown earlier; undefined if the bitstream does not
   *   state it
   * @param frameTicks duration of a picture, if known at the start
   */
  constructor(depth: number | undefined, frameTicks: number) {
    this.#depth = Math.min(depth ?? 0, MAX_DEPTH);
    this.#isInOrder = depth === 0;
    this.#frameTicks = frameTicks;
  }

  /** Returns the decoding time of the next picture in decoding order. It is after `pts` only if the input is far out of order. */
  next(dts: number, pts: number): number {
    const lastPts = this.#lastPts;
    const isFirst = Number.isNaN(lastPts);
    if (isFirst) this.#start(dts, pts);
    else if (!this.#isComputed && pts === dts && dts < this.#lastDts && this.#fillsGap(pts, lastPts)) {
      this.#isComputed = true;
      this.#depth = Math.max(1, this.#depth);
      this.#fill(lastPts);
    }
    this.#ptsBeforeLast = isFirst ? Infinity : lastPts;
    this.#lastPts = pts;
    this.#lastDts = dts;
    if (!this.#isComputed) return this.#moveBack(dts, pts);
    return pts === dts ? this.#compute(pts, isFirst ? pts : lastPts) : this.#stated(dts, pts);
  }

  /** If the first picture of a stream with reordering is shown too early, its times are computed, or all are moved back. */
  #start(dts: number, pts: number): void {
    if (this.#depth === 0) return;
    const needed = this.#depth * this.#frameTicks;
    if (pts === dts) {
      this.#isComputed = true;
      this.#fill(pts);
    } else if (pts - dts < needed - this.#frameTicks / 2) this.#shift = Math.min(needed - (pts - dts), MAX_SHIFT_TICKS);
  }

  /** Whether a picture is presented between the last two pictures. */
  #fillsGap(pts: number, lastPts: number): boolean {
    return !this.#isInOrder && pts < lastPts && pts > this.#ptsBeforeLast && lastPts - pts < MAX_SHIFT_TICKS;
  }

  #moveBack(dts: number, pts: number): number {
    const late = dts - this.#shift - pts;
    if (late > 0 && this.#shift + late <= MAX_SHIFT_TICKS) this.#shift += late;
    return dts - this.#shift;
  }

  /** Switches to the decoding times that the input states, although it did not state them for its first units. */
  #stated(dts: number, pts: number): number {
    this.#isComputed = false;
    this.#waiting = [];
    this.#shift = Math.min(this.#depth * this.#frameTicks, MAX_SHIFT_TICKS);
    return this.#moveBack(dts, pts);
  }

  #compute(pts: number, lastPts: number): number {
    const waiting = this.#waiting;
    if (Math.abs(pts - lastPts) > SAME_CLOCK_TICKS) this.#fill(pts);
    let at = waiting.length;
    while (at > 0 && (waiting[at - 1] ?? 0) > pts) at--;
    waiting.splice(at, 0, pts);
    // The picture is shown before all waiting ones: the depth is one more than assumed.
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
