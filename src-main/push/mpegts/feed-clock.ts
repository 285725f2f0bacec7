/** Ticks of the system clock per millisecond (ISO/IEC 13818-1, 2.4.2.1). */
export const CLOCK_TICKS_PER_MS = 27_000;
/** Ticks of the system clock per tick of the time stamps. */
const CLOCK_TICKS_PER_TICK = 300;
/** Window over which the delay of units is observed, in milliseconds. */
const WINDOW_MS = 5000;
/** Maximum correction of the pace, and the time in which a delay would be corrected without this maximum. */
const MAX_CORRECTION = 500e-6;
const CORRECTION_MS = 200_000;
/** Delay of all units of a window, and of a single unit, at which the clock starts again, in milliseconds. */
const LATE_MS = 400;
const EARLY_MS = 1500;
const LOST_MS = 10_000;

/** Range of delays. */
interface Delays {
  min: number;
  max: number;
}

/**
 * Clock of a feed: 27 MHz ticks since its start. It follows the wall clock of this machine, and slowly the clock of the
 * stream: the latest units of a window are just in time, so units that come earlier wait.
 */
export class FeedClock {
  /** Base of the clock references: 90 kHz ticks of the stream at time 0; undefined before the first unit. */
  originTicks: number | undefined;
  /** Decoding time minus clock reference of a unit that is just in time, in milliseconds. */
  readonly #delayMs: number;
  #ticks = 0;
  #elapsedMs: number | undefined;
  #correction = 0;
  #windowStartMs = 0;
  #delays: Delays = { min: Infinity, max: -Infinity };

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Time in ticks. @param elapsedMs milliseconds of a monotonic clock */
  ticksAt(elapsedMs: number): number {
    const sinceMs = Math.max(0, elapsedMs - (this.#elapsedMs ?? elapsedMs));
    this.#elapsedMs = elapsedMs;
    this.#ticks += sinceMs * CLOCK_TICKS_PER_MS * (1 + this.#correction);
    return this.#ticks;
  }

  /**
   * Time at which a unit is due, in ticks.
   * @param dtsTicks decoding time, in 90 kHz ticks
   * @param elapsedMs time of its arrival
   */
  due(dtsTicks: number, elapsedMs: number): number {
    const now = this.ticksAt(elapsedMs);
    this.originTicks ??= this.#originAt(dtsTicks, now);
    const delayMs = (now - this.#dueTicks(dtsTicks, this.originTicks)) / CLOCK_TICKS_PER_MS;
    if (Math.abs(delayMs) > LOST_MS) return this.#restart(dtsTicks, now, elapsedMs);
    this.#delays.min = Math.min(this.#delays.min, delayMs);
    this.#delays.max = Math.max(this.#delays.max, delayMs);
    if (elapsedMs - this.#windowStartMs >= WINDOW_MS) {
      const { min, max } = this.#delays;
      if (min > LATE_MS || max < -EARLY_MS) return this.#restart(dtsTicks, now, elapsedMs);
      this.#correction = Math.max(-MAX_CORRECTION, Math.min(MAX_CORRECTION, -max / CORRECTION_MS));
      this.#startWindow(elapsedMs);
    }
    return this.#dueTicks(dtsTicks, this.originTicks);
  }

  #dueTicks(dtsTicks: number, originTicks: number): number {
    return (dtsTicks - originTicks) * CLOCK_TICKS_PER_TICK - this.#delayMs * CLOCK_TICKS_PER_MS;
  }

  #originAt(dtsTicks: number, nowTicks: number): number {
    return Math.round(dtsTicks - this.#delayMs * 90 - nowTicks / CLOCK_TICKS_PER_TICK);
  }

  #restart(dtsTicks: number, nowTicks: number, elapsedMs: number): number {
    this.originTicks = this.#originAt(dtsTicks, nowTicks);
    this.#correction = 0;
    this.#startWindow(elapsedMs);
    return this.#dueTicks(dtsTicks, this.originTicks);
  }

  #startWindow(elapsedMs: number): void {
    this.#windowStartMs = elapsedMs;
    this.#delays = { min: Infinity, max: -Infinity };
  }
}
