import type { Clock } from '../../lib/clock.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** Most media time that is let through at once when the pacer is late. */
const BURST_MS = 100;
/** Most access units that are let through at once, whatever their times say. */
const BURST_UNITS = 1000;
/** Rest between two bursts: lost time is made up for at ten times the pace. */
const REST_MS = 10;
/** Shortest sleep, so that every frame need not wake the thread on its own. */
const MIN_SLEEP_MS = 20;
/** A step of the times, or a lag, that is not made up for: the pacer starts anew from here. */
const LOST_MS = 10_000;

/** Holds a reader to the pace of the media times that it gives. */
export class Pacer {
  readonly #clock: Clock;
  #firstDueMs: number | undefined;
  #anchorMs = 0;
  #anchorTicks = Number.NaN;
  #lastTicks = 0;
  #burstTicks = 0;
  #burstUnits = 0;
  #wake: (() => void) | undefined;
  #isClosed = false;

  /** @param firstDueMs when the first media is due, in epoch milliseconds; without it when it comes */
  constructor(clock: Clock, firstDueMs?: number) {
    this.#clock = clock;
    this.#firstDueMs = firstDueMs;
  }

  /**
   * Takes note that the media is at `dtsTicks`, after so many access units more.
   *
   * @returns a promise when the reader has to wait before it goes on
   */
  pace(dtsTicks: number, units: number): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    const now = this.#clock.now();
    if (this.#firstDueMs !== undefined) {
      this.#lastTicks = dtsTicks;
      this.#anchor(this.#firstDueMs, dtsTicks);
      this.#firstDueMs = undefined;
    }
    const isStep = Math.abs(dtsTicks - this.#lastTicks) > LOST_MS * TICKS_PER_MS;
    if (Number.isNaN(this.#anchorTicks) || isStep || now - this.#dueMs(dtsTicks) > LOST_MS) this.#anchor(now, dtsTicks);
    this.#lastTicks = dtsTicks;
    this.#burstUnits += units;
    const aheadMs = this.#dueMs(dtsTicks) - now;
    if (aheadMs > 0) return this.#sleep(Math.max(MIN_SLEEP_MS, aheadMs));
    const isLong = dtsTicks - this.#burstTicks >= BURST_MS * TICKS_PER_MS || this.#burstUnits >= BURST_UNITS;
    return isLong ? this.#sleep(REST_MS) : undefined;
  }

  /** Ends the wait that is going on, and every later one. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  #dueMs(dtsTicks: number): number {
    return this.#anchorMs + (dtsTicks - this.#anchorTicks) / TICKS_PER_MS;
  }

  #anchor(nowMs: number, dtsTicks: number): void {
    this.#anchorMs = nowMs;
    this.#anchorTicks = dtsTicks;
    this.#burstTicks = dtsTicks;
  }

  #sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(delayMs, () => {
        this.#wake?.();
      });
      this.#wake = () => {
        this.#wake = undefined;
        this.#burstTicks = this.#lastTicks;
        this.#burstUnits = 0;
        cancel();
        resolve();
      };
    });
  }
}
