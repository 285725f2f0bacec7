import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import { frameSamples, frameTicks } from '../media/timing/frame-samples.ts';
import { MAX_JITTER_MS, SampleCount } from '../media/timing/sample-count.ts';
import { DecodeTimes } from '../media/timing/decode-times.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import { unitRate, unitTicksOf } from '../media/timing/unit-ticks.ts';
import { isSameFormat, type AudioTrack, type Track, type VideoTrack } from '../media/track.ts';

/** Maximum plausible distance between decoding and presentation. */
const MAX_COMPOSITION_TICKS = 10 * INPUT_TIMESCALE;
/** Maximum assumed duration of the last picture of an input. */
const MAX_STEP_TICKS = INPUT_TIMESCALE;
/** Maximum step back of the times of pictures that counts as jitter: later pictures have later times. */
const MAX_PICTURE_JITTER_TICKS = INPUT_TIMESCALE / 10;
/** Duration of a picture, as a share of the mean duration, if the next picture does not have a later time. */
const SQUEEZED = 0.5;
/** Weight of a picture in the mean duration. */
const MEAN_WEIGHT = 1 / 8;
/** Position of an access unit on the output timeline. The object is reused: its values are valid until the next placement. */
export interface Placement {
  /**
   * `place`: the unit goes to these ticks; `drop`: output of its time already exists; `wait`: the clock of the unit has jumped, and
   * other tracks may still have frames from before the jump.
   */
  verdict: 'place' | 'drop' | 'wait';
  /** Whether the output is interrupted before the unit. */
  isDiscontinuity: boolean;
  /** Whether the output goes back with the discontinuity, because the wall clock was set back: earlier output is in the future. */
  isRewind: boolean;
  /** Decoding and presentation time: UTC ticks since 1970 in the timescale of the track. */
  dtsTicks: number;
  ptsTicks: number;
  /** Duration of the unit if no unit follows; output after an interruption starts no earlier than its end. */
  lastsTicks: number;
}

/** Clock of one track: its offset to the output, and the end of its output. */
export abstract class TrackClock {
  readonly id: string;
  readonly isAudio: boolean;
  readonly timescale: number;
  /** Input ticks + offset = UTC in 90 kHz ticks. */
  offset = 0;
  epoch = 0;
  /**
   * Decoding time of its newest unit in input ticks; NaN before the first since the input was anchored. Not undefined, because a
   * field that changes with each unit and is always a number needs no memory of its own for each value.
   */
  lastInput = NaN;
  lastNowMs = 0;
  /** Decoding time of the unit with which the track waits after a jump; undefined while it does not wait. */
  waitsWith: number | undefined;
  /** Newest decoding time as the input gave it, before its rate is corrected; NaN before the first. */
  givenTicks = NaN;
  /** Whether the correction of the input rate leaves its times unchanged, because they belong to another clock. */
  keepsRate = false;
  /** Earliest output time of the next unit; for audio, the time according to the number of samples. */
  next: number;
  protected hasOutput = false;

  protected constructor(track: Track, before: TrackClock | undefined) {
    this.id = track.id;
    this.isAudio = track.content === 'audio';
    this.timescale = track.timescale;
    // Continues after the output of an earlier track with the same id.
    this.next = before ? convertTicks(before.next, before.timescale, track.timescale) + 1 : 0;
  }

  /** Whether the duration of its units is known: of audio frames, and of pictures at a stated frame rate. */
  abstract get knowsDurations(): boolean;
  /** Duration of the content of a unit, in ticks of 90 kHz; not rounded. */
  abstract durationOf(unit: AccessUnit): number;
  /** Replaces the track by a value with the same format. */
  abstract take(track: Track): void;
  /** Decoding time of a unit on the clock of its input. Called once for each unit, in order. */
  abstract decodeTime(unit: AccessUnit): number;
  /** Places a unit at `utc`, its decoding time in ticks of 90 kHz. Returns the end of the unit, in ticks of 90 kHz. */
  abstract place(unit: AccessUnit, dtsTicks: number, utc: number, placement: Placement): number;
  /** Closes open output of the track. */
  abstract close(): void;
  /** Correction with which a decoding time follows the last one; 0 if it already does. */
  abstract missingStep(dtsTicks: number): number;
  /** Whether the track has had no unit since the input was anchored. */
  get isNew(): boolean {
    return Number.isNaN(this.lastInput);
  }

