/**
 * Maximum difference between audio times and the sample count that counts as bursts and jitter, if the mean of the
 * times agrees with the count.
 */
export const MAX_JITTER_MS = 1000;
/** A distance from the sample count that is at least `MIN_GAP_MS` in all frames of `GAP_MS` is a gap in the audio. */
const MIN_GAP_MS = 60;
const GAP_MS = 1000;
/**
 * Frame times are steady if their steps differ by less than `STEADY_MS` from the frame length. After `STEADY_FRAMES` steady frames,
 * a longer step counts as a gap at once.
 */
const STEADY_MS = 4;
const STEADY_FRAMES = 32;
/** Minimum length of a gap, as a share of the frame before it: a shorter gap is jitter. */
const MIN_LOST_FRAMES = 0.75;
/** Replaces `STEADY_FRAMES` after a false gap: one longer step that later frames compensated. */
const DOUBTFUL_FRAMES = 512;
/** Averaging time of the distance from the sample count, and time constant of its correction. */
const MEAN_MS = 2000;
const WORK_OFF_MS = 3000;
/** Mean distance below which no correction is made: it is inaudible. */
const TOLERANCE_MS = 5;
/** Maximum correction of an audio frame, as a share of its length; larger for audio with losses. */
const MAX_CORRECTION = 1 / 50;
const MAX_LOSS_CORRECTION = 1 / 10;

/**
 * Computes the times of audio frames by counting samples, so that jitter of their times has no effect. A lasting distance of
 * the times from the count is corrected slowly; a lasting gap in the audio becomes a gap in the output. Times are in ticks of
 * one timescale.
 */
export class SampleCount {
  readonly #timescale: number;
  /** Mean distance of the times from the sample count, in ticks of the track. */
  #mean = 0;
  /** Remaining fraction of a tick of the correction. */
  #carry = 0;
  /** Time of the last frame according to the input, and number of steady frames since the last irregular one. */
  #lastActual = 0;
  #steadyFrames = 0;
  /** Steady frames after which a longer step counts as a gap. */
  #neededFrames = STEADY_FRAMES;
  /** Length of the last frame. */
  #lastTicks = 0;
  /** Minimum distance in the last `#watchedTicks` ticks. */
  #minDistance = Infinity;
  #watchedTicks = 0;

  constructor(timescale: number) {
    this.#timescale = timescale;
  }

  /** Restarts after an interruption. */
  reset(): void {
    this.#mean = 0;
    this.#carry = 0;
    this.#minDistance = Infinity;
    this.#watchedTicks = 0;
    this.#steadyFrames = 0;
  }

  /**
   * Returns the output time of a frame.
   *
   * @param actual its input time
   * @param next its time by the samples before it
   */
  outputTicks(actual: number, next: number, unitTicks: number): number {
    const timescale = this.#timescale;
    const late = actual - next;
    if (late * 1000 > MAX_JITTER_MS * timescale) {
      this.reset();
      return actual;
    }
    const gap = this.#lostTicks(actual) || this.#gap(late, unitTicks);
    if (gap > 0) return next + gap;
    // If frames have one common time, the time of the first frame is right.
    if (Math.abs(actual - this.#lastActual) * 1000 > STEADY_MS * timescale)
      this.#mean += (late - this.#mean) * Math.min(1, (unitTicks * 1000) / (MEAN_MS * timescale));
    if (Math.abs(this.#mean) * 1000 < TOLERANCE_MS * timescale) return next;
    const correction = (this.#mean * unitTicks * 1000) / (WORK_OFF_MS * timescale);
    const isLoss = this.#mean * 1000 > MIN_GAP_MS * timescale;
    const maxCorrection = unitTicks * (isLoss ? MAX_LOSS_CORRECTION : MAX_CORRECTION);
    this.#carry += Math.max(-unitTicks * MAX_CORRECTION, Math.min(maxCorrection, correction));
    const move = Math.trunc(this.#carry);
    this.#carry -= move;
    return next + move;
  }

  /** Records a frame that was placed. @param actual its time according to the input */
  record(actual: number, unitTicks: number): void {
    this.#lastActual = actual;
    this.#lastTicks = unitTicks;
  }

  /** Length of the gap before a frame; 0 if there is none, or if times jitter too much. */
  #lostTicks(actual: number): number {
    const lost = actual - this.#lastActual - this.#lastTicks;
    const tolerance = (STEADY_MS * this.#timescale) / 1000;
    if (lost < -tolerance) {
      this.#steadyFrames = 0;
      this.#neededFrames = DOUBTFUL_FRAMES;
    } else if (lost <= tolerance) {
      if (++this.#steadyFrames >= DOUBTFUL_FRAMES) this.#neededFrames = STEADY_FRAMES;
    } else if (lost >= this.#lastTicks * MIN_LOST_FRAMES && this.#steadyFrames >= this.#neededFrames) return lost;
    return 0;
  }

  /** Length of a gap confirmed by all frames of `GAP_MS`; 0 if there is none. */
  #gap(late: number, unitTicks: number): number {
    if (late < this.#minDistance) this.#minDistance = late;
    this.#watchedTicks += unitTicks;
    if (this.#watchedTicks * 1000 < GAP_MS * this.#timescale) return 0;
    const minDistance = this.#minDistance;
    this.#minDistance = Infinity;
    this.#watchedTicks = 0;
    if (minDistance * 1000 < MIN_GAP_MS * this.#timescale) return 0;
    this.#mean = 0;
    return minDistance;
  }
}
