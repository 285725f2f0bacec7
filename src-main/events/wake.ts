import type { Clock } from '../lib/clock.ts';

/** Something that a loop waits for: a moment, or that somebody wakes it. */
export class Wake {
  readonly #clock: Clock;
  #isCalled = false;
  #resolve: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the wait; where nobody waits, the next one ends at once. */
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
