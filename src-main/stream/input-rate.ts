import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import { frameTicks } from '../media/timing/frame-samples.ts';
import type { Track } from '../media/track.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** Distance and maximum number of the observed points: 6.4 s. */
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
/** Maximum deviation of the times from an even rate, and of the content from the wall clock, as shares of their difference. */
const MAX_UNEVEN = 0.15;
/** Maximum deviation of the times from an even rate in ticks; sound with random losses deviates more. */
const MAX_UNEVEN_TICKS = INPUT_TIMESCALE / 5;
const MAX_FROM_WALL = 0.3;
/**
 * A step of the times is right if it differs from the duration of the previous frame by at most this; below: maximum share of
 * right steps at a wrong rate.
 */
const TRUE_STEP_TICKS = 1.1 * TICKS_PER_MS;
const MAX_TRUE_STEPS = 0.1;
/** Minimum difference, as a share, in the advance of the times of another track that shows that it has another clock. */
const MIN_OTHER_CLOCK = 0.15;
/** Maximum distance from the corrected clock; a larger distance is a jump of the times. */
const JUMP_TICKS = INPUT_TIMESCALE / 2;

/** State of the input at the arrival of a unit of the observed track, in 90 kHz ticks. */
interface Point {
  readonly times: number;
  /** Duration of the content so far. */
  readonly content: number;
  readonly wall: number;
  /** Number of units so far, and number of right steps among them. */
  readonly units: number;
  readonly trueSteps: number;
  /** Newest time of each track, in the order of the tracks; NaN before its first unit. */
  readonly newest: readonly number[];
}

/**
 * Corrects the time stamps of encoders whose clock runs at a wrong rate, such as a third of the real one. The duration of the content
 * (audio samples; pictures if there is no audio) proves it: it agrees with the wall clock, and the times advance evenly at another
 * rate. In bursts, as of a file or an HLS input, the times agree with the content; where content is missing, they agree with the wall
 * clock.
 */
export class InputRate {
  #tracks: readonly Track[] = [];
  /** Track whose content is counted. */
  #observed: Track | undefined;
  #content = 0;
  #units = 0;
  #trueSteps = 0;
  /** Expected time of the next unit of the observed track. */
  #nextTicks = 0;
  /** Newest time of each track. An object, because it changes with each unit. */
  readonly #newest = new Map<string, { ticks: number }>();
  #points: Point[] = [];
  /**
   * Mapping of input times: time `from` becomes `to`; `content` is the duration of the content up to then. With factor 1 nothing
   * is corrected.
   */
  #map = { from: 0, to: 0, factor: 1, content: 0 };
  /** Tracks with times of another clock, which are not corrected. */
  readonly #otherClocks = new Set<string>();

  /** Whether the rate of the input is corrected. */
  get isCorrected(): boolean {
    return this.#map.factor !== 1;
  }

  /** Current difference of corrected times from input times, in ticks. */
  get shiftTicks(): number {
    const { from, to, factor } = this.#map;
    const newest = this.#newest.get(this.#observed?.id ?? '')?.ticks ?? from;
    return Math.round(to - from + (newest - from) * (factor - 1));
  }

