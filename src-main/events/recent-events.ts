import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import { isRefusal } from './refusal-digest.ts';

/** Refusals that are remembered, for each other event. */
const REFUSAL_SHARE = 0.25;

/** The newest events, for the desk and the APIs. Refusals have a share of their own: they displace nothing else. */
export class RecentEvents {
  readonly #limit: number;
  #events: ServerEvent[] = [];
  #refusals: ServerEvent[] = [];

  /** @param limit how many are remembered */
  constructor(limit = 1000) {
    this.#limit = limit;
  }

  add(events: readonly ServerEvent[]): void {
    for (const event of events) (isRefusal(event.event, event) ? this.#refusals : this.#events).push(event);
    // Cut now and then, so that an event does not move a thousand others.
    if (this.#events.length > 2 * this.#limit) this.#events = this.#events.slice(-this.#limit);
    if (this.#refusals.length > this.#limit) this.#refusals = this.#refusals.slice(-this.#refusalLimit);
  }

  /** The newest events, oldest first. @param isWanted which of them count; all without it */
  list(count: number, isWanted: (event: ServerEvent) => boolean = () => true): readonly ServerEvent[] {
    const all = [...this.#events.slice(-this.#limit), ...this.#refusals.slice(-this.#refusalLimit)];
    const found = all.filter(isWanted).sort((a, b) => a.event_id - b.event_id);
    return count > 0 ? found.slice(-count) : [];
  }

  get #refusalLimit(): number {
    return Math.ceil(this.#limit * REFUSAL_SHARE);
  }
}
