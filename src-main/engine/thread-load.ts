/** Processor load of the current thread. */
export class ThreadLoad {
  readonly #usageMs: () => number;
  #usedMs: number;
  #atMs: number;
  #share = 0;

  /** @param usageMs processor time of the thread so far, in milliseconds */
  constructor(nowMs: number, usageMs = threadUsageMs) {
    this.#atMs = nowMs;
    this.#usageMs = usageMs;
    this.#usedMs = usageMs();
  }

  /**
   * Share of one core that the thread used since the last measurement, 0 to 1. Returns the previous share if the
   * clock was set back in between.
   */
  measure(nowMs: number): number {
    const usedMs = this.#usageMs();
    const passedMs = nowMs - this.#atMs;
    if (passedMs >= 0) this.#share = Math.min(1, (usedMs - this.#usedMs) / Math.max(1, passedMs));
    this.#usedMs = usedMs;
    this.#atMs = nowMs;
    return this.#share;
  }
}

function threadUsageMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
