import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';

/** A resource that can be closed. */
export interface Closable {
  close(): Promise<unknown> | undefined | void;
}

/** Limits of the time for closing. */
export interface ClosingLimits {
  readonly clock: Clock;
  /** Maximum time for all resources together, in milliseconds. */
  readonly totalMs: number;
  /** Maximum time for one resource, in milliseconds. */
  readonly stepMs: number;
}

/** Time for each resource after the total time has expired, in milliseconds: enough for a resource without pending work. */
const MIN_STEP_MS = 200;

/**
 * Closes resources in reverse order and in bounded time: a resource that fails or takes too long is abandoned. An
 * `AsyncDisposableStack` would wait for it without limit.
 */
export class ClosingStack {
  readonly #limits: ClosingLimits;
  readonly #open: { readonly name: string; readonly unit: Closable }[] = [];
  #closed: Promise<string[]> | undefined;

  constructor(limits: ClosingLimits) {
    this.#limits = limits;
  }

  /**
   * Adds a resource with its name for the log, and returns it. After `close` was called, closes the resource at once
   * and throws.
   */
  use<T extends Closable>(name: string, unit: T): T {
    if (this.#closed) {
      void within(this.#limits.clock, this.#limits.stepMs, unit);
      throw new Error(`${name} was opened after the server started to close`);
    }
    this.#open.push({ name, unit });
    return unit;
  }

  /** Closes the resources, the last one first. Later calls return the same result: the abandoned resources with reasons. */
  close(): Promise<readonly string[]> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<string[]> {
    const { clock, totalMs, stepMs } = this.#limits;
    const endMs = clock.now() + totalMs;
    const abandoned: string[] = [];
    for (const { name, unit } of this.#open.toReversed()) {
      const limitMs = Math.max(MIN_STEP_MS, Math.min(stepMs, endMs - clock.now()));
      const failure = await within(clock, limitMs, unit);
      if (failure !== undefined) abandoned.push(`${name}: ${failure}`);
    }
    return abandoned;
  }
}

async function within(clock: Clock, limitMs: number, unit: Closable): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const cancel = clock.after(limitMs, () => {
    late.resolve(`not closed after ${limitMs} ms`);
  });
  const closed = Promise.resolve()
    .then(() => unit.close())
    .then(() => undefined, messageOf);
  const failure = await Promise.race([closed, late.promise]);
  cancel();
  return failure;
}
