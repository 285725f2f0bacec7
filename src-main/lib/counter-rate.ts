interface Reading {
  readonly atMs: number;
  /** Value of the counter at that time. */
  readonly total: number;
}

/** Rate of a growing counter over the last seconds; the counter may restart at 0. */
export class CounterRate {
  readonly #windowMs: number;
  /** Readings of the window, and the newest reading before it. */
  readonly #readings: Reading[] = [];
  #count: number | undefined;

  /** @param windowMs time over which the rate is measured; shorter at the start */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Counts per second; 0 before the second reading. */
  get perSecond(): number {
    const first = this.#readings[0];
    const last = this.#readings.at(-1);
    return first && last && last !== first ? ((last.total - first.total) * 1000) / (last.atMs - first.atMs) : 0;
  }

  /**
   * Adds a reading. A reading at the time of the previous one is ignored: its growth counts with the next reading.
   * @returns growth of the counter
   */
  take(count: number, nowMs: number): number {
    const before = this.#count === undefined || count < this.#count ? 0 : this.#count;
    const last = this.#readings.at(-1);
    if (last?.atMs === nowMs) {
      this.#count = before;
      return 0;
    }
    // The clock was set back: the rate starts again.
    if (last && nowMs < last.atMs) this.#readings.length = 0;
    this.#count = count;
    this.#readings.push({ atMs: nowMs, total: (last?.total ?? 0) + count - before });
    while (nowMs - (this.#readings[1]?.atMs ?? nowMs) >= this.#windowMs && this.#readings.length > 2)
      this.#readings.shift();
    return count - before;
  }
}
