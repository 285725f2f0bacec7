import type { SpliceMessage } from '../media/access-unit.ts';
import { readSpliceInfo } from '../media/scte35/splice-info.ts';
import { spliceTimeOf } from '../media/scte35/splice-point.ts';

/** A frame of 25 a second in 90 kHz ticks: the splice at the picture with which an input goes on air is one of what comes. */
const FRAME_TICKS = 3600;
/** Messages that are held, the newest. */
const MAX_HELD = 16;

/** Splice messages of an input that is not on air yet: those of what is still to come go out with its first access unit. */
export class HeldSplices {
  #attempt = 0;
  #messages: SpliceMessage[] = [];

  /** Holds a message of a connection; it is copied. */
  hold(attempt: number, message: SpliceMessage): void {
    if (attempt !== this.#attempt) this.#messages = [];
    this.#attempt = attempt;
    this.#messages.push({ ...message, section: Uint8Array.from(message.section) });
    if (this.#messages.length > MAX_HELD) this.#messages.shift();
  }

  /** Lets go of all messages; returns those of this connection whose time is not before `fromTicks` (90 kHz ticks of the input). */
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
