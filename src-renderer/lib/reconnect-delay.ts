/** Limits of the waits between attempts to connect. */
export interface ReconnectDelayOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Number from 0 up to 1; a fake one in tests. */
  readonly random?: () => number;
}

/** Growing waits between attempts: each twice the one before, up to a limit, spread by a quarter so that desks do not return at once. */
export class ReconnectDelay {
  readonly #options: ReconnectDelayOptions;
  #attempts = 0;

  constructor(options: ReconnectDelayOptions) {
    this.#options = options;
  }

  /** How many waits were taken since the last reset. */
  get attempts(): number {
    return this.#attempts;
  }

  /** The next wait in milliseconds. */
  next(): number {
    const { firstMs, maxMs, random = Math.random } = this.#options;
    const base = Math.min(maxMs, firstMs * 2 ** Math.min(this.#attempts, 30));
    this.#attempts += 1;
    return Math.round(base * (0.75 + random() * 0.5));
  }

  /** Starts over after a success. */
  reset(): void {
    this.#attempts = 0;
  }
}
