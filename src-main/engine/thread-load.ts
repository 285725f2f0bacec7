/** How busy the thread is that this runs on. */
export class ThreadLoad {
  #used = process.threadCpuUsage();
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** Share of one core that the thread took since it was measured last, 0 to 1. */
  measure(nowMs: number): number {
    const { user, system } = process.threadCpuUsage(this.#used);
    const passedMs = Math.max(1, nowMs - this.#atMs);
    this.#used = process.threadCpuUsage();
    this.#atMs = nowMs;
    return Math.min(1, (user + system) / 1000 / passedMs);
  }
}
