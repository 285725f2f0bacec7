import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';

/** Interval at which datagrams are sent, in milliseconds. It bounds their jitter. */
const TICK_MS = 5;

/** Sender of datagrams at a pace. */
export interface PacedFeed {
  /** Sends the datagrams that are due. */
  tick(): void;
}

/** The timer of all feeds of a media thread. It runs while there is one. */
export class DatagramPacer {
  readonly #clock: Clock;
  readonly #feeds = new Set<PacedFeed>();
  #stop: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(feed: PacedFeed): void {
    this.#feeds.add(feed);
    this.#stop ??= every(this.#clock, TICK_MS, () => {
      for (const each of this.#feeds) each.tick();
    });
  }

  delete(feed: PacedFeed): void {
    this.#feeds.delete(feed);
    if (this.#feeds.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}
