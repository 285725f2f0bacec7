import { INPUT_TIMESCALE } from '../media/access-unit.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/** Arrivals in this time are judged by the earliest of them: the one that the network has delayed least. */
const WINDOW_MS = 10_000;
/**
 * A distance is worked off from here on until it is gone. Moving the output changes the lengths of segments, into which clips have to fit, so a loaded
 * machine must not cause it.
 */
const TOLERANCE_TICKS = 250 * TICKS_PER_MS;
/** Output that is later than this for `LATE_WINDOWS` is not delayed by the network: it needs a declared break. */
const MAX_LATE_TICKS = INPUT_TIMESCALE;
const LATE_WINDOWS = 3;
/** Output that is ahead by more than this would have to go back. Below it, players that go by the clock find enough in the window. */
const MAX_EARLY_TICKS = 10 * INPUT_TIMESCALE;
/** Ticks in which the output is moved by one tick, while a distance is worked off: one in a thousand. */
const TICKS_PER_CORRECTION = 1000;

/**
 * Distance of the output time from the wall clock. Positive: the output is late, because a clock was set or does not run as the other
 * one. Small distances are worked off slowly, large ones need a break. All ticks are of 90 kHz.
 */
export class WallDistance {
  #windowEndMs = 0;
  #windowStartMs = 0;
  #least = Infinity;
  /** Lateness of the earliest arrivals that an output on time has; undefined until the first window is over. */
  #usual: number | undefined;
  /** Lateness of the unit that was anchored: below 0 where the output was used up already. */
  #first = 0;
  #lateWindows = 0;
  /** Part of the distance that is still to be worked off. */
  #rest = 0;
  #carryTicks = 0;
  #breakTicks = 0;

  /** Ticks by which the output has to be moved by a break; 0 while there is none to make. Below 0: back. */
  get breakTicks(): number {
    return this.#breakTicks;
  }

  /** Starts anew: an input was anchored, with its first unit `lateTicks` behind the wall clock. */
  anchored(nowMs: number, lateTicks: number): void {
    this.#usual = undefined;
    this.#first = lateTicks;
    this.#rest = 0;
    this.#carryTicks = 0;
    this.#startWindow(nowMs);
    this.#least = lateTicks;
  }

  /** The output was moved by `breakTicks`. */
  broken(nowMs: number): void {
    this.#rest = 0;
    if (this.#usual === undefined) this.#first -= this.#breakTicks;
    this.#startWindow(nowMs);
  }

  /** The wall clock was set by so many milliseconds. */
  wallWasSet(byMs: number, nowMs: number): void {
    const ticks = byMs * TICKS_PER_MS;
    this.#rest += ticks;
    this.#first += ticks;
    this.#startWindow(nowMs);
    this.#judge(this.#rest, LATE_WINDOWS);
    // What the window before has shown is over.
    if (this.#usual === undefined) this.#least = this.#first;
  }

  /** Whether a unit so late, or early, is further ahead than any before it by more than `ticks`. */
  isAhead(lateTicks: number, ticks: number): boolean {
    return lateTicks < Math.min(this.#least, this.#usual ?? this.#least) - ticks;
  }

  /**
   * Takes note of a unit.
   *
   * @param lateTicks its lateness on arrival
   * @param stepTicks output time since the last one
   * @returns ticks by which the output is to be moved from here on
   */
  note(nowMs: number, lateTicks: number, stepTicks: number): number {
    if (lateTicks < this.#least) this.#least = lateTicks;
    if (nowMs >= this.#windowEndMs || nowMs < this.#windowStartMs) this.#endWindow(nowMs);
    return this.#rest === 0 ? 0 : this.#correction(stepTicks);
  }

  #startWindow(nowMs: number): void {
    this.#windowStartMs = nowMs;
    this.#windowEndMs = nowMs + WINDOW_MS;
    this.#least = Infinity;
    this.#lateWindows = 0;
    this.#breakTicks = 0;
  }

  #endWindow(nowMs: number): void {
    const least = this.#least;
    this.#usual ??= least - this.#first;
    const isWorkedOn = this.#rest !== 0;
    const distance = least - this.#usual;
    const lateWindows = distance > MAX_LATE_TICKS ? this.#lateWindows + 1 : 0;
    this.#startWindow(nowMs);
    this.#rest = Math.abs(distance) > (isWorkedOn ? TICKS_PER_MS : TOLERANCE_TICKS) ? distance : 0;
    this.#judge(distance, lateWindows);
  }

  #judge(distance: number, lateWindows: number): void {
    this.#lateWindows = lateWindows;
    if ((distance > MAX_LATE_TICKS && lateWindows >= LATE_WINDOWS) || distance < -MAX_EARLY_TICKS)
      this.#breakTicks = Math.round(distance);
  }

  #correction(stepTicks: number): number {
    if (stepTicks <= 0) return 0;
    this.#carryTicks += Math.min(stepTicks, INPUT_TIMESCALE) / TICKS_PER_CORRECTION;
    const ticks = Math.min(Math.floor(this.#carryTicks), Math.abs(this.#rest));
    if (ticks === 0) return 0;
    this.#carryTicks -= ticks;
    const move = Math.floor(ticks) * Math.sign(this.#rest);
    this.#rest = Math.abs(this.#rest - move) < 1 ? 0 : this.#rest - move;
    return move;
  }
}
