import type { Clock } from '../../lib/clock.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** Lag that is made up for at once; after a longer one the pace goes on from where it stands, and what is behind stays late. */
const MAX_LAG_MS = 250;
/** A step of the times that is not waited out. */
const MAX_STEP_MS = 10_000;
/** Shortest wait, so that every frame need not wake the thread on its own. */
const MIN_WAIT_MS = 20;
/** Access units that may pass without a rest, whatever their times say. */
const MAX_UNITS = 1000;
const REST_MS = 10;
/** How fast a distance from the live edge that has grown too long is made up for. */
const CATCH_UP_RATE = 1.25;

/** When what comes in bursts is handed on: evenly, by its decoding times, against a clock. */
export class EvenPace {
  readonly #clock: Clock;
  #anchorMs = Number.NaN;
  #anchorTicks = 0;
  /** Latest decoding time so far: tracks that lie behind the others set no pace. */
  #lastTicks = 0;
  #rate = 1;
  #units = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it goes faster than the media, to come nearer to the live edge. */
  get isCatchingUp(): boolean {
    return this.#rate > 1;
  }

  /** When the media of this decoding time is due, in epoch milliseconds; now before the first. */
  dueMs(dtsTicks: number): number {
    if (Number.isNaN(this.#anchorMs)) return this.#clock.now();
    return this.#anchorMs + (dtsTicks - this.#anchorTicks) / TICKS_PER_MS / this.#rate;
  }

  /** How long to wait before the access unit of this decoding time; 0 to hand it on. */
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
    return REST_MS;
  }

  /**
   * Takes note of how much media waits, and speeds up while it is too much.
   *
   * @param keepMs what should wait
   * @param slackMs what may wait besides, because it comes in such pieces
   */
  settle(aheadMs: number, keepMs: number, slackMs: number): void {
    if (aheadMs > keepMs + 1.5 * slackMs) this.#setRate(CATCH_UP_RATE);
    else if (aheadMs <= keepMs + 0.5 * slackMs) this.#setRate(1);
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
