import type { SpliceMessage } from '../media/access-unit.ts';
import { readSpliceInfo } from '../media/scte35/splice-info.ts';
import { spliceTimeOf } from '../media/scte35/splice-point.ts';

/**
 * Tolerance: the duration of a frame at 25 fps, in 90 kHz ticks. A splice point at the first picture on air still
 * counts.
 */
const FRAME_TICKS = 3600;
/** Maximum number of stored messages; the oldest are dropped. */
const MAX_PENDING = 16;

/**
 * Splice messages of an input that is not on air yet. Messages whose time has not passed are emitted with its first access unit.
 */
export class PendingSplices {
  #attempt = 0;
  #messages: SpliceMessage[] = [];

  /** Stores a copy of a message of a connection. */
  add(attempt: number, message: SpliceMessage): void {
    if (attempt !== this.#attempt) this.#messages = [];
    this.#attempt = attempt;
    this.#messages.push({ ...message, section: Uint8Array.from(message.section) });
    if (this.#messages.length > MAX_PENDING) this.#messages.shift();
  }

  /** Removes all messages; returns those of this connection whose time is not before `fromTicks` (90 kHz ticks of the input). */
  take(attempt: number, fromTicks: number): readonly SpliceMessage[] {
    if (this.#messages.length === 0) return this.#messages;
    const messages = attempt === this.#attempt ? this.#messages : [];
    this.#messages = [];
    return messages.filter((message) => {
      const info = readSpliceInfo(message.section);
      return !info || spliceTimeOf(info, message) >= fromTicks - FRAME_TICKS;
    });
  }
}
