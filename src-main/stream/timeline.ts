import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/** How far the clock of an input may run away from the wall clock between two units before it counts as a jump. */
const JUMP_AHEAD_TICKS = 10 * INPUT_TIMESCALE;
/** How far timestamps of one track may step back before it counts as a jump. */
const JUMP_BACK_TICKS = INPUT_TIMESCALE / 2;
/** Largest distance between decoding and presentation that is believed. */
const MAX_COMPOSITION_TICKS = 10 * INPUT_TIMESCALE;
/** How much earlier than before the outage the frames of an input that came back may arrive, by its own clock. */
const REJOIN_AHEAD_TICKS = INPUT_TIMESCALE;
/** Where input clocks begin again at 0: never, at 33 bits (MPEG-2 systems), at 32 bits of milliseconds (RTMP). */
const CLOCK_WRAPS_TICKS = [0, 2 ** 33, 2 ** 32 * TICKS_PER_MS] as const;
/** Audio timestamps that differ less than this from the count of samples are jitter of the container. */
const AUDIO_JITTER_MS = 60;

/** Where one access unit lies on the output timeline. Reused by the timeline: read it at once. */
export interface Placement {
  /** `place`: at these ticks; `drop`: it lies before what was already put out. */
  verdict: 'place' | 'drop';
  /** Whether the output does not continue here: everything before is closed. */
  isDiscontinuity: boolean;
  /** Decoding and presentation time: UTC ticks since 1970 in the timescale of the track. */
  dtsTicks: number;
  ptsTicks: number;
}

interface TrackClock {
  readonly isAudio: boolean;
  readonly timescale: number;
  readonly samplesPerFrame: number;
  readonly jitterTicks: number;
  /** Input ticks + offset = UTC in 90 kHz ticks. */
  offset: number;
  epoch: number;
  lastInput: number;
  lastNowMs: number;
  /** Last output time in the timescale of the track; for audio the time that the next frame should have. */
  next: number;
  hasOutput: boolean;
  /** Epoch of the last output: samples are counted through jitter, never through a discontinuity. */
  outputEpoch: number;
}

/**
 * The one timeline of a stream: maps the clocks of its inputs to UTC. The first unit of an input is anchored to the wall
 * clock; from then on the clock of the input leads. A jump of that clock, or another input, is a declared discontinuity,
 * and output time never runs backwards.
 */
export class Timeline {
  readonly #clocks = new Map<string, TrackClock>();
  readonly #placement: Placement = { verdict: 'drop', isDiscontinuity: false, dtsTicks: 0, ptsTicks: 0 };
  #offset = 0;
  #epoch = 0;
  #isAnchored = false;
  #isRejoining = false;
  #epochStart = 0;
  /** Latest end of any track so far, UTC in 90 kHz ticks. */
  #end: number;

  /** @param endMs epoch milliseconds up to which the timeline is already used, for a stream that goes on elsewhere. */
  constructor(endMs = 0) {
    this.#end = endMs * TICKS_PER_MS;
  }

  /** Epoch milliseconds up to which the output is used. */
  get endMs(): number {
    return this.#end / TICKS_PER_MS;
  }

