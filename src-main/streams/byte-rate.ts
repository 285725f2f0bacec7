/** Over how long a rate is smoothed, in milliseconds: players load a segment at a time, so a second alone says little. */
const SMOOTHING_MS = 5000;

/** The rate of a counter of bytes that grows, and that may begin again at 0. */
export class ByteRate {
  #bytes: number | undefined;
  #atMs = 0;
  #bitsPerMs = 0;
  #isKnown = false;

  /** Kilobits per second over the last seconds. */
  get kbit(): number {
    return Math.round(this.#bitsPerMs);
  }

  /** Takes the counter. @returns how much it grew */
  take(bytes: number, nowMs: number): number {
    const grown = this.#bytes === undefined || bytes < this.#bytes ? bytes : bytes - this.#bytes;
    const isFirst = this.#bytes === undefined;
    const elapsedMs = nowMs - this.#atMs;
    this.#bytes = bytes;
    if (!isFirst && elapsedMs <= 0) {
      // No time passed: what came counts with the next reading.
      this.#bytes -= grown;
      return 0;
    }
    this.#atMs = nowMs;
    if (isFirst) return grown;
    const bitsPerMs = (grown * 8) / elapsedMs;
    this.#bitsPerMs = this.#isKnown
      ? this.#bitsPerMs + (bitsPerMs - this.#bitsPerMs) * (1 - Math.exp(-elapsedMs / SMOOTHING_MS))
      : bitsPerMs;
    this.#isKnown = true;
    return grown;
  }
}
