import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Validity of a ticket, in milliseconds, so that an interrupted download may continue. */
const TICKET_MS = 3_600_000;
/** Maximum number of valid tickets. Above it, the oldest ticket becomes invalid. */
const MAX_TICKETS = 1000;

/** Secrets in addresses, valid for one hour: an address with a ticket needs no other right. */
export class Tickets<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #tickets = new Map<string, { readonly value: T; readonly endMs: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Creates a ticket. */
  issue(value: T): string {
    const ticket = randomBytes(18).toString('base64url');
    this.#tickets.set(ticket, { value, endMs: this.#clock.now() + TICKET_MS });
    const [oldest] = this.#tickets.keys();
    if (this.#tickets.size > MAX_TICKETS && oldest !== undefined) this.#tickets.delete(oldest);
    return ticket;
  }

  /** Value of a valid ticket. */
  find(ticket: string): T | undefined {
    const found = this.#tickets.get(ticket);
    return found && found.endMs > this.#clock.now() ? found.value : undefined;
  }
}
