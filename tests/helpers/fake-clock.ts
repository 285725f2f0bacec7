import type { Clock } from '../../src-main/lib/clock.ts';

/** Clock that a test advances. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];
  #steppedMs = 0;

  constructor(nowMs = 1_800_000_000_000) {
    this.#now = nowMs;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now - this.#steppedMs;
  }

  /** Number of pending timers. */
  get timerCount(): number {
    return this.#timers.length;
  }

  /** Sets the wall clock forward or back, without an effect on timers and the monotonic clock. */
  step(byMs: number): void {
    this.#now += byMs;
    this.#steppedMs += byMs;
    for (const timer of this.#timers) timer.at += byMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances the clock without running timers, like a stall of the machine, so that due timers are late. */
  stall(ms: number): void {
    this.#now += ms;
  }

  /** Advances the clock and runs due timers in order. */
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
