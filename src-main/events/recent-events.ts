import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';

/** The newest events, for whoever looks at what happens. */
export class RecentEvents {
  readonly #limit: number;
  #events: ServerEvent[] = [];

  /** @param limit how many are remembered */
  constructor(limit = 1000) {
    this.#limit = limit;
  }

  add(events: readonly ServerEvent[]): void {
    this.#events.push(...events);
    // Cut now and then, so that an event does not move a thousand others.
    if (this.#events.length > 2 * this.#limit) this.#events = this.#events.slice(-this.#limit);
  }

  /** The newest events, oldest first. @param isWanted which of them count; all without it */
  list(count: number, isWanted: (event: ServerEvent) => boolean = () => true): readonly ServerEvent[] {
    const found = this.#events.slice(-this.#limit).filter(isWanted);
    return count > 0 ? found.slice(-count) : [];
  }
}
