import type { Clock } from './clock.ts';

/**
 * Does work again and again. A period begins when the work before it has ended, so that work that hangs is done no second time meanwhile.
 *
 * @param work may return a promise of its end
 * @param begin what the first period begins after; at once without it
 * @returns what stops it; work that is under way comes to its end
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

/** Work that is done some time after it was first asked for, once for all that asked until then. */
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

  /** Whether it was asked for and is not done yet. */
  get isAsked(): boolean {
    return this.#cancel !== undefined;
  }

  /** Asks for it. The work may ask for itself again. */
  ask(): void {
    this.#cancel ??= this.#clock.after(this.#delayMs, () => {
      this.#cancel = undefined;
      this.#work();
    });
  }

  /** It need not be done any more, until it is asked for again. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** Reports what happens often: at once, and then at most once in each period, with the last of it and how often it happened. None is left out. */
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

  /** It happened. */
  add(what: What): void {
    this.#last = { what };
    this.#count++;
    if (!this.#next.isAsked) this.#reportNow();
  }

  #reportNow(): void {
    if (!this.#last) return;
    // First of all: to report it may make it happen again.
    this.#next.ask();
    const [{ what }, count] = [this.#last, this.#count];
    this.#last = undefined;
    this.#count = 0;
    this.#report(what, count);
  }
}

/** A place where one loop waits: until something happens, a time is over, or it is closed. */
export class Wakeable {
  readonly #clock: Clock;
  #wake: (() => void) | undefined;
  /** Whether something happened without a wait. */
  #isPending = false;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether nothing waits here any more. */
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

  /** Waits for the whole of `ms`, unless it is closed. */
  async sleep(ms: number): Promise<void> {
    const end = this.#clock.now() + ms;
    for (let left = ms; left > 0 && !this.#isClosed; left = end - this.#clock.now()) await this.#sleep(left);
  }

  /** Something happened. */
  notify(): void {
    if (this.#wake) this.#wake();
    else this.#isPending = true;
  }

  /** Ends the wait, and every later one. */
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

/** Longest step of `deadline`, and the period in which `RunningClock` looks, in milliseconds. */
const STEP_MS = 1000;

/**
 * Calls back once when the process has run for `delayMs`. Time in which it was stopped counts for a second at most, so that what finished meanwhile is
 * taken before it is given up.
 *
 * @returns what cancels it
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

/** A clock that stands still while the process is stopped, and does not follow steps of the wall clock: for how long something takes. */
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

  /** Milliseconds, from the wall time when it was made on. */
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
