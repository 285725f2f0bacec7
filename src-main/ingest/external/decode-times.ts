/** Maximum plausible reorder depth (H.264 and H.265 allow 16 pictures). */
const MAX_DEPTH = 16;
/** Minimum step of the presentation times that reordering cannot cause, in 90 kHz ticks. */
const JUMP_TICKS = 5 * 90_000;

/**
 * Computes decoding times of pictures whose container states only presentation times (RTP). Pictures arrive in
 * decoding order: the n-th picture is decoded at the (n - depth)-th smallest presentation time, where depth is the
 * reorder depth. The depth comes from the bitstream if stated there, otherwise from the first picture that is
 * presented before an earlier picture.
 */
export class DecodeTimes {
  readonly #frameTicks: number;
  #depth: number;
  #waiting: number[] = [];
  /** Presentation times of the last pictures, in order of arrival. */
  #recent: number[] = [];
  #last = Number.NaN;
  #newest = Number.NaN;

  /**
   * @param depth maximum number of reordered pictures (`max_num_reorder_frames`); 0 if unknown
   * @param frameTicks usual duration of a picture in 90 kHz ticks
   */
  constructor(depth: number, frameTicks: number) {
    this.#depth = Math.min(depth, MAX_DEPTH);
    this.#frameTicks = frameTicks;
  }

  /** Decoding time of the next picture. */
  next(ptsTicks: number): number {
    if (Math.abs(ptsTicks - this.#newest) > JUMP_TICKS) this.#restart();
    this.#newest = Number.isNaN(this.#newest) ? ptsTicks : Math.max(this.#newest, ptsTicks);
    this.#learn(ptsTicks);
    this.#insert(ptsTicks);
    const dtsTicks = this.#take();
    // The time may already be used while the depth is not final.
    this.#last = dtsTicks <= this.#last ? this.#last + 1 : dtsTicks;
    return this.#last;
  }

  /** Determines the depth: the number of pictures that are decoded before this one and presented after it. */
  #learn(ptsTicks: number): void {
    const recent = this.#recent;
    let later = 0;
    for (const before of recent) if (before > ptsTicks) later++;
    if (later > this.#depth) this.#depth = later;
    recent.push(ptsTicks);
    if (recent.length > MAX_DEPTH) recent.shift();
  }

  #restart(): void {
    this.#waiting = [];
    this.#recent = [];
    this.#last = Number.NaN;
    this.#newest = Number.NaN;
  }

  #insert(ptsTicks: number): void {
    const waiting = this.#waiting;
    let at = waiting.length;
    while (at > 0 && (waiting[at - 1] ?? 0) > ptsTicks) at--;
    waiting.splice(at, 0, ptsTicks);
  }

  #take(): number {
    const missing = this.#depth - this.#waiting.length + 1;
    if (missing > 0) return (this.#waiting[0] ?? 0) - missing * this.#frameTicks;
    return this.#waiting.shift() ?? 0;
  }
}
