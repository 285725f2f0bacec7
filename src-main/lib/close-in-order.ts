import type { Clock } from './clock.ts';

/** One thing to close, with its name for the log. */
export interface ClosingStep {
  readonly name: string;
  readonly close: () => Promise<unknown> | undefined | void;
}

/** How long closing may take. */
export interface ClosingLimits {
  readonly clock: Clock;
  /** For all steps together, in milliseconds. */
  readonly totalMs: number;
  /** For one step, in milliseconds. */
  readonly stepMs: number;
}

/** What a step gets when the time of all is over: enough for what has nothing to wait for. In milliseconds. */
const LEAST_STEP_MS = 200;

/**
 * Closes one thing after the other, in bounded time: what fails or takes too long is left behind.
 *
 * @returns what was left behind, each with why
 */
export async function closeInOrder(
  steps: readonly ClosingStep[],
  { clock, totalMs, stepMs }: ClosingLimits,
): Promise<string[]> {
  const endMs = clock.now() + totalMs;
  const hung: string[] = [];
  for (const { name, close } of steps) {
    const limitMs = Math.max(LEAST_STEP_MS, Math.min(stepMs, endMs - clock.now()));
    const failure = await within(clock, limitMs, close);
    if (failure !== undefined) hung.push(`${name}: ${failure}`);
  }
  return hung;
}

async function within(clock: Clock, limitMs: number, close: ClosingStep['close']): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const cancel = clock.after(limitMs, () => {
    late.resolve(`not closed after ${limitMs} ms`);
  });
  const closed = Promise.resolve()
    .then(close)
    .then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const failure = await Promise.race([closed, late.promise]);
  cancel();
  return failure;
}
