import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { ServerInfo, TopicName, TopicPayload } from '../../src-preload/contract/index.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Clock } from '../lib/clock.ts';
import { DelayedWork } from '../lib/timers.ts';
import type { Caller } from '../operators/caller.ts';
import { readerView } from '../operators/reader-view.ts';
import { streamState, type StreamStateContext } from '../streams/stream-state.ts';
import type { Streams } from '../streams/streams.ts';
import { isEventInScope, streamsInScope } from './desk-scope.ts';
import type { EventServices } from './event-services.ts';
import type { WallDesk } from './walls/wall-desk.ts';

/** What the topics are made of. */
export interface DeskTopicsOptions {
  readonly configuration: Configuration;
  readonly streams: Streams;
  readonly events: EventServices;
  readonly walls: Pick<WallDesk, 'labels'>;
  readonly clock: Clock;
  /** Addresses of the server. */
  readonly describe: () => Pick<ServerInfo, 'base_url' | 'rtmp_url'>;
}

/** Shortest time between two messages of a topic. */
const TOPIC_MS = 250;
/** Events in the first message. */
const SNAPSHOT_COUNT = 100;
/** Most events in one message. */
const MESSAGE_COUNT = 500;

/** A receiver of the messages of a topic. */
type Subscriber = Pick<Caller, 'mayWrite' | 'prefixes'>;
type Streamed = TopicPayload<'streams'>;
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

  /** Subscribes to a topic; the listener gets a snapshot at once. Returns the end of the subscription. */
  subscribe(topic: TopicName, wanted: (payload: object) => void, caller: Subscriber): () => void {
    const listener = (payload: object): void => {
      wanted(caller.mayWrite ? payload : this.#readersPayload(payload));
    };
    switch (topic) {
      case 'streams':
        return this.streams.subscribe((payload) => {
          const seen = caller.prefixes ? streamsInScope(payload, caller) : payload;
          if (seen) listener(seen);
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

/** The state of the streams as the desk sees it, and what changes of it. */
class StreamTopic {
  readonly #options: Omit<DeskTopicsOptions, 'events' | 'walls'>;
  readonly #listeners = new Set<(payload: Streamed) => void>();
  readonly #publishSoon: DelayedWork;

  constructor(options: Omit<DeskTopicsOptions, 'events' | 'walls'>) {
    this.#options = options;
    this.#publishSoon = new DelayedWork(options.clock, TOPIC_MS, () => {
      this.#publish();
    });
  }

  /** All streams as they stand in the file: one that was removed and came back stands where it stood. What encoders made follows. */
  all(): Streamed['changed'] {
    const { configuration, streams } = this.#options;
    const order = new Map([...configuration.config.streams.keys()].map((name, index) => [name, index]));
    const placeOf = ({ name }: { readonly name: string }): number => order.get(name) ?? order.size;
    const context = this.#context();
    return streams
      .list()
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map((entry) => streamState(entry, context));
  }

  /** Those of these names that there are. */
  some(names: Iterable<string>): Streamed['changed'] {
    const context = this.#context();
    return [...names].flatMap((name) => {
      const entry = this.#options.streams.get(name);
      return entry ? [streamState(entry, context)] : [];
    });
  }

  subscribe(listener: (payload: Streamed) => void): () => void {
    // What changed before is in the snapshot.
    if (this.#listeners.size === 0) this.#options.streams.takeChanges();
    this.#listeners.add(listener);
    listener({ is_snapshot: true, changed: this.all(), removed: [] });
    this.#publishSoon.ask();
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

  #publish(): void {
    const { changed, removed } = this.#options.streams.takeChanges(this.#listeners.size > 0);
    if (this.#listeners.size === 0) return;
    this.#publishSoon.ask();
    if (changed.size === 0 && removed.size === 0) return;
    const payload: Streamed = { is_snapshot: false, changed: this.some(changed), removed: [...removed] };
    for (const listener of this.#listeners) listener(payload);
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
