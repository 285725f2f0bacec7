import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import type { TrackClock } from './track-clock.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** Interval of the observed points, and their maximum number: 6.4 s of input. */
const POINT_MS = 100;
const MAX_POINTS = 64;
const MIN_POINTS = 6;
/** Minimum number of points that show that a corrected input runs at the right rate again. */
const MIN_RIGHT_POINTS = 32;
/** Minimum difference of a rate from 1 that is corrected here; smaller differences are drift, which other corrections remove. */
const MIN_WRONG = 0.1;
/** Minimum and maximum rate that is corrected. Other rates come from bursts with equal times, or from content that pauses. */
const MIN_RATE = 0.2;
const MAX_RATE = 10;
/** Minimum difference of the times from the content, in ticks. */
const MIN_DIFFERENCE_TICKS = 0.4 * INPUT_TIMESCALE;
/** Maximum deviation of the times from an even rate, as a share of the difference of times and content. */
const MAX_UNEVEN = 0.15;
/**
 * Maximum deviation of the times from an even rate, in ticks. Audio with random losses deviates more than a share of
 * the difference.
 */
const MAX_UNEVEN_TICKS = INPUT_TIMESCALE / 5;
/** Maximum deviation of the content from the wall clock, as a share of the difference of times and content. */
const MAX_FROM_WALL = 0.3;
/** Maximum difference between a true step of the times and the duration of the previous frame. */
const TRUE_STEP_TICKS = 1.1 * TICKS_PER_MS;
/** Maximum share of true steps at a wrong rate. */
const MAX_TRUE_STEPS = 0.1;
/**
 * Minimum difference of the rate of a track from the observed rate, as a share, from which the track has another
 * clock.
 */
const MIN_OTHER_CLOCK = 0.15;
/** Maximum distance from the corrected clock; a larger distance is a jump of the times. */
const JUMP_TICKS = INPUT_TIMESCALE / 2;

/**
 * Fields of a point, which is the state of the input at the arrival of a unit of the observed track: times, duration
 * of the content so far and wall clock in 90 kHz ticks, number of units so far and of true steps among them. The
 * newest time of each track follows; NaN before its first unit.
 */
const TIMES = 0;
const CONTENT = 1;
const WALL = 2;
const UNITS = 3;
const TRUE_STEPS = 4;
const NEWEST = 5;

/**
 * Mapping of input times: time `from` of the input becomes `to`; `content` was its content until then. A factor of 1
 * only shifts the times.
 */
interface RateMap {
  readonly from: number;
  readonly to: number;
  factor: number;
  readonly content: number;
}

/**
 * Corrects the time stamps of encoders whose clock runs at a wrong rate, such as a third of the real one. The
 * duration of the content (audio samples; pictures if there is no audio) proves that the rate is wrong: the content
 * agrees with the wall clock, and the times advance evenly at another rate. With a right rate, the times agree with
 * the content in bursts, such as from a file or an HLS input, and with the wall clock if content is missing.
 */
export class InputRate {
  #clocks: readonly TrackClock[] = [];
  /** Clock of the track whose content is counted. */
  #observed: TrackClock | undefined;
  #content = 0;
  #units = 0;
  #trueSteps = 0;
  /** Expected time of the next unit of the observed track. */
  #nextTicks = 0;
  /** Ring of points. One block of memory, because hundreds of streams add points continuously. */
  #points = new Float64Array(0);
  #width = NEWEST;
  #firstPoint = 0;
  #pointCount = 0;
  /** Wall clock of the newest point; NaN without points. */
  #pointWall = NaN;
  #map: RateMap | undefined;

  /** Whether the rate of the input is corrected. */
  get isCorrected(): boolean {
    return this.#map !== undefined && this.#map.factor !== 1;
  }

