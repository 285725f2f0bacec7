/** Minimum time between two reports of the same problem, in milliseconds. */
const AGAIN_MS = 60_000;
/** Maximum number of remembered problems; after more, all are forgotten. */
const MAX_KEYS = 50;

/** Limits reports of faults: a bad connection has the same fault many times a second. */
export class ProblemThrottle {
  readonly #reportedMs = new Map<string, number>();

  /**
   * Whether a fault must be reported; marks it as reported.
   *
   * @param key fault, by its code and its input if there are several
   * @param nowMs epoch milliseconds
   */
  isDue(key: string, nowMs: number): boolean {
    if (nowMs - (this.#reportedMs.get(key) ?? -Infinity) < AGAIN_MS) return false;
    if (this.#reportedMs.size >= MAX_KEYS) this.#reportedMs.clear();
    this.#reportedMs.set(key, nowMs);
    return true;
  }
}
