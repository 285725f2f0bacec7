import {
  EVENTS,
  type EventFields,
  type EventKind,
  type ServerEvent,
} from '../../src-preload/contract/events/catalogue.ts';
import type { Clock } from '../lib/clock.ts';
import { RecentEvents } from './recent-events.ts';
import { isRefusal, RefusalDigest } from './refusal-digest.ts';

/** Maximum number of events waiting for their turn. */
const MAX_PENDING = 20_000;
/** Maximum number of events per turn. */
const TURN_COUNT = 200;
/** Maximum length of a text field; longer texts are cut. */
const MAX_TEXT = 2000;

/** Takes events. Never waits and never throws. */
export interface EventEmitter {
  emit<K extends EventKind>(kind: K, fields: EventFields<K>): void;
}

/** An emitter without receivers, for tests. */
export const silentEvents: EventEmitter = { emit() {} };

/** An event with its JSON. */
export interface PrintedEvent {
  readonly event: ServerEvent;
  readonly text: string;
}

/** Receiver of all events, in batches. Must not wait. */
export type EventReceiver = (events: readonly PrintedEvent[]) => void;

export interface EventBusOptions {
  /** Server name in the events. */
  readonly server: string;
  readonly clock: Clock;
  /** Returns the next event id. */
  readonly nextId: () => number;
  /**
   * Called with refusals that become events. For each address and reason these are the first refusal and, after ten seconds,
   * the newest one with the number of refusals since the first.
   */
  readonly refused?: (kind: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Runs work after the current turn of the event loop. */
  readonly defer?: (work: () => void) => void;
}

/** Bus of all events. `emit` only queues; receivers are called in later turns of the event loop. */
export class EventBus implements EventEmitter {
  readonly recent = new RecentEvents();
  readonly #options: EventBusOptions;
  readonly #defer: (work: () => void) => void;
  readonly #receivers = new Set<EventReceiver>();
  readonly #refusals: RefusalDigest;
  #pending: ServerEvent[] = [];
  #isScheduled = false;
  #dropped = 0;
  #droppedTotal = 0;
  #drained: (() => void)[] = [];

  constructor(options: EventBusOptions) {
    this.#options = options;
    this.#defer = options.defer ?? setImmediate;
    this.#refusals = new RefusalDigest(options.clock, (kind, facts) => {
      this.#push(kind, facts);
      options.refused?.(kind, facts);
    });
  }

  /** Number of events lost because they were emitted faster than they could be delivered. */
  get droppedCount(): number {
    return this.#droppedTotal;
  }

  emit<K extends EventKind>(kind: K, fields: EventFields<K>): void {
    if (isRefusal(kind, fields)) this.#refusals.take(kind, fields);
    else this.#push(kind, fields);
  }

  #push(kind: string, facts: Readonly<Record<string, unknown>>): void {
    if (this.#pending.length >= MAX_PENDING) {
      this.#dropped++;
      this.#droppedTotal++;
      return;
    }
    const { server, clock, nextId } = this.#options;
    const event: Record<string, unknown> = { event: kind, event_id: nextId(), utc_ms: clock.now(), server };
    for (const key in facts) {
      const value = facts[key];
      if (value !== undefined)
        event[key] = typeof value === 'string' && value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value;
    }
    // The catalogue limits the fields of a kind to texts, numbers, booleans and null.
    this.#pending.push(event as ServerEvent);
    this.#schedule();
  }

  /** Adds a receiver for all events from now on; returns its unsubscribe function. */
  receive(receiver: EventReceiver): () => void {
    this.#receivers.add(receiver);
    return () => {
      this.#receivers.delete(receiver);
    };
  }

  /** Resolves when all events emitted so far were passed to all receivers. */
  drained(): Promise<void> {
    this.#refusals.flush();
    if (this.#pending.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#defer(() => {
      this.#isScheduled = false;
      this.#turn();
    });
  }

  #turn(): void {
    const events = this.#pending.splice(0, TURN_COUNT);
    const printed = events.map((event) => ({ event, text: JSON.stringify(event) }));
    this.recent.add(events);
    for (const receiver of this.#receivers) receiver(printed);
    if (this.#dropped > 0 && this.#pending.length < MAX_PENDING) {
      const count = this.#dropped;
      this.#dropped = 0;
      this.emit('events_dropped', { sink: null, reason: 'too_fast', count });
    }
    if (this.#pending.length > 0) this.#schedule();
    else {
      const waiting = this.#drained;
      this.#drained = [];
      for (const resolve of waiting) resolve();
    }
  }
}

/** Level of a kind of event. */
export function levelOf(kind: string): (typeof EVENTS)[EventKind]['level'] {
  // The bus only accepts kinds of the catalogue.
  return EVENTS[kind as EventKind].level;
}
