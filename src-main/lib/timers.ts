import type { Clock } from './clock.ts';

/**
 * Repeats work at an interval. Each interval starts when the previous work has ended, so work never runs twice at the same
 * time.
 * @param work may return a promise that settles at its end
 * @param begin promise after which the first interval starts; default: at once
 * @returns function that stops the repetition; running work continues to its end
 */
export function every(clock: Clock, periodMs: number, work: () => unknown, begin?: Promise<unknown>): () => void {
  let cancel: (() => void) | undefined;
  let isOver = false;
  const arm = (): void => {
    if (!isOver)
      cancel = clock.after(periodMs, () => {
        armAfter(work());
      });
  };
  const armAfter = (turn: unknown): void => {
    if (turn instanceof Promise) void turn.finally(arm);
    else arm();
  };
  armAfter(begin);
  return () => {
    isOver = true;
    cancel?.();
  };
}

/** Runs work after a delay from the first request. All requests during the delay share this run. */
export class DelayedWork {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #work: () => unknown;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, delayMs: number, work: () => unknown) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#work = work;
  }

  /** True if the work was requested and has not started yet. */
  get isScheduled(): boolean {
    return this.#cancel !== undefined;
  }

  /** Requests the work. The work may call this to request its next run. */
  schedule(): void {
    this.#cancel ??= this.#clock.after(this.#delayMs, () => {
      this.#cancel = undefined;
      this.#work();
    });
  }

  /** Cancels the request. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/**
 * Reports a frequent event at once, and then at most once per period. Each report has the last event and the number of
 * events since the previous report.
 */
export class CountedReport<What> {
  readonly #next: DelayedWork;
  readonly #report: (last: What, count: number) => void;
  #last: { readonly what: What } | undefined;
  #count = 0;

  constructor(clock: Clock, periodMs: number, report: (last: What, count: number) => void) {
    this.#report = report;
    this.#next = new DelayedWork(clock, periodMs, () => {
      this.#reportNow();
    });
  }

  /** Adds an event. */
  add(what: What): void {
    this.#last = { what };
    this.#count++;
    if (!this.#next.isScheduled) this.#reportNow();
  }

  #reportNow(): void {
    if (!this.#last) return;
    // Before the report, because the report may cause the event again.
    this.#next.schedule();
    const [{ what }, count] = [this.#last, this.#count];
    this.#last = undefined;
    this.#count = 0;
    this.#report(what, count);
  }
}

/** Lets one loop wait for a notification, a timeout, or the end. */
export class Wakeable {
  readonly #clock: Clock;
  #wake: (() => void) | undefined;
  /** True after a notification that arrived while nothing waited. */
  #isPending = false;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True after `close`. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Waits for `notify`, for at most `ms`. */
  wait(ms = Infinity): Promise<void> {
    if (this.#isClosed || this.#isPending) {
      this.#isPending = false;
      return Promise.resolve();
    }
    return this.#sleep(ms);
  }

  /** Waits for all of `ms` despite notifications; `close` ends the wait. */
  async sleep(ms: number): Promise<void> {
    const end = this.#clock.now() + ms;
    for (let left = ms; left > 0 && !this.#isClosed; left = end - this.#clock.now()) await this.#sleep(left);
  }

  /** Wakes the wait, or the next one. */
  notify(): void {
    if (this.#wake) this.#wake();
    else this.#isPending = true;
  }

  /** Ends the current wait and every later one. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = ms === Infinity ? undefined : this.#clock.after(ms, () => this.#wake?.());
      this.#wake = () => {
        this.#wake = undefined;
        cancel?.();
        resolve();
      };
    });
  }
}

/** Interval at which `deadline` and `RunningClock` read the clock, in milliseconds. */
const STEP_MS = 1000;

/**
 * Calls back once when the process has run for `delayMs`. If the process was stopped, at most one second of that time
 * counts, so that results that arrived meanwhile are handled before the deadline.
 * @returns function that cancels the callback
 */
export function deadline(clock: Clock, delayMs: number, callback: () => void): () => void {
  let cancel: () => void;
  const wait = (leftMs: number): void => {
    const stepMs = Math.min(leftMs, STEP_MS);
    cancel = clock.after(stepMs, () => {
      if (leftMs > stepMs) wait(leftMs - stepMs);
      else callback();
    });
  };
  wait(delayMs);
  return () => {
    cancel();
  };
}

/** Clock that pauses while the process is stopped, and ignores steps of the wall clock: for measuring durations. */
export class RunningClock implements Clock {
  readonly #clock: Clock;
  readonly #stop: () => void;
  #lastMs: number;
  #runMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastMs = clock.now();
    this.#runMs = this.#lastMs;
    this.#stop = every(clock, STEP_MS, () => {
      this.#runMs = this.now();
      this.#lastMs = clock.now();
    });
  }

  /** Milliseconds, starting from the wall time of its creation. */
  now(): number {
    return this.#runMs + Math.min(Math.max(0, this.#clock.now() - this.#lastMs), 2 * STEP_MS);
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#clock.after(delayMs, callback);
  }

  close(): void {
    this.#stop();
  }
}