  /** Takes the tracks of the input; a track that stays keeps its clock. */
  setTracks(tracks: readonly Track[]): void {
    const old = new Map(this.#clocks);
    this.#clocks.clear();
    for (const track of tracks) {
      const known = old.get(track.id);
      const samplesPerFrame = track.content === 'audio' ? track.samplesPerFrame : 0;
      const isSame = known?.timescale === track.timescale && known.samplesPerFrame === samplesPerFrame;
      this.#clocks.set(track.id, isSame ? known : newClock(track, samplesPerFrame));
    }
  }

  /** Anchors the next unit anew, as a discontinuity: another input takes over. */
  restart(): void {
    this.#isAnchored = false;
  }

  /**
   * The same input comes back on a new connection: its next unit goes on where the input was, if its clock ran on
   * meanwhile, and is anchored anew, as a discontinuity, if it did not.
   */
  rejoin(): void {
    this.#isRejoining = true;
  }

  /** Ticks of the input's clock as epoch milliseconds of the output, by the offset that is in force. */
  toEpochMs(inputTicks: number): number {
    return Math.round((inputTicks + this.#offset) / TICKS_PER_MS);
  }

  /**
   * Places one access unit.
   *
   * @param nowMs wall clock at its arrival, epoch milliseconds
   * @returns a placement that is valid until the next call
   */
  place(unit: AccessUnit, nowMs: number): Placement {
    const placement = this.#placement;
    placement.isDiscontinuity = false;
    const clock = this.#clocks.get(unit.trackId);
    if (!clock) {
      placement.verdict = 'drop';
      return placement;
    }
    if (this.#isRejoining) this.#rejoin(clock, unit.dtsTicks, nowMs);
    const isNewTrack = Number.isNaN(clock.lastInput);
    if (!this.#isAnchored) {
      this.#anchor(unit.dtsTicks, nowMs);
      placement.isDiscontinuity = this.#epoch > 1;
      adopt(clock, this.#offset, this.#epoch);
    } else if (isNewTrack || this.#hasJumped(clock, unit.dtsTicks, nowMs)) {
      placement.isDiscontinuity = this.#resync(clock, unit.dtsTicks, nowMs, isNewTrack);
    }
    clock.lastInput = unit.dtsTicks;
    clock.lastNowMs = nowMs;

    const utc = unit.dtsTicks + clock.offset;
    if (clock.epoch < this.#epoch && utc < this.#epochStart) {
      // The tail of a track whose sibling has jumped already: its place on the output is taken.
      placement.verdict = 'drop';
      return placement;
    }
    placement.verdict = 'place';
    if (clock.isAudio) this.#placeAudio(clock, utc, placement);
    else this.#placeVideo(clock, utc, unit.ptsTicks - unit.dtsTicks, placement);
    return placement;
  }

  #anchor(dtsTicks: number, nowMs: number): void {
    this.#epochStart = Math.max(Math.round(nowMs * TICKS_PER_MS), Math.ceil(this.#end));
    this.#offset = this.#epochStart - dtsTicks;
    this.#epoch++;
    this.#isAnchored = true;
    for (const clock of this.#clocks.values()) clock.lastInput = Number.NaN;
  }

  /** Finds out whether the clock of an input that came back ran on, perhaps over a wrap; if not, it has to be anchored. */
  #rejoin(clock: TrackClock, dtsTicks: number, nowMs: number): void {
    this.#isRejoining = false;
    if (!this.#isAnchored) return;
    const known = Number.isNaN(clock.lastInput) ? [...this.#clocks.values()].find(({ lastInput }) => !Number.isNaN(lastInput)) : clock;
    if (known) {
      const lastUtc = known.lastInput + known.offset;
      const latest = nowMs * TICKS_PER_MS - (known.lastNowMs * TICKS_PER_MS - lastUtc) + REJOIN_AHEAD_TICKS;
      for (const wrap of CLOCK_WRAPS_TICKS) {
        const turns = wrap === 0 ? 0 : Math.round((latest - REJOIN_AHEAD_TICKS - dtsTicks - known.offset) / wrap) * wrap;
        const utc = dtsTicks + known.offset + turns;
        if (utc > lastUtc && utc <= latest) {
          this.#turn(turns);
          return;
        }
      }
    }
    this.#isAnchored = false;
  }

  /** The clock of the input shows so many ticks less than it would have without a wrap. */
  #turn(ticks: number): void {
    if (ticks === 0) return;
    this.#offset += ticks;
    for (const clock of this.#clocks.values()) {
      clock.offset += ticks;
      clock.lastInput -= ticks;
    }
  }

  #hasJumped(clock: TrackClock, dtsTicks: number, nowMs: number): boolean {
    const step = dtsTicks - clock.lastInput;
    // Once a sibling has jumped this track is expected to follow, by about as much.
    const isExpected = clock.epoch < this.#epoch;
    const ahead = isExpected ? JUMP_AHEAD_TICKS / 2 : JUMP_AHEAD_TICKS;
    if (step < (isExpected ? 0 : -JUMP_BACK_TICKS)) return true;
    if (step <= ahead) return false;
    return step - Math.max(0, nowMs - clock.lastNowMs) * TICKS_PER_MS > ahead;
  }

  /** Finds a new offset for a track that is new or has jumped. Returns whether the whole output is interrupted. */
  #resync(clock: TrackClock, dtsTicks: number, nowMs: number, isNewTrack: boolean): boolean {
    const wall = nowMs * TICKS_PER_MS;
    const isNear = Math.abs(dtsTicks + this.#offset - wall) <= JUMP_AHEAD_TICKS;
    if (isNear && (isNewTrack || clock.epoch < this.#epoch)) {
      adopt(clock, this.#offset, this.#epoch);
      return false;
    }
    if (isNewTrack) {
      // Its clock has nothing to do with that of its siblings: it is anchored by itself, and interrupts nobody.
      adopt(clock, Math.round(wall) - dtsTicks, this.#epoch);
      return false;
    }
    this.#epochStart = Math.max(Math.round(wall), Math.ceil(this.#end));
    this.#offset = this.#epochStart - dtsTicks;
    this.#epoch++;
    adopt(clock, this.#offset, this.#epoch);
    return true;
  }

  #placeVideo(clock: TrackClock, utc: number, composition: number, placement: Placement): void {
    const dts = clock.hasOutput && utc <= clock.next ? clock.next + 1 : utc;
    clock.next = dts;
    clock.hasOutput = true;
    const isSane = composition >= 0 && composition <= MAX_COMPOSITION_TICKS;
    placement.dtsTicks = dts;
    placement.ptsTicks = isSane ? Math.max(dts, utc + composition) : dts;
    if (dts > this.#end) this.#end = dts;
  }

  #placeAudio(clock: TrackClock, utc: number, placement: Placement): void {
    const actual = rescaleUtc(utc, clock.timescale);
    let dts = actual;
    if (clock.hasOutput) {
      const late = actual - clock.next;
      if (clock.outputEpoch !== clock.epoch) dts = Math.max(actual, clock.next);
      else if (Math.abs(late) <= clock.jitterTicks) dts = clock.next;
      else if (late < 0) {
        placement.verdict = 'drop';
        return;
      }
    }
    clock.next = dts + clock.samplesPerFrame;
    clock.hasOutput = true;
    clock.outputEpoch = clock.epoch;
    placement.dtsTicks = dts;
    placement.ptsTicks = dts;
    const end = utc + (clock.samplesPerFrame * INPUT_TIMESCALE) / clock.timescale;
    if (end > this.#end) this.#end = end;
  }
}

/** UTC in 90 kHz ticks as whole ticks of another timescale. Split at the second, because the product passes 2^53. */
export function rescaleUtc(utcTicks: number, timescale: number): number {
  const seconds = Math.floor(utcTicks / INPUT_TIMESCALE);
  const rest = utcTicks - seconds * INPUT_TIMESCALE;
  return seconds * timescale + Math.round((rest * timescale) / INPUT_TIMESCALE);
}

function newClock(track: Track, samplesPerFrame: number): TrackClock {
  return {
    isAudio: track.content === 'audio',
    timescale: track.timescale,
    samplesPerFrame,
    jitterTicks: Math.round((track.timescale * AUDIO_JITTER_MS) / 1000),
    offset: 0,
    epoch: 0,
    lastInput: Number.NaN,
    lastNowMs: 0,
    next: 0,
    hasOutput: false,
    outputEpoch: 0,
  };
}

function adopt(clock: TrackClock, offset: number, epoch: number): void {
  clock.offset = offset;
  clock.epoch = epoch;
}
