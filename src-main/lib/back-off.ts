export interface BackOffOptions {
  /** First wait in milliseconds. Default 1000. */
  readonly firstMs?: number;
  /** Maximum wait in milliseconds. Default 15 000. */
  readonly maxMs?: number;
  /** Random number from 0 to 1; for tests. */
  readonly random?: () => number;
}

/**
 * Exponential waits between attempts, each shortened by up to a third at random, so that clients do not retry at the
 * same time.
 */
export class BackOff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  #attempts = 0;

  constructor(options: BackOffOptions = {}) {
    this.#firstMs = options.firstMs ?? 1000;
    this.#maxMs = options.maxMs ?? 15_000;
    this.#random = options.random ?? Math.random;
  }

  /** Returns the wait before the next attempt in milliseconds, and counts the attempt. */
  next(): number {
    const full = Math.min(this.#maxMs, this.#firstMs * 2 ** Math.min(this.#attempts++, 20));
    return Math.round(full * (1 - this.#random() / 3));
  }

  /** Restarts with the first wait, after a success. */
  reset(): void {
    this.#attempts = 0;
  }
}
