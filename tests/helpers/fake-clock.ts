import type { Clock } from '../../src-main/lib/clock.ts';

/** A clock that a test advances. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(nowMs = 1_800_000_000_000) {
    this.#now = nowMs;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves the clock and runs nothing, as when the machine stands still: what falls due meanwhile is late. */
  standStill(ms: number): void {
    this.#now += ms;
  }

  /** Moves the clock and runs what falls due on the way, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = end;
  }
}
