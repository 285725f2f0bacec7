import type { TopicPayload } from '../../../src-preload/contract/index.ts';

type StreamsMessage = TopicPayload<'streams'>;

/**
 * Batches messages of the `streams` topic, so that the store changes at most once per interval. The first message after a pause
 * and a complete snapshot pass at once, so that a loss of signal is shown immediately.
 */
export class ChangeGate {
  readonly #apply: (message: StreamsMessage) => void;
  readonly #intervalMs: number;
  #changed = new Map<string, StreamsMessage['changed'][number]>();
  #removed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Incomplete snapshot, with the changes since its start. */
  #snapshot: Map<string, StreamsMessage['changed'][number]> | undefined;

  constructor(apply: (message: StreamsMessage) => void, intervalMs = 200) {
    this.#apply = apply;
    this.#intervalMs = intervalMs;
  }

  add(message: StreamsMessage): void {
    if (message.is_snapshot) {
      this.close();
      if (message.left) this.#snapshot = new Map(message.changed.map((state) => [state.name, state]));
      else this.#apply(message);
      return;
    }
    if (this.#snapshot) {
      this.#complete(this.#snapshot, message);
      return;
    }
    for (const state of message.changed) {
      this.#changed.set(state.name, state);
      this.#removed.delete(state.name);
    }
    for (const name of message.removed) {
      this.#removed.add(name);
      this.#changed.delete(name);
    }
    if (this.#timer === undefined) this.#flush();
  }

  /** Drops the batch. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
    this.#removed.clear();
    this.#snapshot = undefined;
  }

  #complete(
    snapshot: Map<string, StreamsMessage['changed'][number]>,
    { left, changed, removed }: StreamsMessage,
  ): void {
    for (const state of changed) snapshot.set(state.name, state);
    for (const name of removed) snapshot.delete(name);
    if (left !== 0) return;
    this.#snapshot = undefined;
    this.#apply({ is_snapshot: true, changed: [...snapshot.values()], removed: [] });
  }

  #flush(): void {
    const message = { is_snapshot: false, changed: [...this.#changed.values()], removed: [...this.#removed] };
    this.close();
    if (message.changed.length === 0 && message.removed.length === 0) return;
    this.#timer = setTimeout(() => this.#flush(), this.#intervalMs);
    this.#apply(message);
  }
}
