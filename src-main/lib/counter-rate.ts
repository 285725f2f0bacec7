interface Reading {
  readonly atMs: number;
  /** What was counted until then. */
  readonly total: number;
}

/** The rate of a counter that grows, and that may begin again at 0, over the last seconds. */
export class CounterRate {
  readonly #windowMs: number;
  /** From the newest one that is as old as the window to the last one. */
  readonly #readings: Reading[] = [];
  #count: number | undefined;

  /** @param windowMs over how long the rate is measured; less in the beginning */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** What is counted in a second; 0 before the second reading. */
  get perSecond(): number {
    const first = this.#readings[0];
    const last = this.#readings.at(-1);
    return first && last && last !== first ? ((last.total - first.total) * 1000) / (last.atMs - first.atMs) : 0;
  }

  /** Takes the counter. What comes without any time passing counts with the next reading. @returns how much it grew */
  take(count: number, nowMs: number): number {
    const before = this.#count === undefined || count < this.#count ? 0 : this.#count;
    const last = this.#readings.at(-1);
    if (last?.atMs === nowMs) {
      this.#count = before;
      return 0;
    }
    // A clock that was set back: it begins anew.
    if (last && nowMs < last.atMs) this.#readings.length = 0;
    this.#count = count;
    this.#readings.push({ atMs: nowMs, total: (last?.total ?? 0) + count - before });
    while (nowMs - (this.#readings[1]?.atMs ?? nowMs) >= this.#windowMs && this.#readings.length > 2)
      this.#readings.shift();
    return count - before;
  }
}
