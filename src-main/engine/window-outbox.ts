import type { Clock } from '../lib/clock.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { WindowBatch } from './messages.ts';

/** Minimum number of streams for which events are collected for some milliseconds. */
const MANY_STREAMS = 8;
/** Minimum interval of messages if there are many streams, and maximum delay of an event, in milliseconds. */
const GATHER_MS = 10;

/** Functions that an outbox needs from its thread. */
export interface WindowOutboxPort {
  /** Number of streams on the thread. */
  streamCount(): number;
  /** Sends the events in one message. */
  post(batches: readonly WindowBatch[]): void;
}

/**
 * Outbox for the window events of a media thread. Sends the events of one turn of the event loop, or of 10 ms if there
 * are many streams, in one message to the server thread.
 */
export class WindowOutbox {
  readonly #clock: Clock;
  readonly #port: WindowOutboxPort;
  readonly #events = new Map<number, WindowEvent[]>();
  #isRequested = false;
  #cancel: (() => void) | undefined;
  #postedMs = 0;

  constructor(clock: Clock, port: WindowOutboxPort) {
    this.#clock = clock;
    this.#port = port;
  }

  /**
   * Adds an event.
   * @param id number of the run
   */
  add(id: number, event: WindowEvent): void {
    const events = this.#events.get(id);
    if (events) events.push(event);
    else this.#events.set(id, [event]);
    if (this.#isRequested) return;
    this.#isRequested = true;
    const waitMs = this.#postedMs + GATHER_MS - this.#clock.now();
    // A longer wait means that the clock was set back: then events are sent at once.
    if (waitMs > 0 && waitMs <= GATHER_MS && this.#port.streamCount() >= MANY_STREAMS)
      this.#cancel = this.#clock.after(waitMs, () => {
        this.flush();
      });
    else
      queueMicrotask(() => {
        this.flush();
      });
  }

  /** Sends all waiting events. */
  flush(): void {
    this.#isRequested = false;
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#events.size === 0) return;
    const batches = [...this.#events].map(([id, events]) => ({ id, events }));
    this.#events.clear();
    this.#postedMs = this.#clock.now();
    this.#port.post(batches);
  }
}
