import type { Clock } from '../../lib/clock.ts';
import { DelayedWork } from '../../lib/timers.ts';

/** Interval of checks by players, in milliseconds: the maximum delay of an access unit. */
export const PACE_MS = 20;

/** Timer for all players of a thread. Idle without players. */
export class PlayTimer {
  readonly #clock: Clock;
  readonly #players = new Set<(nowMs: number) => void>();
  readonly #next: DelayedWork;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#next = new DelayedWork(clock, PACE_MS, () => {
      this.#play();
    });
  }

  /** Calls `play` every 20 ms; returns a function that ends it. */
  add(play: (nowMs: number) => void): () => void {
    this.#players.add(play);
    this.#next.schedule();
    return () => {
      this.#players.delete(play);
      if (this.#players.size === 0) this.#next.cancel();
    };
  }

  #play(): void {
    // Schedules the next turn first, so that a player that throws does not stop the others.
    if (this.#players.size > 0) this.#next.schedule();
    const nowMs = this.#clock.now();
    for (const play of this.#players) play(nowMs);
  }
}
