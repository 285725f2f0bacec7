/** Interval of checks in milliseconds. */
const POLL_MS = 50;
/** Delay of a check that counts as a stall, in milliseconds. */
const LATE_MS = 200;

/** Minimum stall that counts, in milliseconds. Players buffer more than that. */
export const SHORT_STALL_MS = 500;

/** Maximum number of attempts if the machine stalls. */
export const MAX_ATTEMPTS = 3;

/**
 * Runs a part of a test, and repeats it if it fails and the machine stalled meanwhile.
 *
 * @param run gets the number of the attempt, from 1
 */
export async function undisturbed(run: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stalls = MachineStalls.watch();
    try {
      return await run(attempt);
    } catch (error) {
      const longestMs = Math.max(0, ...stalls.all.map(({ ms }) => ms));
      if (longestMs < SHORT_STALL_MS || attempt === MAX_ATTEMPTS) throw error;
      process.stdout.write(`again, because the machine stalled for ${Math.round(longestMs)} ms: ${String(error)}\n`);
    } finally {
      stalls.close();
    }
  }
}

/** Time in which this process did not run. */
export interface MachineStall {
  /** Epoch milliseconds. */
  readonly endMs: number;
  readonly ms: number;
}

/**
 * Records the times in which this process did not run, because the machine stalled or was busy. Servers, encoders and
 * browsers did not run either, so limits by the wall clock may be exceeded.
 */
export class MachineStalls {
  #totalMs = 0;
  readonly #all: MachineStall[] = [];
  #checkedMs = performance.now();
  readonly #timer = setInterval(() => {
    this.#check();
  }, POLL_MS);

  /** Starts to record stalls, until `close`. */
  static watch(): MachineStalls {
    return new MachineStalls();
  }

  private constructor() {
    this.#timer.unref();
  }

  /** Total of the stalls in milliseconds. */
  get totalMs(): number {
    // Includes a stall that ends with the first turn.
    this.#check();
    return this.#totalMs;
  }

  /** All stalls so far. */
  get all(): readonly MachineStall[] {
    this.#check();
    return this.#all;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    const lateMs = now - this.#checkedMs - POLL_MS;
    if (lateMs > LATE_MS) {
      this.#totalMs += lateMs;
      this.#all.push({ endMs: Date.now(), ms: lateMs });
    }
    this.#checkedMs = now;
  }
}
