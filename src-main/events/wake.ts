import type { Clock } from '../lib/clock.ts';

/** What a loop waits for: a time, or a call that wakes it. */
export class Wake {
  readonly #clock: Clock;
  #isCalled = false;
  #resolve: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the wait; without one, the next wait ends at once. */
  call(): void {
    this.#isCalled = true;
    this.#resolve?.();
  }

  /** Waits for `call`, for at most `maxMs`. */
  async wait(maxMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (!this.#isCalled) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
        if (Number.isFinite(maxMs)) {
          const cancel = this.#clock.after(maxMs, resolve);
          this.#resolve = () => {
            cancel();
            resolve();
          };
        }
      });
      this.#resolve = undefined;
    }
    this.#isCalled = false;
  }
}
