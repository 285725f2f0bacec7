/** Cost of a task for the server thread. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Runs a task and measures its cost. */
export async function measured(task: () => Promise<void>): Promise<Cost> {
  const startMs = performance.now();
  const before = process.threadCpuUsage();
  await task();
  const used = process.threadCpuUsage(before);
  return { wallMs: performance.now() - startMs, cpuMs: (used.user + used.system) / 1000 };
}

/** Range of `performance.now()`. */
type Span = readonly [fromMs: number, toMs: number];

/** Turns with less processor time are not stored, in milliseconds. */
const MIN_TURN_MS = 1;

/** Measures the processor time of each turn of this thread. Unlike wall time, it does not depend on other work. */
export class Turns {
  longestMs = 0;
  readonly #turns: { readonly span: Span; readonly cpuMs: number }[] = [];
  #isRunning = false;

  start(): void {
    this.#isRunning = true;
    let before = process.threadCpuUsage();
    let fromMs = performance.now();
    const turn = (): void => {
      const used = process.threadCpuUsage(before);
      const cpuMs = (used.user + used.system) / 1000;
      const toMs = performance.now();
      this.longestMs = Math.max(this.longestMs, cpuMs);
      if (cpuMs >= MIN_TURN_MS) this.#turns.push({ span: [fromMs, toMs], cpuMs });
      before = process.threadCpuUsage();
      fromMs = toMs;
      if (this.#isRunning) setImmediate(turn);
    };
    setImmediate(turn);
  }

  stop(): void {
    this.#isRunning = false;
  }

  /** Processor time of the longest turn after subtracting some ranges, such as garbage collections. */
  longestWithout(spans: readonly Span[]): number {
    let longestMs = 0;
    for (const { span, cpuMs } of this.#turns) {
      if (cpuMs <= longestMs) continue;
      const overlapMs = spans.reduce(
        (ms, one) => ms + Math.max(0, Math.min(span[1], one[1]) - Math.max(span[0], one[0])),
        0,
      );
      longestMs = Math.max(longestMs, cpuMs - overlapMs);
    }
    return longestMs;
  }
}
