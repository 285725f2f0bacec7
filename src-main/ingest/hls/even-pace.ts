import type { Clock } from '../../lib/clock.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/**
 * Maximum delay for which the pace catches up at once. After a longer delay it continues from the current media time.
 */
const MAX_LAG_MS = 250;
/** Maximum step of decoding times that counts as a pause; a larger step is a jump. */
const MAX_STEP_MS = 10_000;
/** Minimum wait, so that not every frame wakes the thread. */
const MIN_WAIT_MS = 20;
/** Maximum number of access units without a wait, for any times; then a wait of `PAUSE_MS` follows. */
const MAX_UNITS = 1000;
const PAUSE_MS = 10;
/** Speed of catching up when the distance from the live edge is too long. */
const CATCH_UP_RATE = 1.25;

/** Paces units that arrive in bursts: evenly, by decoding time, against a clock. */
export class EvenPace {
  readonly #clock: Clock;
  #anchorMs = Number.NaN;
  #anchorTicks = 0;
  /** Latest decoding time so far. Tracks that lag behind it do not set the pace. */
  #lastTicks = 0;
  #rate = 1;
  #units = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it runs faster than the media to approach the live edge. */
  get isCatchingUp(): boolean {
    return this.#rate > 1;
  }

  /** Time at which media with this decoding time is due, in epoch milliseconds; the current time before the first unit. */
  dueMs(dtsTicks: number): number {
    if (Number.isNaN(this.#anchorMs)) return this.#clock.now();
    return this.#anchorMs + (dtsTicks - this.#anchorTicks) / TICKS_PER_MS / this.#rate;
  }

  /** Wait before the access unit with this decoding time, in milliseconds; 0 for none. */
  waitMs(dtsTicks: number): number {
    const now = this.#clock.now();
    const aheadMs = this.dueMs(dtsTicks) - now;
    const stepMs = (dtsTicks - this.#lastTicks) / TICKS_PER_MS;
    const isLate = aheadMs < -MAX_LAG_MS && stepMs > 0;
    if (Number.isNaN(this.#anchorMs) || isLate || aheadMs > MAX_STEP_MS || stepMs < -MAX_STEP_MS) {
      this.#anchor(now, dtsTicks);
      return 0;
    }
    if (aheadMs > 0) {
      this.#units = 0;
      return Math.max(MIN_WAIT_MS, aheadMs);
    }
    this.#lastTicks = Math.max(this.#lastTicks, dtsTicks);
    if (++this.#units < MAX_UNITS) return 0;
    this.#units = 0;
    return PAUSE_MS;
  }

  /**
   * Adjusts the speed to the amount of waiting media. All times are milliseconds.
   * @param aheadMs media that is waiting
   * @param targetMs media that should be waiting
   * @param slackMs additional media that may wait because media arrives in segments or parts
   */
  settle(aheadMs: number, targetMs: number, slackMs: number): void {
    if (aheadMs > targetMs + 1.5 * slackMs) this.#setRate(CATCH_UP_RATE);
    else if (aheadMs <= targetMs + 0.5 * slackMs) this.#setRate(1);
  }

  #setRate(rate: number): void {
    if (rate === this.#rate) return;
    if (!Number.isNaN(this.#anchorMs)) {
      const now = this.#clock.now();
      this.#anchorTicks += (now - this.#anchorMs) * TICKS_PER_MS * this.#rate;
      this.#anchorMs = now;
    }
    this.#rate = rate;
  }

  #anchor(nowMs: number, dtsTicks: number): void {
    this.#anchorMs = nowMs;
    this.#anchorTicks = dtsTicks;
    this.#lastTicks = dtsTicks;
  }
}
