/** Minimum time between two reports of the same code, in milliseconds. */
const AGAIN_MS = 60_000;
/** Maximum number of remembered codes, more than an input can have. */
const MAX_CODES = 50;

/** Limits reports of faults: a bad connection has the same fault many times a second. */
export class ProblemThrottle {
  readonly #reportedMs = new Map<string, number>();

  /** Whether a fault must be reported; marks it as reported. @param nowMs epoch milliseconds */
  isNews(code: string, nowMs: number): boolean {
    if (nowMs - (this.#reportedMs.get(code) ?? -Infinity) < AGAIN_MS) return false;
    if (this.#reportedMs.size >= MAX_CODES) this.#reportedMs.clear();
    this.#reportedMs.set(code, nowMs);
    return true;
  }
}
