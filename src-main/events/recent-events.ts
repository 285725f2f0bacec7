import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import { isRefusal } from './refusal-digest.ts';

/** Number of stored refusals, as a share of the number of other stored events. */
const REFUSAL_SHARE = 0.25;

/**
 * The newest events, for the desk and the APIs. Refusals have a share of their own, so that they displace no other
 * events.
 */
export class RecentEvents {
  readonly #limit: number;
  #events: ServerEvent[] = [];
  #refusals: ServerEvent[] = [];

  /** @param limit number of stored events that are not refusals; in addition, a quarter as many refusals are stored */
  constructor(limit = 1000) {
    this.#limit = limit;
  }

  add(events: readonly ServerEvent[]): void {
    for (const event of events) (isRefusal(event.event, event) ? this.#refusals : this.#events).push(event);
    // The list is trimmed rarely, because trimming copies it.
    if (this.#events.length > 2 * this.#limit) this.#events = this.#events.slice(-this.#limit);
    if (this.#refusals.length > this.#limit) this.#refusals = this.#refusals.slice(-this.#refusalLimit);
  }

  /**
   * The newest events, oldest first.
   * @param matches filter; default: all events
   */
  list(count: number, matches: (event: ServerEvent) => boolean = () => true): readonly ServerEvent[] {
    const all = [...this.#events.slice(-this.#limit), ...this.#refusals.slice(-this.#refusalLimit)];
    const found = all.filter(matches).sort((a, b) => a.event_id - b.event_id);
    return count > 0 ? found.slice(-count) : [];
  }

  get #refusalLimit(): number {
    return Math.ceil(this.#limit * REFUSAL_SHARE);
  }
}
