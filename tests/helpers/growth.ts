import { expect } from 'vitest';

/** Parser or handler under test, and inputs of growing size. */
export interface Growth<Input> {
  /** Makes a hostile input of about this size; one call per size, not measured. */
  readonly make: (size: number) => Input;
  /** Measured function; called several times with the same input, and may return a promise. */
  readonly run: (input: Input) => unknown;
  /**
   * Sizes, each at least eight times as large as the one before; all are compared with the first. Default: 250, 6 000,
   * 128 000, so that even cubic cost fails within seconds.
   */
  readonly sizes?: readonly number[];
}

const SIZES = [250, 6_000, 128_000];

/**
 * Eight times the size may cost 38 times as much: more than linear cost with small caches and garbage collections, less than
 * quadratic cost (64 times).
 */
const EXPONENT = 1.75;
/** Minimum ratio of two sizes. With a smaller ratio, quadratic cost would be too near to the limit. */
const MIN_STEP = 8;
/** Repetitions of a measurement above the limit: a busy machine may interrupt any round. */
const TRIES = 8;
const ROUNDS = 5;
/** Rounds for the reference size, which must be measured well. */
const FIRST_ROUNDS = 20;
const ROUND_MS = 0.4;
const ENOUGH_MS = 100;
/** Minimum rounds: a garbage collection may take as long as all rounds. */
const MIN_ROUNDS = 3;
const TOO_LONG_MS = 1_000;
/** Resolution of the thread's clock, in milliseconds. */
const TICK_MS = 10;

/**
 * Expects that the cost of `run` grows no faster than the size of its input. It compares the minimum times of many short rounds
 * at growing sizes, so neither the speed of the machine nor its other work matters.
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

/** Minimum time of one run in milliseconds; only short runs are repeated. */
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
    // A long run is nearly always interrupted; the clock of the thread excludes that.
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