  /** Current difference of corrected times from input times, in ticks. */
  get shiftTicks(): number {
    if (!this.#map) return 0;
    const { from, to, factor } = this.#map;
    const newest = this.#observed?.givenTicks ?? NaN;
    return Math.round(to - from + (Number.isNaN(newest) ? 0 : newest - from) * (factor - 1));
  }

  /** Sets the clocks of the tracks of the input. */
  setClocks(clocks: readonly TrackClock[]): void {
    const observed = clocks.find(({ isAudio }) => isAudio) ?? clocks.find(({ knowsDurations }) => knowsDurations);
    const isOther = clocks.length !== this.#clocks.length || clocks.some(({ id }, at) => id !== this.#clocks[at]?.id);
    if (isOther || observed?.id !== this.#observed?.id) this.#clearPoints(clocks.length);
    this.#clocks = clocks;
    this.#observed = observed;
  }

  /** Resets the rate, before another input. */
  reset(): void {
    this.#map = undefined;
    this.#clearPoints(this.#clocks.length);
    for (const clock of this.#clocks) {
      clock.givenTicks = NaN;
      clock.keepsRate = false;
    }
  }

  /** Unit with corrected times; the same object if there is nothing to correct. */
  corrected(unit: AccessUnit, clock: TrackClock): AccessUnit {
    if (!this.#map || clock.keepsRate) return unit;
    return { ...unit, dtsTicks: this.#timeOf(unit.dtsTicks), ptsTicks: this.#timeOf(unit.ptsTicks) };
  }

  #timeOf(ticks: number): number {
    if (!this.#map) return ticks;
    const { to, from, factor } = this.#map;
    return Math.round(to + (ticks - from) * factor);
  }

  /**
   * Observes a unit.
   * @param clock clock of its track
   * @param elapsedMs arrival, in milliseconds of a monotonic clock
   * @returns whether the rate was changed; times that were returned before do not change
   */
  note(unit: AccessUnit, clock: TrackClock, elapsedMs: number): boolean {
    clock.givenTicks = unit.dtsTicks;
    if (clock !== this.#observed) return false;
    this.#units++;
    if (Math.abs(unit.dtsTicks - this.#nextTicks) <= TRUE_STEP_TICKS) this.#trueSteps++;
    const wall = elapsedMs * TICKS_PER_MS;
    let isChanged = false;
    if (!(Math.abs(wall - this.#pointWall) < POINT_MS * TICKS_PER_MS)) {
      this.#addPoint(unit.dtsTicks, wall);
      if (this.isCorrected) this.#refine(unit.dtsTicks);
      isChanged = this.#judge();
    }
    const durationTicks = clock.durationOf(unit);
    this.#content += durationTicks;
    this.#nextTicks = unit.dtsTicks + durationTicks;
    return isChanged;
  }

  #clearPoints(tracks: number): void {
    this.#width = NEWEST + tracks;
    this.#points = new Float64Array(MAX_POINTS * this.#width);
    this.#pointCount = 0;
    this.#pointWall = NaN;
  }

  /** Forgets all points but the newest. */
  #keepNewestPoint(): void {
    this.#firstPoint += this.#pointCount - 1;
    this.#pointCount = 1;
  }

  #addPoint(times: number, wall: number): void {
    if (this.#pointCount === MAX_POINTS) this.#firstPoint++;
    else this.#pointCount++;
    this.#pointWall = wall;
    const points = this.#points;
    const start = ((this.#firstPoint + this.#pointCount - 1) % MAX_POINTS) * this.#width;
    points[start + TIMES] = times;
    points[start + CONTENT] = this.#content;
    points[start + WALL] = wall;
    points[start + UNITS] = this.#units;
    points[start + TRUE_STEPS] = this.#trueSteps;
    for (let at = 0; at < this.#clocks.length; at++) points[start + NEWEST + at] = this.#clocks[at]!.givenTicks;
  }

  /** Value of a point, counted from the oldest. */
  #value(point: number, field: number): number {
    return this.#points[((this.#firstPoint + point) % MAX_POINTS) * this.#width + field] ?? NaN;
  }

  /** Increase of a value over all points. */
  #increase(field: number): number {
    return this.#value(this.#pointCount - 1, field) - this.#value(0, field);
  }

  /** Whether a value minus a multiple of another differs from its first by at most `limit` in all points. */
  #isEven(field: number, from: number, factor: number, limit: number): boolean {
    const first = this.#value(0, field) - this.#value(0, from) * factor;
    for (let point = 1; point < this.#pointCount; point++)
      if (!(Math.abs(this.#value(point, field) - this.#value(point, from) * factor - first) <= limit)) return false;
    return true;
  }

  #judge(): boolean {
    if (this.#pointCount < MIN_POINTS) return false;
    const content = this.#increase(CONTENT);
    const times = this.#increase(TIMES);
    const rate = times / content;
    const difference = Math.abs(times - content);
    if (this.isCorrected) {
      if (this.#pointCount < MIN_RIGHT_POINTS) return false;
      const isRight =
        Math.abs(rate - 1) < MIN_WRONG / 2
          ? this.#isEven(TIMES, CONTENT, 1, MIN_DIFFERENCE_TICKS / 2)
          : this.#isEven(TIMES, WALL, 1, difference * MAX_FROM_WALL);
      if (isRight) this.#end();
      return isRight;
    }
    const isWrong =
      rate > MIN_RATE &&
      rate < MAX_RATE &&
      Math.abs(rate - 1) >= MIN_WRONG &&
      difference >= MIN_DIFFERENCE_TICKS &&
      this.#increase(TRUE_STEPS) <= this.#increase(UNITS) * MAX_TRUE_STEPS &&
      this.#isEven(TIMES, CONTENT, rate, Math.min(difference * MAX_UNEVEN, MAX_UNEVEN_TICKS)) &&
      this.#isEven(CONTENT, WALL, 1, Math.min(difference, content) * MAX_FROM_WALL);
    if (isWrong) this.#start(times, rate);
    return isWrong;
  }

  #start(times: number, rate: number): void {
    const newest = this.#pointCount - 1;
    const from = this.#value(newest, TIMES);
    // Audio keeps its duration, so with a slow clock the video is late.
    const behind = this.#increase(CONTENT) - times;
    const to = this.#timeOf(from) + (behind > 0 && behind <= JUMP_TICKS ? behind : 0);
    this.#map = { from, to, factor: 1 / rate, content: this.#value(newest, CONTENT) };
    for (const [at, clock] of this.#clocks.entries()) {
      const advanced = this.#increase(NEWEST + at);
      clock.keepsRate = Math.abs(advanced - times) > times * MIN_OTHER_CLOCK + MIN_DIFFERENCE_TICKS / 2;
    }
    this.#keepNewestPoint();
  }

  /** Makes the corrected times advance with the content; after a jump they continue with the current factor. */
  #refine(times: number): void {
    if (!this.#map) return;
    const { from, to, factor, content } = this.#map;
    const elapsed = times - from;
    const corrected = elapsed * factor;
    const counted = this.#content - content;
    if (Math.abs(corrected - counted) > JUMP_TICKS)
      this.#map = { from: times, to: Math.round(to + corrected), factor, content: this.#content };
    else if (counted > JUMP_TICKS && elapsed > 0) this.#map.factor = counted / elapsed;
  }

  /** Ends the correction: the times advance at their own rate again, from the corrected time on. */
  #end(): void {
    const from = this.#value(this.#pointCount - 1, TIMES);
    this.#map = { from, to: this.#timeOf(from), factor: 1, content: this.#content };
    this.#keepNewestPoint();
  }
}
