import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { TopicName, TopicPayload } from '../../src-preload/contract/index.ts';
import { DelayedWork } from '../lib/timers.ts';
import type { Caller } from '../operators/caller.ts';
import { readerView } from '../operators/reader-view.ts';
import { isEventInScope, streamsInScope } from './desk-scope.ts';
import type { EventServices } from './event-services.ts';
import { StreamTopic, type StreamTopicOptions } from './stream-topic.ts';
import type { WallService } from './walls/wall-service.ts';

/** What the topics are made of. */
export interface DeskTopicsOptions extends StreamTopicOptions {
  readonly events: EventServices;
  readonly walls: Pick<WallService, 'labels'>;
}

/** Shortest time between two messages of a topic. */
const TOPIC_MS = 250;
/** Events in the first message. */
const SNAPSHOT_COUNT = 100;
/** Most events in one message. */
const MESSAGE_COUNT = 500;

/** A receiver of the messages of a topic. */
type Subscriber = Pick<Caller, 'mayWrite' | 'prefixes'>;
type Emitted = TopicPayload<'events'>;

/** The topics of the bridge: what changes, gathered, as far as each subscriber may see it. */
export class DeskTopics {
  readonly streams: StreamTopic;
  readonly #options: DeskTopicsOptions;
  readonly #events: EventTopic;
  readonly #readerViews = new WeakMap<object, object>();

  constructor(options: DeskTopicsOptions) {
    this.#options = options;
    this.streams = new StreamTopic(options);
    this.#events = new EventTopic(options);
  }

  /** Subscribes to a topic; the listener gets a snapshot at once, and may return a promise before which a long one does not go on. Returns the end of the subscription. */
  subscribe(topic: TopicName, wanted: (payload: object) => unknown, caller: Subscriber): () => void {
    const listener = (payload: object): unknown => wanted(caller.mayWrite ? payload : this.#readersPayload(payload));
    switch (topic) {
      case 'streams':
        return this.streams.subscribe((payload) => {
          const seen = caller.prefixes ? streamsInScope(payload, caller) : payload;
          return seen && listener(seen);
        });
      case 'events':
        return this.#eventsFor(caller).subscribe(listener);
      case 'wall':
        return this.#options.walls.labels.subscribe(listener, caller);
    }
  }

  close(): void {
    this.streams.close();
    this.#events.close();
    this.#options.walls.labels.close();
  }

  #eventsFor(caller: Subscriber): EventTopic {
    return caller.prefixes ? new EventTopic(this.#options, (event) => isEventInScope(event, caller)) : this.#events;
  }

  /** All readers get the same one, which is made once. */
  #readersPayload(payload: object): object {
    const view = this.#readerViews.get(payload) ?? readerView(payload);
    this.#readerViews.set(payload, view);
    return view;
  }
}

/** Events, gathered, so that a burst of them is a few messages. */
class EventTopic {
  readonly #bus: EventServices['bus'];
  readonly #isWanted: (event: ServerEvent) => boolean;
  readonly #listeners = new Set<(payload: Emitted) => void>();
  readonly #flushSoon: DelayedWork;
  #endOfReceiving: (() => void) | undefined;
  #gathered: ServerEvent[] = [];
  #skipped = 0;

  /** @param isWanted which events count; all without it */
  constructor(
    { events, clock }: Pick<DeskTopicsOptions, 'events' | 'clock'>,
    isWanted: (event: ServerEvent) => boolean = () => true,
  ) {
    this.#bus = events.bus;
    this.#isWanted = isWanted;
    this.#flushSoon = new DelayedWork(clock, TOPIC_MS, () => {
      this.#flush();
    });
  }

  /** Gives the newest events at once, and then those that come. Returns the end of it. */
  subscribe(listener: (payload: Emitted) => void): () => void {
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
    this.#flushSoon.cancel();
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
    this.#flushSoon.ask();
  }

  #flush(): void {
    this.#flushSoon.cancel();
    if (this.#gathered.length === 0) return;
    const payload: Emitted = { is_snapshot: false, events: this.#gathered, skipped: this.#skipped };
    this.#gathered = [];
    this.#skipped = 0;
    for (const listener of this.#listeners) listener(payload);
  }
}
