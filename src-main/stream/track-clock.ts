import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import { frameSamples } from '../media/codecs/frame-samples.ts';
import { DecodeTimes } from '../media/timing/decode-times.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import type { AudioTrack, Track, VideoTrack } from '../media/track.ts';

/** Largest distance between decoding and presentation that is believed. */
const MAX_COMPOSITION_TICKS = 10 * INPUT_TIMESCALE;
/** Longest step between two pictures that the last picture of an input is taken to last. */
const MAX_STEP_TICKS = INPUT_TIMESCALE;
/** Times of audio frames that differ from the count of samples by up to this are bursts and jitter, if their mean agrees with the count. */
const MAX_JITTER_MS = 1000;
/** A distance from the count of samples that all frames of `GAP_MS` have is a hole in the sound. */
const MIN_GAP_MS = 60;
const GAP_MS = 1000;
/** Steps from frame to frame that differ less from their length are steady; after so many steady ones a longer step is a hole at once. */
const STEADY_MS = 4;
const STEADY_FRAMES = 32;
/** Time over which the mean distance from the count of samples is taken, and the time in which that distance is worked off. */
const MEAN_MS = 2000;
const WORK_OFF_MS = 3000;
/** Mean distances below this are inaudible. */
const TOLERANCE_MS = 5;
/** Largest part of its length by which an audio frame is moved to work off a distance; sound that has lost much may be moved on faster. */
const MAX_CORRECTION = 1 / 50;
const MAX_LOSS_CORRECTION = 1 / 10;

/** Where one access unit lies on the output timeline. Reused by the timeline: read it at once. */
export interface Placement {
  /** `place`: at these ticks; `drop`: it lies before what was already put out. */
  verdict: 'place' | 'drop';
  /** Whether the output does not continue here: everything before is closed. */
  isDiscontinuity: boolean;
  /** Whether the output goes back with the discontinuity, because the wall clock was set back: what was put out lies in the future. */
  isRewind: boolean;
  /** Decoding and presentation time: UTC ticks since 1970 in the timescale of the track. */
  dtsTicks: number;
  ptsTicks: number;
  /** How long the unit lasts when nothing follows it: what comes after an interruption begins no earlier. */
  lastsTicks: number;
}

/** Clock of one track: its offset to the output, and its output so far. */
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
    // Output of an earlier track of the same id comes before.
    this.next = before ? convertTicks(before.next, before.timescale, track.timescale) + 1 : 0;
  }

  /** Takes another value of the same track. */
  abstract take(track: Track): void;
  /** Decoding time of a unit on the clock of its input. Called once for each unit, in order. */
  abstract decodeTime(unit: AccessUnit): number;
  /** Places a unit at `utc`, its decoding time in ticks of 90 kHz. Returns where it ends, in ticks of 90 kHz. */
  abstract place(unit: AccessUnit, dtsTicks: number, utc: number, placement: Placement): number;
  /** What is open of the track is closed. */
  abstract close(): void;
  /** Step by which the decoding times of the input have to be moved so that this one follows the last one; 0 where it does. */
  abstract missingStep(dtsTicks: number): number;
  /** The output went back to `utcTicks`, in ticks of 90 kHz. */
  rewind(utcTicks: number): void {
    this.next = Math.min(this.next, rescaleUtc(utcTicks, this.timescale));
    this.hasOutput = false;
  }
}

/** Clock of a video track: decoding times rise, and lie before the presentation. */
class VideoClock extends TrackClock {
  #times: DecodeTimes;
  #depth: number;
  #unitTicks: number;
  #last = 0;
  /** Last step from picture to picture, and the smaller one of the last two. */
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
    // The last picture of what is closed is taken to be as long as the ones before it.
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
 * Clock of an audio track: frames follow each other by their samples, whatever their times jitter. A distance of the times from the
 * count that stays is worked off slowly; a hole in the sound that stays is put out as such.
 */
class AudioClock extends TrackClock {
  #track: AudioTrack;
  /** Epoch of the last output: samples are counted through jitter, never through a discontinuity. */
  #outputEpoch = 0;
  /** Mean distance of the times from the count, in ticks of the track. */
  #mean = 0;
  /** Part of a tick by which the count has still to be moved. */
  #carry = 0;
  /** Time of the last frame as the input says it, and frames since the last one that came too early after its predecessor. */
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
      // More sound than time: the output must not run away from the picture.
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

  /** Time of a frame that follows others. @param actual its time as the input says it */
  #count(actual: number, unitTicks: number): number {
    const { next, timescale } = this;
    const late = actual - next;
    if (late * 1000 > MAX_JITTER_MS * timescale) {
      this.#reset();
      return actual;
    }
    const gap = this.#lostTicks(actual) || this.#gap(late, unitTicks);
    if (gap > 0) return next + gap;
    // Of frames that came at once with one time, the first one has the right time.
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

  /** Length of the sound that is missing before a frame; 0 where nothing is, or where times jitter too much to know it. */
  #lostTicks(actual: number): number {
    const lost = actual - this.#lastActual - this.#lastTicks;
    const tolerance = (STEADY_MS * this.timescale) / 1000;
    if (lost < -tolerance) this.#steadyFrames = 0;
    else if (lost <= tolerance) this.#steadyFrames++;
    else if (this.#steadyFrames >= STEADY_FRAMES) return lost;
    return 0;
  }

  /** Length of a hole that all frames of some time say; 0 while none is sure. */
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

/** A clock that has heard nothing yet, after the output of the clock that the track had before. */
export function newClock(track: Track, before: TrackClock | undefined): TrackClock {
  return track.content === 'audio' ? new AudioClock(track, before) : new VideoClock(track, before);
}

/** UTC in 90 kHz ticks as whole ticks of another timescale. Split at the second, because the product passes 2^53. */
export function rescaleUtc(utcTicks: number, timescale: number): number {
  const seconds = Math.floor(utcTicks / INPUT_TIMESCALE);
  const rest = utcTicks - seconds * INPUT_TIMESCALE;
  return seconds * timescale + Math.round((rest * timescale) / INPUT_TIMESCALE);
}

function unitTicksOf(track: VideoTrack): number {
  return Math.round(track.timescale / (track.fps ?? 25));
}
