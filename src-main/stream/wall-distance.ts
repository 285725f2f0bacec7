import { INPUT_TIMESCALE } from '../media/access-unit.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/** Length of a measuring window. Only the earliest arrival in a window counts, because the network has delayed it least. */
const WINDOW_MS = 10_000;
/**
 * Distance above which a correction starts; a running correction continues down to 0. The load of the machine must
 * not cause a correction, because a correction changes the lengths of segments, into which clips must fit.
 */
const TOLERANCE_TICKS = 250 * TICKS_PER_MS;
/**
 * Maximum lateness of the output. If the output is later for `LATE_WINDOWS`, the network is not the cause, and a
 * declared break is needed.
 */
const MAX_LATE_TICKS = INPUT_TIMESCALE;
const LATE_WINDOWS = 3;
/**
 * Maximum time by which the output may be ahead of the wall clock. A break removes a longer time. Up to this time,
 * players that use the clock find enough media in the window.
 */
const MAX_EARLY_TICKS = 10 * INPUT_TIMESCALE;
/** Output ticks for each tick of correction: one in a thousand, and one in a hundred for an input whose clock runs at a wrong rate. */
const TICKS_PER_CORRECTION = 1000;
const TICKS_PER_FAST_CORRECTION = 100;

/**
 * Measures the distance of the output time from the wall clock. Positive: the output is late, because a clock was set or drifts.
 * Small distances are corrected slowly, large ones by a break. All ticks are 90 kHz ticks.
 */
export class WallDistance {
  #windowEndMs = 0;
  #windowStartMs = 0;
  #minimum = Infinity;
  /** Usual lateness of the earliest arrival of a window, negative after a burst; undefined until the end of the first window. */
  #usual: number | undefined;
  /** Lateness of the first unit: 0, or negative if it was placed after media that is ahead of the wall clock. */
  #first = 0;
  #lateWindows = 0;
  /** Remaining distance to correct. */
  #remaining = 0;
  #carryTicks = 0;
  #breakTicks = 0;

  /** Size of the pending break in ticks; 0 if none; negative: backwards. */
  get breakTicks(): number {
    return this.#breakTicks;
  }

  /** Restarts for an anchored input whose first unit is `lateTicks` late. */
  anchored(nowMs: number, lateTicks: number): void {
    this.#usual = undefined;
    this.#first = lateTicks;
    this.#remaining = 0;
    this.#carryTicks = 0;
    this.#startWindow(nowMs);
    this.#minimum = lateTicks;
    // Output that is far ahead here was written before the wall clock was set back.
    this.#judge(lateTicks, 0);
  }

  /** Records that the output was moved by `breakTicks`. */
  broken(nowMs: number): void {
    this.#remaining = 0;
    if (this.#usual === undefined) this.#first -= this.#breakTicks;
    this.#startWindow(nowMs);
  }

  /**
   * Records that the rate of the input is corrected from now on. Until now, the output moved away from the wall
   * clock.
   */
  rateChanged(nowMs: number, lateTicks: number): void {
    this.#usual ??= 0;
    this.#startWindow(nowMs);
    this.#remaining = lateTicks - this.#usual;
  }

  /** Records a step of the wall clock in milliseconds. */
  wallWasSet(byMs: number, nowMs: number): void {
    const ticks = byMs * TICKS_PER_MS;
    this.#remaining += ticks;
    this.#first += ticks;
    this.#startWindow(nowMs);
    this.#judge(this.#remaining, LATE_WINDOWS);
    // The minimum distance was measured before the step.
    if (this.#usual === undefined) this.#minimum = this.#first;
  }

  /** Whether a unit is more than `ticks` ahead of all earlier ones. */
  isAhead(lateTicks: number, ticks: number): boolean {
    return lateTicks < Math.min(this.#minimum, this.#usual ?? this.#minimum) - ticks;
  }

  /**
   * Records a unit.
   *
   * @param lateTicks its lateness on arrival
   * @param stepTicks output time since the last unit
   * @param isFast whether a distance is corrected faster
   * @returns correction of the output from this unit on, in ticks
   */
  note(nowMs: number, lateTicks: number, stepTicks: number, isFast = false): number {
    if (lateTicks < this.#minimum) this.#minimum = lateTicks;
    if (nowMs >= this.#windowEndMs || nowMs < this.#windowStartMs) this.#endWindow(nowMs);
    return this.#remaining === 0
      ? 0
      : this.#correction(stepTicks, isFast ? TICKS_PER_FAST_CORRECTION : TICKS_PER_CORRECTION);
  }

  #startWindow(nowMs: number): void {
    this.#windowStartMs = nowMs;
    this.#windowEndMs = nowMs + WINDOW_MS;
    this.#minimum = Infinity;
    this.#lateWindows = 0;
    this.#breakTicks = 0;
  }

  #endWindow(nowMs: number): void {
    const minimum = this.#minimum;
    this.#usual ??= Math.max(minimum - this.#first, -MAX_EARLY_TICKS);
    const isWorkedOn = this.#remaining !== 0;
    const distance = minimum - this.#usual;
    const lateWindows = distance > MAX_LATE_TICKS ? this.#lateWindows + 1 : 0;
    this.#startWindow(nowMs);
    this.#remaining = Math.abs(distance) > (isWorkedOn ? TICKS_PER_MS : TOLERANCE_TICKS) ? distance : 0;
    this.#judge(distance, lateWindows);
  }

  #judge(distance: number, lateWindows: number): void {
    this.#lateWindows = lateWindows;
    if ((distance > MAX_LATE_TICKS && lateWindows >= LATE_WINDOWS) || distance < -MAX_EARLY_TICKS)
      this.#breakTicks = Math.round(distance);
  }

  #correction(stepTicks: number, perCorrection: number): number {
    if (stepTicks <= 0) return 0;
    this.#carryTicks += Math.min(stepTicks, INPUT_TIMESCALE) / perCorrection;
    const ticks = Math.min(Math.floor(this.#carryTicks), Math.abs(this.#remaining));
    if (ticks === 0) return 0;
    this.#carryTicks -= ticks;
    const move = Math.floor(ticks) * Math.sign(this.#remaining);
    this.#remaining = Math.abs(this.#remaining - move) < 1 ? 0 : this.#remaining - move;
    return move;
  }
}
