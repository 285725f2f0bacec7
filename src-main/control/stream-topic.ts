import type { ServerInfo, TopicPayload } from '../../src-preload/contract/index.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Clock } from '../lib/clock.ts';
import { DelayedWork } from '../lib/timers.ts';
import { nextTurn } from '../lib/turns.ts';
import { streamState, type StreamStateContext } from '../streams/stream-state.ts';
import type { Streams } from '../streams/streams.ts';

export interface StreamTopicOptions {
  readonly configuration: Configuration;
  readonly streams: Streams;
  readonly clock: Clock;
  /** Addresses of the server. */
  readonly describe: () => Pick<ServerInfo, 'base_url' | 'rtmp_url'>;
}

/** Minimum interval between two messages, in milliseconds. */
const TOPIC_MS = 250;
/** Maximum number of streams in one message, so that the message is created and written in one turn of the event loop. */
const STREAMS_COUNT = 200;

type Streamed = TopicPayload<'streams'>;

/** State of the streams for the desk, and its changes. */
export class StreamTopic {
  readonly #options: StreamTopicOptions;
  readonly #listeners = new Set<(payload: Streamed) => unknown>();
  readonly #publishSoon: DelayedWork;

  constructor(options: StreamTopicOptions) {
    this.#options = options;
    this.#publishSoon = new DelayedWork(options.clock, TOPIC_MS, () => {
      void this.#publish();
    });
  }

  /**
   * Names of all streams in the order of the configuration file. A stream that was removed and added again keeps its position.
   * Published streams come last.
   */
  names(): string[] {
    const { configuration, streams } = this.#options;
    const configured = configuration.config.streams;
    const others = streams.list().flatMap(({ name }) => (configured.has(name) ? [] : [name]));
    return [...configured.keys(), ...others];
  }

  /** State of the existing streams with these names. */
  statesOf(names: Iterable<string>): Streamed['changed'] {
    const context = this.#context();
    return [...names].flatMap((name) => {
      const entry = this.#options.streams.get(name);
      return entry ? [streamState(entry, context)] : [];
    });
  }

  subscribe(listener: (payload: Streamed) => unknown): () => void {
    // The snapshot contains earlier changes.
    if (this.#listeners.size === 0) this.#options.streams.takeChanges();
    this.#listeners.add(listener);
    void this.#sendAll(listener);
    this.#publishSoon.schedule();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#publishSoon.cancel();
    this.#listeners.clear();
  }

  #context(): StreamStateContext {
    const { base_url: baseUrl, rtmp_url: rtmpUrl } = this.#options.describe();
    return { nowMs: this.#options.clock.now(), baseUrl, rtmpUrl };
  }

  /**
   * Sends all streams in batches. Each stream has its state at the time of its batch, so messages about changes may come
   * between batches.
   */
  async #sendAll(listener: (payload: Streamed) => unknown): Promise<void> {
    const names = this.names();
    for (let from = 0; from === 0 || from < names.length; from += STREAMS_COUNT) {
      if (from > 0) await nextTurn();
      if (!this.#listeners.has(listener)) return;
      const left = Math.max(0, names.length - from - STREAMS_COUNT);
      await listener({
        is_snapshot: from === 0,
        ...(names.length > STREAMS_COUNT ? { left } : {}),
        changed: this.statesOf(names.slice(from, from + STREAMS_COUNT)),
        removed: [],
      });
    }
  }

  async #publish(): Promise<void> {
    const { changed, removed } = this.#options.streams.takeChanges(this.#listeners.size > 0);
    const names = [...changed];
    for (let from = 0; from === 0 || from < names.length; from += STREAMS_COUNT) {
      if (from > 0) await nextTurn();
      if (this.#listeners.size === 0) return;
      if (names.length === 0 && removed.size === 0) break;
      const removedNames = from === 0 ? [...removed] : [];
      const some = this.statesOf(names.slice(from, from + STREAMS_COUNT));
      const payload: Streamed = { is_snapshot: false, changed: some, removed: removedNames };
      for (const listener of this.#listeners) listener(payload);
    }
    this.#publishSoon.schedule();
  }
}
