/** Options of a rate estimator. */
export interface RateEstimatorOptions {
  /** Length of the time that is looked at. Default 5000. */
  readonly windowMs?: number;
  /** Pieces that the time is counted in: more are smoother and take more memory. Default 10. */
  readonly buckets?: number;
}

/**
 * How much of something came in a second, over the last seconds: frames or bytes. It counts into a ring of a fixed number of buckets, so it
 * costs the same at any rate. The clock is an argument, in milliseconds; one that runs backwards counts into the current bucket.
 */
export class RateEstimator {
  readonly #bucketMs: number;
  readonly #counts: Float64Array;
  /** Number of the current bucket since time 0. */
  #bucket = -1;
  #firstMs = 0;
  #sum = 0;

  constructor(options: RateEstimatorOptions = {}) {
    const buckets = options.buckets ?? 10;
    this.#bucketMs = (options.windowMs ?? 5000) / buckets;
    this.#counts = new Float64Array(buckets);
  }

  /** Counts `amount` at time `now`. */
  add(amount: number, now: number): void {
    if (this.#bucket < 0) this.#start(now);
    this.#advance(now);
    this.#counts[this.#bucket % this.#counts.length]! += amount;
    this.#sum += amount;
  }

  /** Amount per second over the window before `now`; over the time since the first count while that is shorter. 0 before two buckets are full. */
  perSecond(now: number): number {
    if (this.#bucket < 0) return 0;
    this.#advance(now);
    // The current bucket is not over: it counts for the part that has gone.
    const windowStart = Math.max(this.#firstMs, (this.#bucket - this.#counts.length + 1) * this.#bucketMs);
    const spanMs = Math.max(now, this.#bucket * this.#bucketMs) - windowStart;
    return spanMs < this.#bucketMs ? 0 : (this.#sum * 1000) / spanMs;
  }

  /** Forgets everything. */
  reset(): void {
    this.#bucket = -1;
    this.#sum = 0;
    this.#counts.fill(0);
  }

  #start(now: number): void {
    this.#bucket = Math.max(0, Math.floor(now / this.#bucketMs));
    this.#firstMs = now;
  }

  #advance(now: number): void {
    const target = Math.floor(now / this.#bucketMs);
    if (target - this.#bucket >= this.#counts.length) {
      this.#counts.fill(0);
      this.#sum = 0;
      this.#bucket = target;
      return;
    }
    while (this.#bucket < target) {
      this.#bucket++;
      const index = this.#bucket % this.#counts.length;
      this.#sum -= this.#counts[index] ?? 0;
      this.#counts[index] = 0;
    }
  }
}
