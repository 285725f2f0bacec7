/** How often it is looked, in milliseconds. */
const LOOK_MS = 50;
/** Looks that are later than this came so late because this process got no turn, in milliseconds. */
const LATE_MS = 200;

/** Players keep more than that: what stands still for less disturbs nothing, in milliseconds. */
export const SHORT_STANDSTILL_MS = 500;

/** How often something is done at most that a machine which stands still spoils. */
export const MAX_ATTEMPTS = 3;

/**
 * Does what a machine that stands still in the middle of it may spoil, and again where it failed and the machine did.
 *
 * @param run is given the number of the attempt, from 1
 */
export async function undisturbed(run: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const still = StandStills.watch();
    try {
      return await run(attempt);
    } catch (error) {
      const longestMs = Math.max(0, ...still.all.map(({ ms }) => ms));
      if (longestMs < SHORT_STANDSTILL_MS || attempt === MAX_ATTEMPTS) throw error;
      process.stdout.write(
        `again, because the machine stood still for ${Math.round(longestMs)} ms: ${String(error)}\n`,
      );
    } finally {
      still.close();
    }
  }
}

/** A time in which this process got no turn. */
export interface StandStill {
  /** Epoch milliseconds. */
  readonly endMs: number;
  readonly ms: number;
}

/**
 * How long this process got no turn: its machine stood still, or had too much else to do. What a test judges by the clock on the wall may last that
 * much longer: servers, encoders and browsers beside it got no turn either.
 */
export class StandStills {
  #totalMs = 0;
  readonly #all: StandStill[] = [];
  #lookedMs = performance.now();
  readonly #timer = setInterval(() => {
    this.#look();
  }, LOOK_MS);

  /** Begins to watch, until `close`. */
  static watch(): StandStills {
    return new StandStills();
  }

  private constructor() {
    this.#timer.unref();
  }

  /** All that it stood still so far, in milliseconds. */
  get totalMs(): number {
    // What is asked for in the first turn behind a standstill has it too.
    this.#look();
    return this.#totalMs;
  }

  /** Each of them so far. */
  get all(): readonly StandStill[] {
    this.#look();
    return this.#all;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const lateMs = now - this.#lookedMs - LOOK_MS;
    if (lateMs > LATE_MS) {
      this.#totalMs += lateMs;
      this.#all.push({ endMs: Date.now(), ms: lateMs });
    }
    this.#lookedMs = now;
  }
}
