import type { TopicPayload } from '../../src-preload/contract/index.ts';

/** Counts the live streams from the messages of the topic `streams`. */
export class OnAir {
  readonly #running = new Set<string>();
  readonly #changed: () => void;
  #reported = 0;

  /** @param changed called when the number has changed */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Number of live streams. */
  get count(): number {
    return this.#running.size;
  }

  /** Applies a message of the topic. */
  take(message: TopicPayload<'streams'>): void {
    if (message.is_snapshot) this.#running.clear();
    for (const name of message.removed) this.#running.delete(name);
    for (const stream of message.changed) {
      if (stream.alive) this.#running.add(stream.name);
      else this.#running.delete(stream.name);
    }
    this.#report();
  }

  /** Sets the number to 0, because the server does not run. */
  clear(): void {
    this.#running.clear();
    this.#report();
  }

  #report(): void {
    if (this.#running.size === this.#reported) return;
    this.#reported = this.#running.size;
    this.#changed();
  }
}
