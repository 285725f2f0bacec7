import type { Clock } from '../../lib/clock.ts';
import { DelayedWork } from '../../lib/timers.ts';

/** How often its players look at the clock, in milliseconds: no access unit comes later than this. */
export const PACE_MS = 20;

/** One timer for everything in a thread that plays at its own pace. Without players it rests. */
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

  /** Calls `play` with the clock every 20 ms; returns the function that ends it. */
  add(play: (nowMs: number) => void): () => void {
    this.#players.add(play);
    this.#next.ask();
    return () => {
      this.#players.delete(play);
      if (this.#players.size === 0) this.#next.cancel();
    };
  }

  #play(): void {
    // First the next turn, so that a player that throws does not stop the others for ever.
    if (this.#players.size > 0) this.#next.ask();
    const nowMs = this.#clock.now();
    for (const play of this.#players) play(nowMs);
  }
}
