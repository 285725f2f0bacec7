import { TIMESTAMP_WRAP_TICKS, wrapTicks } from './packet.ts';

const HALF_WRAP_TICKS = TIMESTAMP_WRAP_TICKS / 2;

/**
 * Turns 33-bit times into a count that goes on through the wrap. One unroller serves all tracks of a programme: each time
 * is taken as near as possible to the newest one of any track, so a wrap or a jump never splits them.
 * An unrolled time modulo 2^33 is the time that was read.
 */
export class TickUnroller {
  #newest: number | undefined;

  /** The newest time that was unrolled by `advance`; undefined before the first. */
  get newestTicks(): number | undefined {
    return this.#newest;
  }

  /** Unrolls a time and makes it the newest. */
  advance(ticks: number): number {
    const unrolled = this.near(ticks);
    this.#newest = unrolled;
    return unrolled;
  }

  /** Unrolls a time near the newest one, or near `reference`. */
  near(ticks: number, reference: number | undefined = this.#newest): number {
    if (reference === undefined) return ticks;
    const ahead = wrapTicks(ticks - reference);
    return reference + (ahead >= HALF_WRAP_TICKS ? ahead - TIMESTAMP_WRAP_TICKS : ahead);
  }
}
