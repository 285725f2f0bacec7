import { release } from '../segment/shared-use.ts';
import type { SharedBytes } from '../segment/window-event.ts';
import type { CopyEvent } from './messages.ts';

/**
 * Counts a part as handled by its media thread.
 * @param handled counter shared by both threads
 */
export function countHandled(handled: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(handled), 0, 1);
}

/**
 * Parts of copied streams in transit to one media thread, in order. Each part is retained for the thread, which releases
 * it. If the thread dies, the parts that it has not released must be released here, or their memory would be lost.
 */
export class InFlightParts {
  /** Number of released parts, counted by the thread. */
  readonly handled = new SharedArrayBuffer(4);
  readonly #count = new Int32Array(this.handled);
  #parts: SharedBytes[] = [];
  #landed = 0;

  /** Records the parts of events that are about to be sent. */
  sent(events: readonly CopyEvent[]): void {
    this.#land();
    for (const event of events) if (event.type === 'part') this.#parts.push(event.bytes);
  }

  /** Releases the parts that a dead thread has not released. */
  releaseAll(): void {
    this.#land();
    for (const bytes of this.#parts.splice(0)) release(bytes);
  }

  #land(): void {
    // The counter wraps around; the 32-bit difference stays correct.
    const landed = (Atomics.load(this.#count, 0) - this.#landed) | 0;
    if (landed === 0) return;
    this.#parts = this.#parts.slice(landed);
    this.#landed = (this.#landed + landed) | 0;
  }
}
