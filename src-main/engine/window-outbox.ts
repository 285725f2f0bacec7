import type { Clock } from '../lib/clock.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { WindowBatch } from './messages.ts';

/** With fewer streams nothing waits for what others emit. */
const FEW_STREAMS = 8;
/** Time between two messages in milliseconds, where there are many streams: what an event waits at most. */
const GATHER_MS = 10;

/** What an outbox needs from its thread. */
export interface WindowOutboxPort {
  /** Streams that live on the thread. */
  streamCount(): number;
  /** Sends what happened, in one message. */
  post(batches: readonly WindowBatch[]): void;
}

/** The events of all windows of a media thread, on their way to the server thread: those of one turn of the event loop, or of some milliseconds, in one message. */
export class WindowOutbox {
  readonly #clock: Clock;
  readonly #port: WindowOutboxPort;
  readonly #events = new Map<number, WindowEvent[]>();
  #isAsked = false;
  #cancel: (() => void) | undefined;
  #postedMs = 0;

  constructor(clock: Clock, port: WindowOutboxPort) {
    this.#clock = clock;
    this.#port = port;
  }

  /** Takes an event. @param id number of the run whose window it belongs to */
  add(id: number, event: WindowEvent): void {
    const events = this.#events.get(id);
    if (events) events.push(event);
    else this.#events.set(id, [event]);
    if (this.#isAsked) return;
    this.#isAsked = true;
    const waitMs = this.#postedMs + GATHER_MS - this.#clock.now();
    // Where the clock was set back, nothing waits for the time to come again.
    if (waitMs > 0 && waitMs <= GATHER_MS && this.#port.streamCount() >= FEW_STREAMS)
      this.#cancel = this.#clock.after(waitMs, () => {
        this.flush();
      });
    else
      queueMicrotask(() => {
        this.flush();
      });
  }

  /** Sends what is there. */
  flush(): void {
    this.#isAsked = false;
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#events.size === 0) return;
    const batches = [...this.#events].map(([id, events]) => ({ id, events }));
    this.#events.clear();
    this.#postedMs = this.#clock.now();
    this.#port.post(batches);
  }
}
