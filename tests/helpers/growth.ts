import { expect } from 'vitest';

/** Function under test, and inputs of growing size. */
export interface Growth<Input> {
  /** Creates a hostile input of about this size. It is called once per size, and is not measured. */
  readonly make: (size: number) => Input;
  /** Measured function; called several times with the same input, and may return a promise. */
  readonly run: (input: Input) => unknown;
  /**
   * Sizes of the inputs. Each must be at least eight times the previous size; all are compared with the first. Default:
   * 250, 6 000, 128 000, so that even cubic cost fails within seconds.
   */
  readonly sizes?: readonly number[];
}

const SIZES = [250, 6_000, 128_000];

/**
 * Exponent of the limit: for eight times the size, the cost may be 38 times as high, which is more than linear cost
 * with small caches and garbage collections, and less than quadratic cost (64 times).
 */
const EXPONENT = 1.75;
/** Minimum ratio of two sizes: with a smaller ratio, quadratic cost would be too close to the limit. */
const MIN_STEP = 8;
/** Number of repetitions of a measurement above the limit, because a busy machine may interrupt any round. */
const TRIES = 8;
const ROUNDS = 5;
/** Number of rounds for the first size, with which all others are compared. */
const FIRST_ROUNDS = 20;
const ROUND_MS = 0.4;
const ENOUGH_MS = 100;
/** Minimum number of rounds: a garbage collection may take as long as all rounds. */
const MIN_ROUNDS = 3;
const TOO_LONG_MS = 1_000;
/** Resolution of the thread's clock, in milliseconds. */
const TICK_MS = 10;

/**
 * Expects that the cost of `run` grows no faster than the size of its input. Compares the minimum times of many short
 * rounds at growing sizes, so the result does not depend on the speed and the load of the machine.
 */
export async function expectLinear<Input>({ make, run, sizes = SIZES }: Growth<Input>): Promise<void> {
  for (const [index, size] of sizes.entries())
    if (size < (sizes[index - 1] ?? 0) * MIN_STEP)
      throw new RangeError(`no growth can be seen from one size to ${size}`);
  let smallest: Measured | undefined;
  for (const size of sizes) {
    const input = make(size);
    if (smallest) await compare(smallest, size, input, run);
    else smallest = { size, cost: await costOf(input, run, FIRST_ROUNDS) };
  }
}

interface Measured {
  readonly size: number;
  readonly cost: number;
}

async function compare<Input>(smallest: Measured, size: number, input: Input, run: (input: Input) => unknown) {
  const allowed = (size / smallest.size) ** EXPONENT;
  // Large inputs take most of the time, so one round is enough if its cost is below the limit.
  let cost = await costOf(input, run, 1);
  for (let attempt = 0; cost > smallest.cost * allowed && attempt < TRIES; attempt++) {
    await new Promise((resolve) => setImmediate(resolve));
    cost = Math.min(cost, await costOf(input, run, ROUNDS));
  }
  const times = cost / smallest.cost;
  const sizes = `${smallest.size} (${micros(smallest.cost)}) to ${size} (${micros(cost)})`;
  expect(times, `cost grew ${times.toFixed(1)}-fold from size ${sizes}`).toBeLessThanOrEqual(allowed);
}

/** Minimum time of a run in milliseconds; only short runs are repeated. */
async function costOf<Input>(input: Input, run: (input: Input) => unknown, rounds: number): Promise<number> {
  let minMs = Infinity;
  let spent = 0;
  for (let round = 0; round < rounds && spent < TOO_LONG_MS; round++) {
    if (round >= MIN_ROUNDS && minMs * round >= ENOUGH_MS) break;
    let runs = 0;
    let elapsed = 0;
    const used = threadMs();
    const start = performance.now();
    do {
      const result = run(input);
      if (result instanceof Promise) await result;
      runs++;
      elapsed = performance.now() - start;
    } while (elapsed < ROUND_MS);
    // A long run is nearly always interrupted; the processor time of the thread excludes interruptions.
    minMs = Math.min(minMs, Math.min(elapsed, threadMs() - used + TICK_MS) / runs);
    spent += elapsed;
  }
  return minMs;
}

/** Processor time of this thread in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function micros(ms: number): string {
  return `${(ms * 1000).toFixed(1)} µs`;
}