  /** Moves the output back to `utcTicks`, in 90 kHz ticks. */
  rewind(utcTicks: number): void {
    this.next = Math.min(this.next, rescaleUtc(utcTicks, this.timescale));
    this.hasOutput = false;
  }
}

/** Clock of a video track: decoding times rise, and are not after the presentation. */
class VideoClock extends TrackClock {
  #times: DecodeTimes;
  #depth: number | undefined;
  #unitTicks: number;
  /** Stated access units per second. */
  #unitRate: number | undefined;
  #last = 0;
  /** Last step between pictures, and the smaller of the last two. */
  #stepTicks: number;
  #frameTicks: number;
  /** Mean step between pictures. */
  #meanTicks: number;

  constructor(track: VideoTrack, before: TrackClock | undefined) {
    super(track, before);
    this.#unitTicks = unitTicksOf(track);
    this.#unitRate = unitRate(track);
    this.#stepTicks = this.#unitTicks;
    this.#frameTicks = this.#unitTicks;
    this.#meanTicks = this.#unitTicks;
    this.#depth = track.reorderDepth;
    this.#times = new DecodeTimes(this.#depth, this.#unitTicks);
  }

  get knowsDurations(): boolean {
    return (this.#unitRate ?? 0) > 0;
  }

  durationOf(): number {
    return INPUT_TIMESCALE / (this.#unitRate ?? 25);
  }

  take(track: VideoTrack): void {
    this.#unitTicks = unitTicksOf(track);
    this.#unitRate = unitRate(track);
    const depth = track.reorderDepth;
    if (depth === this.#depth) return;
    this.#depth = depth;
    this.#times = new DecodeTimes(depth, this.#unitTicks);
  }

  decodeTime({ dtsTicks, ptsTicks }: AccessUnit): number {
    return this.#times.next(dtsTicks, ptsTicks);
  }

  missingStep(dtsTicks: number): number {
    if (this.isNew || !this.hasOutput) return 0;
    const step = dtsTicks - this.lastInput;
    return step < -MAX_PICTURE_JITTER_TICKS ? Math.round(this.#meanTicks) - step : 0;
  }

  close(): void {
    // The last picture is assumed to be as long as the previous one.
    if (this.hasOutput) this.next = Math.max(this.next, this.#last + this.#frameTicks);
  }

  place(unit: AccessUnit, dtsTicks: number, utc: number, placement: Placement): number {
    const composition = unit.ptsTicks - dtsTicks;
    // Pictures with equal or jittering times need a duration, too. A stated decoding time after the presentation is no jitter.
    const isLate = this.hasOutput && utc < this.next && unit.dtsTicks <= unit.ptsTicks;
    const dts = isLate
      ? Math.max(this.next, Math.round(this.#last + this.#meanTicks * SQUEEZED))
      : Math.max(utc, this.next);
    if (this.hasOutput) {
      this.#meanTicks += (Math.min(dts - this.#last, MAX_STEP_TICKS) - this.#meanTicks) * MEAN_WEIGHT;
      this.#frameTicks = Math.min(dts - this.#last, this.#stepTicks);
      this.#stepTicks = dts - this.#last;
    }
    this.#last = dts;
    this.next = dts + 1;
    this.hasOutput = true;
    const isSane = composition >= 0 && composition <= MAX_COMPOSITION_TICKS;
    placement.dtsTicks = dts;
    placement.ptsTicks = isSane ? Math.max(dts, utc + composition) : dts;
    placement.lastsTicks = Math.min(this.#frameTicks, Math.max(MAX_STEP_TICKS, this.#unitTicks));
    return placement.ptsTicks + Math.max(Math.min(this.#stepTicks, MAX_STEP_TICKS), this.#unitTicks);
  }
}

/**
 * Clock of an audio track: frames are placed by counting samples, however their times jitter. A lasting distance of the times
 * from the count is corrected slowly; a lasting gap in the audio becomes a gap in the output.
 */
class AudioClock extends TrackClock {
  #track: AudioTrack;
  /** Epoch of the last output: samples are counted through jitter, never across a discontinuity. */
  #outputEpoch = 0;
  /**
   * Whether the next frame is the first of a format. Output of the old format is complete, so the frame must not
   * start before its end.
   */
  #isNewFormat = false;
  /** Fraction of a tick that remains after the frames so far. */
  #remainderTicks = 0;
  readonly #count: SampleCount;

  constructor(track: AudioTrack, before: TrackClock | undefined) {
    super(track, before);
    this.#track = track;
    this.#count = new SampleCount(track.timescale);
  }

  get knowsDurations(): boolean {
    return true;
  }

  durationOf({ data }: AccessUnit): number {
    return frameTicks(this.#track, data);
  }

  take(track: AudioTrack): void {
    this.#isNewFormat ||= !isSameFormat(this.#track, track);
    this.#track = track;
  }

  decodeTime({ dtsTicks }: AccessUnit): number {
    return dtsTicks;
  }

  missingStep(): number {
    return 0;
  }

  close(): void {
    // A frame always lasts as long as its samples.
  }

  override rewind(utcTicks: number): void {
    super.rewind(utcTicks);
    this.#outputEpoch = -1;
  }

  place(unit: AccessUnit, _: number, utc: number, placement: Placement): number {
    const { timescale } = this;
    const exactTicks =
      (frameSamples(this.#track, unit.data) * timescale) / this.#track.sampleRate + this.#remainderTicks;
    const unitTicks = Math.floor(exactTicks);
    const actual = rescaleUtc(utc, timescale);
    const isCounted = this.hasOutput && this.#outputEpoch === this.epoch;
    if (isCounted && (actual - this.next) * 1000 < -MAX_JITTER_MS * timescale) {
      // There is more audio than elapsed time. The frame is dropped, so that the audio does not get ahead of the
      // pictures.
      placement.verdict = 'drop';
      return 0;
    }
    const placed = isCounted ? this.#count.outputTicks(actual, this.next, unitTicks) : this.#start(actual);
    const dts = this.#isNewFormat ? Math.max(placed, this.next) : placed;
    this.#isNewFormat = false;
    this.next = dts + unitTicks;
    this.#remainderTicks = exactTicks - unitTicks;
    this.#count.record(actual, unitTicks);
    this.hasOutput = true;
    this.#outputEpoch = this.epoch;
    placement.dtsTicks = dts;
    placement.ptsTicks = dts;
    placement.lastsTicks = unitTicks;
    const seconds = Math.floor(this.next / timescale);
    const remainderTicks = this.next - seconds * timescale;
    return seconds * INPUT_TIMESCALE + Math.ceil((remainderTicks * INPUT_TIMESCALE) / timescale);
  }

  #start(actual: number): number {
    this.#count.reset();
    return Math.max(actual, this.next);
  }
}

/** Creates a clock that continues after the output of the earlier clock of the track. */
export function newClock(track: Track, before: TrackClock | undefined): TrackClock {
  return track.content === 'audio' ? new AudioClock(track, before) : new VideoClock(track, before);
}

/**
 * Converts UTC from 90 kHz ticks to whole ticks of another timescale. Seconds and the rest are converted separately,
 * because the product exceeds 2^53.
 */
export function rescaleUtc(utcTicks: number, timescale: number): number {
  const seconds = Math.floor(utcTicks / INPUT_TIMESCALE);
  const remainder = utcTicks - seconds * INPUT_TIMESCALE;
  return seconds * timescale + Math.round((remainder * timescale) / INPUT_TIMESCALE);
}
