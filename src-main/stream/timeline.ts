import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import { convertTicks } from '../media/timing/ticks.ts';
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
/** Longest step between two pictures that the last picture of an input is taken to last. */
const MAX_STEP_TICKS = INPUT_TIMESCALE;
/** Room between the output so far and a new input, for tracks that come in later but begin earlier. */
const ANCHOR_MARGIN_TICKS = INPUT_TIMESCALE / 2;
/** How far the output may run ahead of the wall clock when an input begins: each switch without a pause adds the room above. */
const MAX_AHEAD_TICKS = INPUT_TIMESCALE;
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
  /** How long the unit lasts when nothing follows it: what comes after an interruption begins no earlier. */
  lastsTicks: number;
}

interface TrackClock {
  readonly isAudio: boolean;
  readonly timescale: number;
  /** Ticks of the track that a unit lasts: exact for audio, a guess for the first picture. */
  unitTicks: number;
  readonly jitterTicks: number;
  /** Input ticks + offset = UTC in 90 kHz ticks. */
  offset: number;
  epoch: number;
  /** Its newest unit in input ticks; undefined before the first since the input was anchored. */
  lastInput: number | undefined;
  lastNowMs: number;
  /** Last output time in the timescale of the track. */
  last: number;
  /** Output time that the next unit has at least; for audio the one that it should have. */
  next: number;
  /** Last step from picture to picture, and the smaller one of the last two. */
  stepTicks: number;
  frameTicks: number;
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
  /** The clocks of all tracks that there ever were, by id. */
  readonly #known = new Map<string, TrackClock>();
  readonly #placement: Placement = { verdict: 'drop', isDiscontinuity: false, dtsTicks: 0, ptsTicks: 0, lastsTicks: 0 };
  #offset = 0;
  #epoch = 0;
  #isAnchored = false;
  #isRejoining = false;
  #epochStart = 0;
  /** Newest unit that follows the offset in force: input ticks, and wall clock at its arrival. */
  #newestInput = 0;
  #newestNowMs = 0;
  /** Latest end of any track so far, UTC in whole 90 kHz ticks. */
  #end: number;
  /** Where the output of the lives before this one ends. */
  readonly #floor: number;

  /** @param endMs epoch milliseconds up to which the timeline is already used, for a stream that goes on elsewhere. */
  constructor(endMs = 0) {
    // A tenth of a tick is what a float of milliseconds may be wrong by.
    this.#end = Math.ceil(endMs * TICKS_PER_MS - 0.1);
    this.#floor = this.#end;
  }

  /** Epoch milliseconds up to which the output is used. */
  get endMs(): number {
    return this.#end / TICKS_PER_MS;
  }

