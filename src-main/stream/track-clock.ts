import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import { frameSamples } from '../media/codecs/frame-samples.ts';
import { DecodeTimes } from '../media/timing/decode-times.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import type { AudioTrack, Track, VideoTrack } from '../media/track.ts';

/** Maximum plausible distance between decoding and presentation. */
const MAX_COMPOSITION_TICKS = 10 * INPUT_TIMESCALE;
/** Maximum assumed duration of the last picture of an input. */
const MAX_STEP_TICKS = INPUT_TIMESCALE;
/** Audio times that differ from the sample count by up to this are bursts and jitter, if their mean agrees with the count. */
const MAX_JITTER_MS = 1000;
/** A distance of at least this from the sample count in all frames of `GAP_MS` is a gap in the audio. */
const MIN_GAP_MS = 60;
const GAP_MS = 1000;
/** Audio times are steady if their steps differ by less than this from the frame length. After this many steady frames a longer step is a gap at once. */
const STEADY_MS = 4;
const STEADY_FRAMES = 32;
/** Averaging time of the distance from the sample count, and time in which the distance is worked off. */
const MEAN_MS = 2000;
const WORK_OFF_MS = 3000;
/** Mean distances below this are inaudible. */
const TOLERANCE_MS = 5;
/** Maximum correction of an audio frame, as a share of its length; larger for audio with losses. */
const MAX_CORRECTION = 1 / 50;
const MAX_LOSS_CORRECTION = 1 / 10;

/** Position of an access unit on the output timeline. The object is reused: read it at once. */
export interface Placement {
  /** `place`: at these ticks; `drop`: output of its time already exists. */
  verdict: 'place' | 'drop';
  /** Whether the output is interrupted before it. */
  isDiscontinuity: boolean;
  /** Whether the output goes back with the discontinuity, because the wall clock was set back: earlier output is in the future. */
  isRewind: boolean;
  /** Decoding and presentation time: UTC ticks since 1970 in the timescale of the track. */
  dtsTicks: number;
  ptsTicks: number;
  /** Duration of the unit if nothing follows it: output after an interruption starts no earlier. */
  lastsTicks: number;
}

/** Clock of one track: its offset to the output, and the end of its output. */
export abstract class TrackClock {
  readonly isAudio: boolean;
  readonly timescale: number;
  /** Input ticks + offset = UTC in 90 kHz ticks. */
  offset = 0;
  epoch = 0;
  /** Decoding time of its newest unit in input ticks; undefined before the first since the input was anchored. */
  lastInput: number | undefined;
  lastNowMs = 0;
  /** Earliest output time of the next unit; for audio the time by the count of samples. */
  next: number;
  protected hasOutput = false;

  protected constructor(track: Track, before: TrackClock | undefined) {
    this.isAudio = track.content === 'audio';
    this.timescale = track.timescale;
    // Continues after the output of an earlier track with the same id.
    this.next = before ? convertTicks(before.next, before.timescale, track.timescale) + 1 : 0;
  }

  /** Updates the facts of the track. */
  abstract take(track: Track): void;
  /** Decoding time of a unit on the clock of its input. Called once for each unit, in order. */
  abstract decodeTime(unit: AccessUnit): number;
  /** Places a unit at `utc`, its decoding time in ticks of 90 kHz. Returns where it ends, in ticks of 90 kHz. */
  abstract place(unit: AccessUnit, dtsTicks: number, utc: number, placement: Placement): number;
  /** Closes open output of the track. */
  abstract close(): void;
  /** Correction that makes this decoding time follow the last one; 0 if it does. */
  abstract missingStep(dtsTicks: number): number;
  /** Moves the output back to `utcTicks`, in 90 kHz ticks. */
  rewind(utcTicks: number): void {
    this.next = Math.min(this.next, rescaleUtc(utcTicks, this.timescale));
    this.hasOutput = false;
  }
}

