import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';
import { runInTurns } from '../lib/turns.ts';
import type { StreamCommands } from './stream-commands.ts';
import type { StreamRegistry } from './stream-registry.ts';

const SWEEP_MS = 1000;
/** Number of streams checked per turn of the thread. */
const SWEPT_PER_STEP = 20;

/** Checks every stream once a second: ends expired waits and unused streams. */
export class StreamSweep {
  readonly #clock: Clock;
  readonly #registry: StreamRegistry;
  readonly #commands: StreamCommands;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, registry: StreamRegistry, commands: StreamCommands) {
    this.#clock = clock;
    this.#registry = registry;
    this.#commands = commands;
  }

  start(): void {
    const sweep = (): Promise<void> => runInTurns(this.#sweepInSteps());
    this.#stop = every(this.#clock, SWEEP_MS, sweep, sweep());
  }

  close(): void {
    this.#stop?.();
  }

  *#sweepInSteps(): Generator<void, void> {
    const now = this.#clock.now();
    let count = 0;
    for (const entry of this.#registry.all()) {
      entry.output.sweep(now);
      this.#commands.endUnused(entry, now);
      if (++count % SWEPT_PER_STEP === 0) yield;
    }
  }
}
