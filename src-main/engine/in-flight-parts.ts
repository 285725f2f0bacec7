import { release } from '../segment/shared-use.ts';
import type { SharedBytes } from '../segment/window-event.ts';
import type { CopyEvent } from './messages.ts';

/** Counts a part as handled by the media thread that it was sent to. @param handled the counter that both threads see */
export function countHandled(handled: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(handled), 0, 1);
}

/**
 * The parts on their way to one media thread, in order. Each is retained for it, and it lets go of each; if it dies, what
 * it never took would be held for ever, in the memory of a thread that lives.
 */
export class InFlightParts {
  /** How many parts the thread has taken, counted by it. */
  readonly handled = new SharedArrayBuffer(4);
  readonly #count = new Int32Array(this.handled);
  #parts: SharedBytes[] = [];
  #landed = 0;

  /** Events are about to be sent. */
  sent(events: readonly CopyEvent[]): void {
    this.#land();
    for (const event of events) if (event.type === 'part') this.#parts.push(event.bytes);
  }

  /** The thread is gone: lets go of what it never took. */
  releaseAll(): void {
    this.#land();
    for (const bytes of this.#parts.splice(0)) release(bytes);
  }

  #land(): void {
    // Over its end the counter goes on at its lowest value; the difference stays right.
    const landed = (Atomics.load(this.#count, 0) - this.#landed) | 0;
    if (landed === 0) return;
    this.#parts = this.#parts.slice(landed);
    this.#landed = (this.#landed + landed) | 0;
  }
}
