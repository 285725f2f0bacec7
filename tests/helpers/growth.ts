import { expect } from 'vitest';

/** A parser or handler under test and inputs that grow. */
export interface Growth<Input> {
  /** A hostile input of about this size; one call for each size, not measured. */
  readonly make: (size: number) => Input;
  /** What is measured; it is called several times with the same input and may return a promise. */
  readonly run: (input: Input) => unknown;
  /**
   * Sizes, each at least eight times as large as the one before; all are compared with the first. Default: 250, 6 000, 128 000, so that even cubic
   * cost fails within seconds.
   */
  readonly sizes?: readonly number[];
}

const SIZES = [250, 6_000, 128_000];

// Linear cost grows eightfold with size 8, quadratic cost 64-fold. Caches, collections and n log n stay below four times linear.
const ALLOWANCE = 4;
/** With a smaller step, quadratic cost would be within the allowance. */
const LEAST_STEP = 2 * ALLOWANCE;
/** What looks too dear is measured so often again: on a busy machine time of others is charged to the thread. */
const TRIES = 8;
const ROUNDS = 5;
const ROUND_MICROSECONDS = 1_000;
const ENOUGH_MICROSECONDS = 100_000;
/** A collection of garbage may take as long as all rounds: one alone does not count as their cost. */
const LEAST_ROUNDS = 3;
const TOO_LONG_MICROSECONDS = 1_000_000;

/**
 * Expects that the cost of `run` grows no faster than the size of its input. Compared are the processor times of this thread at growing
 * sizes, so neither the speed of the machine nor its other work matters.
 */
export async function expectLinear<Input>({ make, run, sizes = SIZES }: Growth<Input>): Promise<void> {
  for (const [index, size] of sizes.entries())
    if (size < (sizes[index - 1] ?? 0) * LEAST_STEP)
      throw new RangeError(`no growth can be seen from one size to ${size}`);
  let smallest: Measured | undefined;
  for (const size of sizes) {
    const input = make(size);
    if (smallest) await compare(smallest, size, input, run);
    // What all others are compared with has to be known well.
    else smallest = { size, cost: await costOf(input, run, ROUNDS) };
  }
}

interface Measured {
  readonly size: number;
  readonly cost: number;
}

async function compare<Input>(smallest: Measured, size: number, input: Input, run: (input: Input) => unknown) {
  const allowed = (size / smallest.size) * ALLOWANCE;
  // The larger ones cost most of the time: one round is enough where it is cheap enough.
  let cost = await costOf(input, run, 1);
  for (let attempt = 0; cost > smallest.cost * allowed && attempt < TRIES; attempt++) {
    await new Promise((resolve) => setImmediate(resolve));
    cost = Math.min(cost, await costOf(input, run, ROUNDS));
  }
  const times = cost / smallest.cost;
  const sizes = `${smallest.size} (${smallest.cost.toFixed(1)} µs) to ${size} (${cost.toFixed(1)} µs)`;
  expect(times, `cost grew ${times.toFixed(1)}-fold from size ${sizes}`).toBeLessThanOrEqual(allowed);
}

/** The least processor time of one run in microseconds; short runs are repeated, long ones are not. */
async function costOf<Input>(input: Input, run: (input: Input) => unknown, rounds: number): Promise<number> {
  let least = Infinity;
  let spent = 0;
  for (let round = 0; round < rounds && spent < TOO_LONG_MICROSECONDS; round++) {
    if (round >= LEAST_ROUNDS && least * round >= ENOUGH_MICROSECONDS) break;
    let runs = 0;
    let used = 0;
    const start = threadMicroseconds();
    do {
      const result = run(input);
      if (result instanceof Promise) await result;
      runs++;
      used = threadMicroseconds() - start;
    } while (used < ROUND_MICROSECONDS);
    least = Math.min(least, used / runs);
    spent += used;
  }
  return least;
}

function threadMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
