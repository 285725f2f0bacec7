/** A fault of the same code is reported again after this long, in milliseconds. */
const AGAIN_MS = 60_000;
/** Codes that are remembered; there are not more that an input can have. */
const MAX_CODES = 50;

/** Which faults are news: a bad line has the same one many times a second. */
export class ProblemThrottle {
  readonly #reportedMs = new Map<string, number>();

  /** Whether a fault has to be reported. It counts as reported then. @param nowMs epoch milliseconds */
  isNews(code: string, nowMs: number): boolean {
    if (nowMs - (this.#reportedMs.get(code) ?? -Infinity) < AGAIN_MS) return false;
    if (this.#reportedMs.size >= MAX_CODES) this.#reportedMs.clear();
    this.#reportedMs.set(code, nowMs);
    return true;
  }
}
