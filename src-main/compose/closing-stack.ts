import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';

/** Open resource. */
export interface Closable {
  close(): Promise<unknown> | undefined | void;
}

/** Maximum time for closing. */
export interface ClosingLimits {
  readonly clock: Clock;
  /** For all together, in milliseconds. */
  readonly totalMs: number;
  /** For one, in milliseconds. */
  readonly stepMs: number;
}

/** Time for each part after the total time has run out, in milliseconds: enough for a part without pending work. */
const MIN_STEP_MS = 200;

/**
 * Closes resources in reverse order and in bounded time: one that fails or takes too long is abandoned. An `AsyncDisposableStack`
 * would wait for it without limit.
 */
export class ClosingStack {
  readonly #limits: ClosingLimits;
  readonly #open: { readonly name: string; readonly unit: Closable }[] = [];
  #closed: Promise<string[]> | undefined;

  constructor(limits: ClosingLimits) {
    this.#limits = limits;
  }

  /** Takes a resource with its name for the log, and returns it. After `close` it is closed at once, and this raises. */
  use<T extends Closable>(name: string, unit: T): T {
    if (this.#closed) {
      void within(this.#limits.clock, this.#limits.stepMs, unit);
      throw new Error(`${name} was opened when everything was to be closed`);
    }
    this.#open.push({ name, unit });
    return unit;
  }

  /** Closes one after the other, the last one first, and all only once. Returns the abandoned ones with the reasons. */
  close(): Promise<readonly string[]> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<string[]> {
    const { clock, totalMs, stepMs } = this.#limits;
    const endMs = clock.now() + totalMs;
    const hung: string[] = [];
    for (const { name, unit } of this.#open.toReversed()) {
      const limitMs = Math.max(MIN_STEP_MS, Math.min(stepMs, endMs - clock.now()));
      const failure = await within(clock, limitMs, unit);
      if (failure !== undefined) hung.push(`${name}: ${failure}`);
    }
    return hung;
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
