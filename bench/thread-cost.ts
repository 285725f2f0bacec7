/** What a task cost the server thread. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Runs a task and says what it cost. */
export async function measured(task: () => Promise<void>): Promise<Cost> {
  const startMs = performance.now();
  const before = process.threadCpuUsage();
  await task();
  const used = process.threadCpuUsage(before);
  return { wallMs: performance.now() - startMs, cpuMs: (used.user + used.system) / 1000 };
}

/** Measures the processor time of each turn of this thread, which a busy machine does not change. */
export class Turns {
  longestMs = 0;
  #isRunning = false;

  start(): void {
    this.#isRunning = true;
    let before = process.threadCpuUsage();
    const turn = (): void => {
      const used = process.threadCpuUsage(before);
      this.longestMs = Math.max(this.longestMs, (used.user + used.system) / 1000);
      before = process.threadCpuUsage();
      if (this.#isRunning) setImmediate(turn);
    };
    setImmediate(turn);
  }

  stop(): void {
    this.#isRunning = false;
  }
}
