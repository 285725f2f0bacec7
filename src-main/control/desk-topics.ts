import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { TopicName, TopicPayload } from '../../src-preload/contract/index.ts';
import { DelayedWork } from '../lib/timers.ts';
import { reducedFor } from '../operators/complete-answers.ts';
import type { Subscriber } from '../operators/caller.ts';
import { isEventInScope, streamsInScope } from './desk-scope.ts';
import type { EventServices } from './system/event-services.ts';
import { StreamTopic, type StreamTopicOptions } from './stream-topic.ts';
import type { WallService } from './walls/wall-service.ts';

export interface DeskTopicsOptions extends StreamTopicOptions {
  readonly events: EventServices;
  readonly walls: Pick<WallService, 'labels'>;
}

/** Minimum interval between two messages of a topic, in milliseconds. */
const TOPIC_MS = 250;
const SNAPSHOT_COUNT = 100;
/** Maximum number of events in one message. */
const MESSAGE_COUNT = 500;

type Emitted = TopicPayload<'events'>;

/** Topics of the bridge: changes, batched and reduced to each subscriber's scope. */
export class DeskTopics {
  readonly streams: StreamTopic;
  readonly #options: DeskTopicsOptions;
  readonly #events: EventTopic;
  readonly #readerViews = new Map<ReturnType<typeof reducedFor>, WeakMap<object, object>>();

  constructor(options: DeskTopicsOptions) {
    this.#options = options;
    this.streams = new StreamTopic(options);
    this.#events = new EventTopic(options);
  }

  /**
   * Subscribes to a topic. The listener gets a snapshot at once. It may return a promise: a long snapshot waits for the promise
   * before it continues. Returns a function that ends the subscription.
   */
  subscribe(topic: TopicName, subscriber: (payload: object) => unknown, caller: Subscriber): () => void {
    const listener = (payload: object): unknown =>
      subscriber(caller.mayWrite ? payload : this.#reducedPayload(payload, caller));
    switch (topic) {
      case 'streams':
        return this.streams.subscribe((payload) => {
          const scoped = caller.prefixes ? streamsInScope(payload, caller) : payload;
          return scoped && listener(scoped);
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
    return caller.prefixes || caller.role
      ? new EventTopic(this.#options, (event) => isEventInScope(event, caller))
      : this.#events;
  }

  /** Payload for callers without write access. It is created once for each way to reduce it. */
  #reducedPayload(payload: object, caller: Subscriber): object {
    const reduce = reducedFor(caller);
    const views = this.#readerViews.get(reduce) ?? new WeakMap<object, object>();
    const view = views.get(payload) ?? reduce(payload);
    this.#readerViews.set(reduce, views);
    views.set(payload, view);
    return view;
  }
}

/** Collects events, so that many events at once need only a few messages. */
class EventTopic {
  readonly #bus: EventServices['bus'];
  readonly #matches: (event: ServerEvent) => boolean;
  readonly #listeners = new Set<(payload: Emitted) => void>();
  readonly #flushSoon: DelayedWork;
  #endOfReceiving: (() => void) | undefined;
  #gathered: ServerEvent[] = [];
  #skipped = 0;

  /** @param matches selects events; default: all events */
  constructor(
    { events, clock }: Pick<DeskTopicsOptions, 'events' | 'clock'>,
    matches: (event: ServerEvent) => boolean = () => true,
  ) {
    this.#bus = events.bus;
    this.#matches = matches;
    this.#flushSoon = new DelayedWork(clock, TOPIC_MS, () => {
      this.#flush();
    });
  }

  /** Sends the newest events at once, and new ones as they arrive. Returns a function that ends the subscription. */
  subscribe(listener: (payload: Emitted) => void): () => void {
    // The snapshot already contains the events that wait for the other subscribers.
    this.#flush();
    this.#endOfReceiving ??= this.#bus.receive((events) => {
      const matching = events.map(({ event }) => event).filter(this.#matches);
      if (matching.length > 0) this.#gather(matching);
    });
    this.#listeners.add(listener);
    listener({ is_snapshot: true, events: [...this.#bus.recent.list(SNAPSHOT_COUNT, this.#matches)], skipped: 0 });
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
    this.#flushSoon.schedule();
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