  /** Sets the tracks of the input. */
  setTracks(tracks: readonly Track[]): void {
    const observed =
      tracks.find(({ content }) => content === 'audio') ??
      tracks.find((track) => track.content === 'video' && (track.fps ?? 0) > 0);
    const isOther = tracks.length !== this.#tracks.length || tracks.some(({ id }, at) => id !== this.#tracks[at]?.id);
    if (isOther || observed?.id !== this.#observed?.id) this.#points = [];
    this.#tracks = tracks;
    this.#observed = observed;
  }

  /** Resets the rate, before another input. */
  reset(): void {
    this.#map = { from: 0, to: 0, factor: 1, content: 0 };
    this.#points = [];
    this.#newest.clear();
    this.#otherClocks.clear();
  }

  /** Unit with corrected times; the same object if no correction is needed. */
  corrected(unit: AccessUnit): AccessUnit {
    const { to, from, factor } = this.#map;
    if ((to === from && factor === 1) || this.#otherClocks.has(unit.trackId)) return unit;
    return { ...unit, dtsTicks: this.#timeOf(unit.dtsTicks), ptsTicks: this.#timeOf(unit.ptsTicks) };
  }

  #timeOf(ticks: number): number {
    const { to, from, factor } = this.#map;
    return Math.round(to + (ticks - from) * factor);
  }

  /**
   * Observes a unit.
   *
   * @param elapsedMs arrival, in milliseconds of a monotonic clock
   * @returns whether the rate was changed; times returned before do not change
   */
  note(unit: AccessUnit, elapsedMs: number): boolean {
    const newest = this.#newest.get(unit.trackId);
    if (newest) newest.ticks = unit.dtsTicks;
    else this.#newest.set(unit.trackId, { ticks: unit.dtsTicks });
    const observed = this.#observed;
    if (unit.trackId !== observed?.id) return false;
    this.#units++;
    if (Math.abs(unit.dtsTicks - this.#nextTicks) <= TRUE_STEP_TICKS) this.#trueSteps++;
    const wall = elapsedMs * TICKS_PER_MS;
    const last = this.#points.at(-1);
    let isChanged = false;
    if (!last || Math.abs(wall - last.wall) >= POINT_MS * TICKS_PER_MS) {
      this.#addPoint(unit.dtsTicks, wall);
      if (this.isCorrected) this.#refine(unit.dtsTicks);
      isChanged = this.#judge();
    }
    const durationTicks = durationOf(observed, unit);
    this.#content += durationTicks;
    this.#nextTicks = unit.dtsTicks + durationTicks;
    return isChanged;
  }

  #addPoint(times: number, wall: number): void {
    const newest = this.#tracks.map(({ id }) => this.#newest.get(id)?.ticks ?? NaN);
    const [content, units, trueSteps] = [this.#content, this.#units, this.#trueSteps];
    this.#points.push({ times, content, wall, units, trueSteps, newest });
    if (this.#points.length > MAX_POINTS) this.#points.shift();
  }

  #judge(): boolean {
    const first = this.#points[0];
    const last = this.#points.at(-1);
    if (!first || !last || this.#points.length < MIN_POINTS) return false;
    const content = last.content - first.content;
    const times = last.times - first.times;
    const rate = times / content;
    const difference = Math.abs(times - content);
    const isEven = (of: (point: Point) => number, limit: number): boolean =>
      this.#points.every((point) => Math.abs(of(point) - of(first)) <= limit);
    if (this.isCorrected) {
      if (this.#points.length < MIN_RIGHT_POINTS) return false;
      const isRight =
        Math.abs(rate - 1) < MIN_WRONG / 2
          ? isEven((point) => point.times - point.content, MIN_DIFFERENCE_TICKS / 2)
          : isEven((point) => point.times - point.wall, difference * MAX_FROM_WALL);
      if (isRight) this.#end(last.times);
      return isRight;
    }
    const isWrong =
      rate > MIN_RATE &&
      rate < MAX_RATE &&
      Math.abs(rate - 1) >= MIN_WRONG &&
      difference >= MIN_DIFFERENCE_TICKS &&
      last.trueSteps - first.trueSteps <= (last.units - first.units) * MAX_TRUE_STEPS &&
      isEven((point) => point.times - point.content * rate, Math.min(difference * MAX_UNEVEN, MAX_UNEVEN_TICKS)) &&
      isEven((point) => point.content - point.wall, Math.min(difference, content) * MAX_FROM_WALL);
    if (isWrong) this.#start(first, last, rate);
    return isWrong;
  }

  #start(first: Point, last: Point, rate: number): void {
    const times = last.times - first.times;
    const to = this.#timeOf(last.times);
    this.#map = { from: last.times, to, factor: 1 / rate, content: last.content };
    this.#otherClocks.clear();
    for (const [at, { id }] of this.#tracks.entries()) {
      const advanced = (last.newest[at] ?? NaN) - (first.newest[at] ?? NaN);
      if (Math.abs(advanced - times) > times * MIN_OTHER_CLOCK + MIN_DIFFERENCE_TICKS / 2) this.#otherClocks.add(id);
    }
    this.#points = [last];
  }

  /** Makes the corrected times advance with the content; after a jump they continue with the current factor. */
  #refine(times: number): void {
    const { from, to, factor, content } = this.#map;
    const elapsed = times - from;
    const corrected = elapsed * factor;
    const counted = this.#content - content;
    if (Math.abs(corrected - counted) > JUMP_TICKS)
      this.#map = { from: times, to: Math.round(to + corrected), factor, content: this.#content };
    else if (counted > JUMP_TICKS && elapsed > 0) this.#map.factor = counted / elapsed;
  }

  /** Ends the correction: from the corrected time on, the times advance at their own rate again. */
  #end(times: number): void {
    const to = this.#timeOf(times);
    this.#map = { from: times, to, factor: 1, content: this.#content };
    this.#points = this.#points.slice(-1);
  }
}

/** Duration of the content of a unit in ticks. */
function durationOf(track: Track, unit: AccessUnit): number {
  if (track.content === 'audio') return frameTicks(track, unit.data);
  return track.content === 'video' ? INPUT_TIMESCALE / (track.fps ?? 25) : 0;
}
