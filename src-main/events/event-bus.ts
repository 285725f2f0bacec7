import {
  EVENTS,
  type EventFields,
  type EventKind,
  type ServerEvent,
} from '../../src-preload/contract/events/catalogue.ts';
import type { Clock } from '../lib/clock.ts';
import { RecentEvents } from './recent-events.ts';
import { isRefusal, RefusalDigest } from './refusal-digest.ts';

/** Most events that wait for their turn. */
const MAX_PENDING = 20_000;
/** Most events that one turn of the loop hands on. */
const TURN_COUNT = 200;
/** Longest text of a fact; what is longer is cut. */
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

/** What the bus works with. */
export interface EventBusOptions {
  /** Name of the server in its events. */
  readonly server: string;
  readonly clock: Clock;
  /** Gives the number of the next event. */
  readonly nextId: () => number;
  /** Hears of the refusals that become events: once for each address and reason in ten seconds. */
  readonly refused?: (kind: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Runs something after the current turn of the loop. */
  readonly defer?: (work: () => void) => void;
}

/** The bus of all events: to emit is to push, and receivers are served in later turns of the loop. */
export class EventBus implements EventEmitter {
  /** The newest events. */
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

  /** Events that were lost because they came faster than they could be handed on. */
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
    // The catalogue holds the fields of a kind to texts, numbers, flags and null.
    this.#pending.push(event as ServerEvent);
    this.#schedule();
  }

  /** Gives everything that is emitted from now on to a receiver. Returns the end of it. */
  receive(receiver: EventReceiver): () => void {
    this.#receivers.add(receiver);
    return () => {
      this.#receivers.delete(receiver);
    };
  }

  /** Resolves when everything that was emitted so far was handed to all receivers. */
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

/** How much a kind of event matters. */
export function levelOf(kind: string): (typeof EVENTS)[EventKind]['level'] {
  // Every event on the bus is of a kind of the catalogue.
  return EVENTS[kind as EventKind].level;
}
