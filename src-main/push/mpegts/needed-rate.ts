/** Time of one sum, and number of sums that are kept. */
const SUM_MS = 1000;
const MAX_SUMS = 10;
/** Share of the rate for tables, clock references and stuffing. */
const OVERHEAD = 1.1;
/** Unit of the result, in kbit/s. */
const STEP_KBIT = 50;

/** Rate that a stream needs: its largest second of the last ten. */
export class NeededRate {
  readonly #sums: number[] = [0];
  #startMs = Number.NaN;

  /** Adds the bytes of a unit. @param nowMs milliseconds of a monotonic clock */
  add(bytes: number, nowMs: number): void {
    if (!(nowMs - this.#startMs < SUM_MS)) {
      this.#startMs = nowMs;
      this.#sums.push(0);
      if (this.#sums.length > MAX_SUMS) this.#sums.shift();
    }
    this.#sums.push((this.#sums.pop() ?? 0) + bytes);
  }

  /** Rate in kbit/s, rounded up. */
  get kbit(): number {
    return Math.ceil((Math.max(...this.#sums) * 8 * OVERHEAD) / 1000 / STEP_KBIT) * STEP_KBIT;
  }
}
