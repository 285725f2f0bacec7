import type { Clock } from '../../lib/clock.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** Maximum media time emitted at once when the pacer is late. */
const BURST_MS = 100;
/** Maximum number of access units emitted at once, for any times. */
const BURST_UNITS = 1000;
/** Pause between two bursts. With it, a late pacer runs at ten times the normal pace. */
const PAUSE_MS = 10;
/** Minimum sleep, so that not every frame wakes the thread. */
const MIN_SLEEP_MS = 20;
/** Jump of the times, or delay, after which the pacer restarts at the current time. */
const LOST_MS = 10_000;

/** Limits a reader to the pace of its media times. */
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

  /** @param firstDueMs time at which the first media is due, in epoch milliseconds; default: at its arrival */
  constructor(clock: Clock, firstDueMs?: number) {
    this.#clock = clock;
    this.#firstDueMs = firstDueMs;
  }

  /** Records that the media is at `dtsTicks`, after `units` more access units. @returns a promise if the reader has to wait */
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
    return isLong ? this.#sleep(PAUSE_MS) : undefined;
  }

  /** Ends the current wait and all later ones. */
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
