import type { TopicPayload } from '../../src-preload/contract/index.ts';

/** Knows how many streams are on air, from the messages of the topic `streams`. */
export class OnAir {
  readonly #running = new Set<string>();
  readonly #changed: () => void;
  #reported = 0;

  /** `changed` hears of each change of the number. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Streams that are running. */
  get count(): number {
    return this.#running.size;
  }

  /** Takes a message of the topic. */
  take(message: TopicPayload<'streams'>): void {
    if (message.is_snapshot) this.#running.clear();
    for (const name of message.removed) this.#running.delete(name);
    for (const stream of message.changed) {
      if (stream.status === 'running') this.#running.add(stream.name);
      else this.#running.delete(stream.name);
    }
    this.#settle();
  }

  /** The server is gone, and its streams with it. */
  clear(): void {
    this.#running.clear();
    this.#settle();
  }

  #settle(): void {
    if (this.#running.size === this.#reported) return;
    this.#reported = this.#running.size;
    this.#changed();
  }
}
