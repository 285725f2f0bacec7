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