  /**
   * Takes the tracks of the input; a track that stays keeps its clock, one that comes back goes on after its old output.
   *
   * @param isInterrupted whether what is open of all tracks is closed with the change, or only of those that go
   */
  setTracks(tracks: readonly Track[], isInterrupted: boolean): void {
    for (const [id, clock] of this.#clocks) {
      const isClosed = isInterrupted || !tracks.some((track) => track.id === id);
      // The last picture of what is closed is taken to be as long as the ones before it.
      if (isClosed && !clock.isAudio && clock.hasOutput)
        clock.next = Math.max(clock.next, clock.last + clock.frameTicks);
      this.#known.set(id, clock);
    }
    const old = new Map(this.#clocks);
    this.#clocks.clear();
    for (const track of tracks) {
      const current = old.get(track.id);
      const stays = current?.timescale === track.timescale && current.isAudio === (track.content === 'audio');
      const clock = stays ? current : newClock(track, this.#known.get(track.id));
      clock.unitTicks = unitTicksOf(track);
      this.#clocks.set(track.id, clock);
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

  /** Whether it is known what the input's clock means. */
  get isAnchored(): boolean {
    return this.#isAnchored;
  }

  /** What is added to ticks of the input's clock: the sum is UTC since 1970 in 90 kHz ticks. Means something while it is anchored. */
  get offsetTicks(): number {
    return this.#offset;
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
    const isNewTrack = clock.lastInput === undefined;
    if (!this.#isAnchored) {
      if (this.#isAhead(nowMs)) {
        placement.verdict = 'drop';
        return placement;
      }
      this.#anchor(unit.dtsTicks, nowMs);
      placement.isDiscontinuity = this.#epoch > 1;
      adopt(clock, this.#offset, this.#epoch);
    } else if (isNewTrack || this.#hasJumped(clock, unit.dtsTicks, nowMs)) {
      placement.isDiscontinuity = this.#resync(clock, unit.dtsTicks, nowMs, isNewTrack);
    }
    clock.lastInput = unit.dtsTicks;
    clock.lastNowMs = nowMs;
    if (clock.offset === this.#offset) {
      this.#newestInput = unit.dtsTicks;
      this.#newestNowMs = nowMs;
    }

    const utc = unit.dtsTicks + clock.offset;
    if ((clock.epoch < this.#epoch && utc < this.#epochStart) || utc < this.#floor) {
      // The tail of a track whose sibling has jumped already, or one that begins so much earlier than its sibling that it
      // reaches into the run before this one: its output time is taken.
      placement.verdict = 'drop';
      return placement;
    }
    placement.verdict = 'place';
    if (clock.isAudio) this.#placeAudio(clock, utc, placement);
    else this.#placeVideo(clock, utc, unit.ptsTicks - unit.dtsTicks, placement);
    return placement;
  }

  /**
   * Whether a new input has to wait until the clock has come closer to the output. What viewers have not played yet covers
   * the pause. An output that lies further ahead was there before the clock was set back: no wait would help.
   */
  #isAhead(nowMs: number): boolean {
    const ahead = this.#end === 0 ? 0 : this.#end + ANCHOR_MARGIN_TICKS - nowMs * TICKS_PER_MS;
    return ahead > MAX_AHEAD_TICKS && ahead <= JUMP_AHEAD_TICKS;
  }

  #anchor(dtsTicks: number, nowMs: number): void {
    const margin = this.#end > 0 ? ANCHOR_MARGIN_TICKS : 0;
    this.#epochStart = Math.max(Math.round(nowMs * TICKS_PER_MS), this.#end + margin);
    this.#offset = this.#epochStart - dtsTicks;
    this.#epoch++;
    this.#isAnchored = true;
    for (const clock of this.#clocks.values()) clock.lastInput = undefined;
  }

  /** Finds out whether the clock of an input that came back ran on, perhaps over a wrap; if not, it has to be anchored. */
  #rejoin(clock: TrackClock, dtsTicks: number, nowMs: number): void {
    this.#isRejoining = false;
    if (!this.#isAnchored) return;
    const known =
      clock.lastInput === undefined
        ? [...this.#clocks.values()].find(({ lastInput }) => lastInput !== undefined)
        : clock;
    if (known?.lastInput !== undefined) {
      const lastUtc = known.lastInput + known.offset;
      const latest = nowMs * TICKS_PER_MS - (known.lastNowMs * TICKS_PER_MS - lastUtc) + REJOIN_AHEAD_TICKS;
      for (const wrap of CLOCK_WRAPS_TICKS) {
        const turns =
          wrap === 0 ? 0 : Math.round((latest - REJOIN_AHEAD_TICKS - dtsTicks - known.offset) / wrap) * wrap;
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
    this.#newestInput -= ticks;
    for (const clock of this.#clocks.values()) {
      clock.offset += ticks;
      if (clock.lastInput !== undefined) clock.lastInput -= ticks;
    }
  }

  #hasJumped(clock: TrackClock, dtsTicks: number, nowMs: number): boolean {
    if (clock.lastInput === undefined) return false;
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
    if (this.#isNearSiblings(dtsTicks, nowMs) && (isNewTrack || clock.epoch < this.#epoch)) {
      adopt(clock, this.#offset, this.#epoch);
      return false;
    }
    if (isNewTrack) {
      // Its clock has nothing to do with that of its siblings: it is anchored by itself, and interrupts no other track.
      adopt(clock, Math.round(wall) - dtsTicks, this.#epoch);
      return false;
    }
    this.#epochStart = Math.max(Math.round(wall), this.#end);
    this.#offset = this.#epochStart - dtsTicks;
    this.#epoch++;
    adopt(clock, this.#offset, this.#epoch);
    return true;
  }

  /** Whether a time fits those of the tracks that follow the offset in force, by their clock or by the wall clock. */
  #isNearSiblings(dtsTicks: number, nowMs: number): boolean {
    const step = dtsTicks - this.#newestInput;
    const elapsed = (nowMs - this.#newestNowMs) * TICKS_PER_MS;
    return Math.abs(step) <= JUMP_AHEAD_TICKS || Math.abs(step - elapsed) <= JUMP_AHEAD_TICKS;
  }

  #placeVideo(clock: TrackClock, utc: number, composition: number, placement: Placement): void {
    const dts = Math.max(utc, clock.next);
    if (clock.hasOutput) {
      clock.frameTicks = Math.min(dts - clock.last, clock.stepTicks);
      clock.stepTicks = dts - clock.last;
    }
    clock.last = dts;
    clock.next = dts + 1;
    clock.hasOutput = true;
    const isSane = composition >= 0 && composition <= MAX_COMPOSITION_TICKS;
    placement.dtsTicks = dts;
    placement.ptsTicks = isSane ? Math.max(dts, utc + composition) : dts;
    placement.lastsTicks = Math.min(clock.frameTicks, Math.max(MAX_STEP_TICKS, clock.unitTicks));
    const end = placement.ptsTicks + Math.max(Math.min(clock.stepTicks, MAX_STEP_TICKS), clock.unitTicks);
    if (end > this.#end) this.#end = end;
  }

  #placeAudio(clock: TrackClock, utc: number, placement: Placement): void {
    const actual = rescaleUtc(utc, clock.timescale);
    const late = actual - clock.next;
    let dts = actual;
    if (clock.outputEpoch !== clock.epoch) dts = Math.max(actual, clock.next);
    else if (clock.hasOutput && Math.abs(late) <= clock.jitterTicks) dts = clock.next;
    else if (late < 0) {
      placement.verdict = 'drop';
      return;
    }
    clock.next = dts + clock.unitTicks;
    clock.hasOutput = true;
    clock.outputEpoch = clock.epoch;
    placement.dtsTicks = dts;
    placement.ptsTicks = dts;
    placement.lastsTicks = clock.unitTicks;
    const seconds = Math.floor(clock.next / clock.timescale);
    const restTicks = clock.next - seconds * clock.timescale;
    const end = seconds * INPUT_TIMESCALE + Math.ceil((restTicks * INPUT_TIMESCALE) / clock.timescale);
    if (end > this.#end) this.#end = end;
  }
}

/** UTC in 90 kHz ticks as whole ticks of another timescale. Split at the second, because the product passes 2^53. */
export function rescaleUtc(utcTicks: number, timescale: number): number {
  const seconds = Math.floor(utcTicks / INPUT_TIMESCALE);
  const rest = utcTicks - seconds * INPUT_TIMESCALE;
  return seconds * timescale + Math.round((rest * timescale) / INPUT_TIMESCALE);
}

function unitTicksOf(track: Track): number {
  return track.content === 'audio' ? track.samplesPerFrame : Math.round(track.timescale / (track.fps ?? 25));
}

/** A clock that has heard nothing yet; what a track of the same id put out before stays behind it. */
function newClock(track: Track, before: TrackClock | undefined): TrackClock {
  const unitTicks = unitTicksOf(track);
  return {
    isAudio: track.content === 'audio',
    timescale: track.timescale,
    unitTicks,
    jitterTicks: Math.round((track.timescale * AUDIO_JITTER_MS) / 1000),
    offset: 0,
    epoch: 0,
    lastInput: undefined,
    lastNowMs: 0,
    last: 0,
    next: before ? convertTicks(before.next, before.timescale, track.timescale) + 1 : 0,
    stepTicks: unitTicks,
    frameTicks: unitTicks,
    hasOutput: false,
    outputEpoch: 0,
  };
}

function adopt(clock: TrackClock, offset: number, epoch: number): void {
  clock.offset = offset;
  clock.epoch = epoch;
}
