import type { TopicPayload } from '../../src-preload/contract/index.ts';

/** Knows whether any stream is on air, from the messages of the topic `streams`. */
export class OnAir {
  readonly #running = new Set<string>();
  readonly #changed: (isOnAir: boolean) => void;
  #isOnAir = false;

  /** `changed` hears of each change between on air and not. */
  constructor(changed: (isOnAir: boolean) => void) {
    this.#changed = changed;
  }

  /** Whether a stream is running. */
  get isOnAir(): boolean {
    return this.#isOnAir;
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
    const isOnAir = this.#running.size > 0;
    if (isOnAir === this.#isOnAir) return;
    this.#isOnAir = isOnAir;
    this.#changed(isOnAir);
  }
}