/** Clock of a video track: decoding times rise, and are not after the presentation. */
class VideoClock extends TrackClock {
  #times: DecodeTimes;
  #depth: number;
  #unitTicks: number;
  #last = 0;
  /** Last step between pictures, and the smaller of the last two. */
  #stepTicks: number;
  #frameTicks: number;

  constructor(track: VideoTrack, before: TrackClock | undefined) {
    super(track, before);
    this.#unitTicks = unitTicksOf(track);
    this.#stepTicks = this.#unitTicks;
    this.#frameTicks = this.#unitTicks;
    this.#depth = track.reorderDepth ?? 0;
    this.#times = new DecodeTimes(this.#depth, this.#unitTicks);
  }

  take(track: VideoTrack): void {
    this.#unitTicks = unitTicksOf(track);
    const depth = track.reorderDepth ?? 0;
    if (depth === this.#depth) return;
    this.#depth = depth;
    this.#times = new DecodeTimes(depth, this.#unitTicks);
  }

  decodeTime({ dtsTicks, ptsTicks }: AccessUnit): number {
    return this.#times.next(dtsTicks, ptsTicks);
  }

  missingStep(dtsTicks: number): number {
    if (this.lastInput === undefined || !this.hasOutput) return 0;
    const step = dtsTicks - this.lastInput;
    return step < -this.#frameTicks / 2 ? this.#frameTicks - step : 0;
  }

  close(): void {
    // The last picture is assumed to be as long as the one before it.
    if (this.hasOutput) this.next = Math.max(this.next, this.#last + this.#frameTicks);
  }

  place(unit: AccessUnit, dtsTicks: number, utc: number, placement: Placement): number {
    const composition = unit.ptsTicks - dtsTicks;
    const dts = Math.max(utc, this.next);
    if (this.hasOutput) {
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
 * Clock of an audio track: frames are placed by counting samples, however their times jitter. A lasting distance of the times from the
 * count is worked off slowly; a lasting gap in the audio becomes a gap in the output.
 */
class AudioClock extends TrackClock {
  #track: AudioTrack;
  /** Epoch of the last output: samples are counted through jitter, never across a discontinuity. */
  #outputEpoch = 0;
  /** Mean distance of the times from the sample count, in ticks of the track. */
  #mean = 0;
  /** Remaining fraction of a tick of the correction. */
  #carry = 0;
  /** Time of the last frame according to the input, and number of steady frames since the last irregular one. */
  #lastActual = 0;
  #steadyFrames = 0;
  /** Length of the last frame. */
  #lastTicks = 0;
  /** Least distance since `#watchedTicks` ticks. */
  #least = Infinity;
  #watchedTicks = 0;

  constructor(track: AudioTrack, before: TrackClock | undefined) {
    super(track, before);
    this.#track = track;
  }

  take(track: AudioTrack): void {
    this.#track = track;
  }

  decodeTime({ dtsTicks }: AccessUnit): number {
    return dtsTicks;
  }

  missingStep(): number {
    return 0;
  }

  close(): void {
    // A frame is as long as its samples.
  }

  override rewind(utcTicks: number): void {
    super.rewind(utcTicks);
    this.#outputEpoch = -1;
  }

  place(unit: AccessUnit, _: number, utc: number, placement: Placement): number {
    const { timescale } = this;
    const unitTicks = frameSamples(this.#track, unit.data);
    const actual = rescaleUtc(utc, timescale);
    const isCounted = this.hasOutput && this.#outputEpoch === this.epoch;
    if (isCounted && (actual - this.next) * 1000 < -MAX_JITTER_MS * timescale) {
      // More audio than time: the output must not run ahead of the picture.
      placement.verdict = 'drop';
      return 0;
    }
    const dts = isCounted ? this.#count(actual, unitTicks) : this.#begin(actual);
    this.next = dts + unitTicks;
    this.#lastActual = actual;
    this.#lastTicks = unitTicks;
    this.hasOutput = true;
    this.#outputEpoch = this.epoch;
    placement.dtsTicks = dts;
    placement.ptsTicks = dts;
    placement.lastsTicks = unitTicks;
    const seconds = Math.floor(this.next / timescale);
    const restTicks = this.next - seconds * timescale;
    return seconds * INPUT_TIMESCALE + Math.ceil((restTicks * INPUT_TIMESCALE) / timescale);
  }

  #begin(actual: number): number {
    this.#reset();
    return Math.max(actual, this.next);
  }

  #reset(): void {
    this.#mean = 0;
    this.#carry = 0;
    this.#least = Infinity;
    this.#watchedTicks = 0;
    this.#steadyFrames = 0;
  }

  /** Returns the output time of a frame. @param actual its time according to the input */
  #count(actual: number, unitTicks: number): number {
    const { next, timescale } = this;
    const late = actual - next;
    if (late * 1000 > MAX_JITTER_MS * timescale) {
      this.#reset();
      return actual;
    }
    const gap = this.#lostTicks(actual) || this.#gap(late, unitTicks);
    if (gap > 0) return next + gap;
    // Of frames with one common time, the first one has the right time.
    if (Math.abs(actual - this.#lastActual) * 1000 > STEADY_MS * timescale)
      this.#mean += (late - this.#mean) * Math.min(1, (unitTicks * 1000) / (MEAN_MS * timescale));
    if (Math.abs(this.#mean) * 1000 < TOLERANCE_MS * timescale) return next;
    const wanted = (this.#mean * unitTicks * 1000) / (WORK_OFF_MS * timescale);
    const isLoss = this.#mean * 1000 > MIN_GAP_MS * timescale;
    const most = unitTicks * (isLoss ? MAX_LOSS_CORRECTION : MAX_CORRECTION);
    this.#carry += Math.max(-unitTicks * MAX_CORRECTION, Math.min(most, wanted));
    const move = Math.trunc(this.#carry);
    this.#carry -= move;
    return next + move;
  }

  /** Length of the gap before a frame; 0 if there is none, or if times jitter too much. */
  #lostTicks(actual: number): number {
    const lost = actual - this.#lastActual - this.#lastTicks;
    const tolerance = (STEADY_MS * this.timescale) / 1000;
    if (lost < -tolerance) this.#steadyFrames = 0;
    else if (lost <= tolerance) this.#steadyFrames++;
    else if (this.#steadyFrames >= STEADY_FRAMES) return lost;
    return 0;
  }

  /** Length of a gap confirmed by all frames of `GAP_MS`; 0 if there is none. */
  #gap(late: number, unitTicks: number): number {
    if (late < this.#least) this.#least = late;
    this.#watchedTicks += unitTicks;
    if (this.#watchedTicks * 1000 < GAP_MS * this.timescale) return 0;
    const least = this.#least;
    this.#least = Infinity;
    this.#watchedTicks = 0;
    if (least * 1000 < MIN_GAP_MS * this.timescale) return 0;
    this.#mean = 0;
    return least;
  }
}

/** Creates a clock that continues after the output of the earlier clock of the track. */
export function newClock(track: Track, before: TrackClock | undefined): TrackClock {
  return track.content === 'audio' ? new AudioClock(track, before) : new VideoClock(track, before);
}

/** Converts UTC from 90 kHz ticks to whole ticks of another timescale. Split at the second, because the product exceeds 2^53. */
export function rescaleUtc(utcTicks: number, timescale: number): number {
  const seconds = Math.floor(utcTicks / INPUT_TIMESCALE);
  const rest = utcTicks - seconds * INPUT_TIMESCALE;
  return seconds * timescale + Math.round((rest * timescale) / INPUT_TIMESCALE);
}

function unitTicksOf(track: VideoTrack): number {
  return Math.round(track.timescale / (track.fps ?? 25));
}
