/** Limits of the delay between connection attempts. */
export interface ReconnectDelayOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Number from 0 to below 1; a fixed one in tests. */
  readonly random?: () => number;
}

/** Increasing delay between attempts: doubles up to a limit, with ±25 % jitter so that desks do not return at the same moment. */
export class ReconnectDelay {
  readonly #options: ReconnectDelayOptions;
  #attempts = 0;

  constructor(options: ReconnectDelayOptions) {
    this.#options = options;
  }

  /** Number of delays since the last reset. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Next delay in milliseconds. */
  next(): number {
    const { firstMs, maxMs, random = Math.random } = this.#options;
    const base = Math.min(maxMs, firstMs * 2 ** Math.min(this.#attempts, 30));
    this.#attempts += 1;
    return Math.round(base * (0.75 + random() * 0.5));
  }

  /** Resets the delay after a success. */
  reset(): void {
    this.#attempts = 0;
  }
}
