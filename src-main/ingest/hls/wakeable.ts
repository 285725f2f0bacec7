import type { Clock } from '../../lib/clock.ts';

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
