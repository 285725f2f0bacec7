import type { Clock } from '../../src-main/lib/clock.ts';

/** Step of the time in milliseconds. */
const STEP_MS = 10;
/** Number of turns of the event loop between two steps: enough for a request to a server in the same process. */
const STEP_TURNS = 4;

/**
 * Clock for tests with real sockets in one process. While timers are pending, it advances by 10 ms every four turns of
 * the event loop. Tests need not wait, and on a busy machine the clock is slow as well, so nothing is late.
 */
export class FastClock implements Clock {
  #nowMs = 1_800_000_000_000;
  readonly #timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();
  #isRunning = false;

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    if (!this.#isRunning) this.#run();
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Removes all timers. */
  stop(): void {
    this.#timers.clear();
  }

  #run(): void {
    this.#isRunning = true;
    let turns = 0;
    const turn = (): void => {
      if (++turns % STEP_TURNS === 0) this.#step();
      this.#isRunning = this.#timers.size > 0;
      if (this.#isRunning) setImmediate(turn);
    };
    setImmediate(turn);
  }

  #step(): void {
    this.#nowMs += STEP_MS;
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= this.#nowMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) {
      // An earlier callback may have cancelled this timer.
      if (this.#timers.delete(timer)) timer.callback();
    }
  }
}
