/** Processor load of the current thread. */
export class ThreadLoad {
  #used = process.threadCpuUsage();
  #atMs: number;
  #share = 0;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /**
   * Share of one core that the thread used since the last measurement, 0 to 1. Returns the previous share if the
   * clock was set back in between.
   */
  measure(nowMs: number): number {
    const { user, system } = process.threadCpuUsage(this.#used);
    const passedMs = nowMs - this.#atMs;
    this.#used = process.threadCpuUsage();
    this.#atMs = nowMs;
    if (passedMs >= 0) this.#share = Math.min(1, (user + system) / 1000 / Math.max(1, passedMs));
    return this.#share;
  }
}
