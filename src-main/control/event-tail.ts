import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { TopicPayload } from '../../src-preload/contract/topics.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { Clock } from '../lib/clock.ts';

/** Events in the first message. */
const SNAPSHOT_COUNT = 100;
/** Most events in one message. */
const MESSAGE_COUNT = 500;
/** Shortest time between two messages. */
const MESSAGE_MS = 250;

type Payload = TopicPayload<'events'>;

/** Events for subscribers: gathered, so that a burst of events is a few messages. */
export class EventTail {
  readonly #bus: EventBus;
  readonly #clock: Clock;
  readonly #isWanted: (event: ServerEvent) => boolean;
  readonly #listeners = new Set<(payload: Payload) => void>();
  #endOfReceiving: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  #gathered: ServerEvent[] = [];
  #skipped = 0;

  /** @param isWanted which events count; all without it */
  constructor(bus: EventBus, clock: Clock, isWanted: (event: ServerEvent) => boolean = () => true) {
    this.#bus = bus;
    this.#isWanted = isWanted;
    this.#clock = clock;
  }

  /** Gives the newest events at once, and then those that come. Returns the end of it. */
  subscribe(listener: (payload: Payload) => void): () => void {
    // What is gathered for the others is in this snapshot already.
    this.#flush();
    this.#endOfReceiving ??= this.#bus.receive((events) => {
      const wanted = events.map(({ event }) => event).filter(this.#isWanted);
      if (wanted.length > 0) this.#gather(wanted);
    });
    this.#listeners.add(listener);
    listener({ is_snapshot: true, events: [...this.#bus.recent.list(SNAPSHOT_COUNT, this.#isWanted)], skipped: 0 });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#endOfReceiving?.();
    this.#endOfReceiving = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#gathered = [];
    this.#skipped = 0;
  }

  #gather(events: readonly ServerEvent[]): void {
    this.#gathered.push(...events);
    const surplus = this.#gathered.length - MESSAGE_COUNT;
    if (surplus > 0) {
      this.#gathered.splice(0, surplus);
      this.#skipped += surplus;
    }
    this.#cancelTimer ??= this.#clock.after(MESSAGE_MS, () => {
      this.#flush();
    });
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#gathered.length === 0) return;
    const payload: Payload = { is_snapshot: false, events: this.#gathered, skipped: this.#skipped };
    this.#gathered = [];
    this.#skipped = 0;
    for (const listener of this.#listeners) listener(payload);
  }
}
