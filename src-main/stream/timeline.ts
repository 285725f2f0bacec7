import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { InputRate } from './input-rate.ts';
import { newClock, type Placement, type TrackClock } from './track-clock.ts';
import { WallDistance } from './wall-distance.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/**
 * Minimum jump of the input clock: the excess of a step over the elapsed wall-clock time. The step must also put the
 * output ahead of the wall clock by this much.
 */
const JUMP_AHEAD_TICKS = 1.5 * INPUT_TIMESCALE;
/**
 * Minimum backward step of the time stamps of one track that counts as a jump. It is larger for audio, whose time
 * stamps may jitter by half a second in both directions, in addition to a small step back of the input.
 */
const JUMP_BACK_TICKS = { video: INPUT_TIMESCALE / 2, audio: 1.5 * INPUT_TIMESCALE };
/** Maximum distance of the times of tracks with one clock. */
const SAME_CLOCK_TICKS = 10 * INPUT_TIMESCALE;
/** Tolerance for early frames of an input that has reconnected, on its own clock. */
const REJOIN_AHEAD_TICKS = INPUT_TIMESCALE;
/** Ranges at which input clocks wrap around: none, 33 bits (MPEG-2 systems), and 32 bits of milliseconds (RTMP). */
const CLOCK_WRAPS_TICKS = [0, 2 ** 33, 2 ** 32 * TICKS_PER_MS] as const;
/** Margin between the existing output and a new input, for tracks that arrive later but start earlier. */
const ANCHOR_MARGIN_TICKS = INPUT_TIMESCALE / 2;
/**
 * Maximum time by which the output is ahead of the wall clock when an input starts. Each switch without a pause adds
 * the margin.
 */
const MAX_AHEAD_TICKS = INPUT_TIMESCALE;
/** Time without units after which a track no longer has to follow a jump. */
const ACTIVE_MS = 1000;
/** Maximum wait for a random access point at which a pending break can start. */
const MAX_BREAK_WAIT_MS = 15_000;
/** Minimum change of the difference between the two clocks of the machine that shows that the wall clock was set. */
const MIN_CLOCK_STEP_MS = 50;

/**
 * Timeline of a stream: maps the clocks of its inputs to UTC. The first unit of an input is anchored to the wall clock. From then
 * on the input clock leads, and its distance from the wall clock is observed: a small distance is corrected slowly, a large one
 * by a declared discontinuity. A jump of the input clock is a discontinuity too, and so is another input, unless both carry the
 * same encoder. Output time goes back only if the wall clock was set back, with a declared discontinuity.
 */
export class Timeline {
  readonly #clocks = new Map<string, TrackClock>();
  /** Clocks of all current and earlier tracks by id. */
  readonly #earlierClocks = new Map<string, TrackClock>();
  readonly #placement: Placement = {
    verdict: 'drop',
    isDiscontinuity: false,
    isRewind: false,
    dtsTicks: 0,
    ptsTicks: 0,
    lastsTicks: 0,
  };
  readonly #distance = new WallDistance();
  readonly #rate = new InputRate();
  #offset = 0;
  /** Ticks added to the offsets of all clocks since the start. */
  #moved = 0;
  #epoch = 0;
  #isAnchored = false;
  /** Relation of the next unit to the previous input: `same` after a reconnection, `other` after a switch. */
  #joins: 'same' | 'other' | undefined;
  #epochStart = 0;
  /** Whether a track waits after a jump. */
  #isJumpPending = false;
  /** Newest unit with the current offset: its input ticks, and the wall clock at its arrival. */
  #newestInput = 0;
  #newestNowMs = 0;
  /** Latest end of any track, UTC in whole 90 kHz ticks. */
  #end: number;
  /** End of the output of earlier runs. */
  #floor: number;
  /** Whether there is no video track. */
  #isLedByAudio = false;
  /** Start of the wait for a random access point, epoch milliseconds. */
  #breakDueMs: number | undefined;
  /** Wall clock minus monotonic clock: confirmed, and as read with the last unit. */
  #clockDifferenceMs = NaN;
  #readDifferenceMs = NaN;

  /** @param endMs end of the used timeline, epoch milliseconds, for a stream that continues an earlier run */
  constructor(endMs = 0) {
    // Floating-point milliseconds may be wrong by a tenth of a tick.
    this.#end = Math.ceil(endMs * TICKS_PER_MS - 0.1);
    this.#floor = this.#end;
  }

  /** End of the used timeline, epoch milliseconds. */
  get endMs(): number {
    return this.#end / TICKS_PER_MS;
  }

  /**
   * Sets the tracks of the input. A track that stays keeps its clock; a track that returns continues after its old
   * output.
   * @param isInterrupted whether the change closes the open output of all tracks, or only that of removed tracks
   */
  setTracks(tracks: readonly Track[], isInterrupted: boolean): void {
    for (const [id, clock] of this.#clocks) {
      if (isInterrupted || !tracks.some((track) => track.id === id)) clock.close();
      this.#earlierClocks.set(id, clock);
    }
    const old = new Map(this.#clocks);
    this.#clocks.clear();
    for (const track of tracks) {
      const current = old.get(track.id);
      const stays = current?.timescale === track.timescale && current.isAudio === (track.content === 'audio');
      const clock = stays ? current : newClock(track, this.#earlierClocks.get(track.id));
      clock.take(track);
      this.#clocks.set(track.id, clock);
    }
    this.#rate.setClocks([...this.#clocks.values()]);
    this.#isLedByAudio = tracks.every(({ content }) => content === 'audio');
  }

  /** Clock of a track, for `place`: valid until the tracks are set again. */
  clockOf(trackId: string): TrackClock | undefined {
    return this.#clocks.get(trackId);
  }

  /** Anchors the next unit again, as a discontinuity, for another input. */
  restart(): void {
    this.#isAnchored = false;
    this.#rate.reset();
  }

  /**
   * Prepares for the same input on a new connection: its next unit continues the output if its clock ran on meanwhile; otherwise it is
   * anchored again, as a discontinuity.
   */
  rejoin(): void {
    this.#joins ??= 'same';
  }

  /**
   * Like `rejoin`, for another input: the input continues the output only if both inputs have the same clock, as two
   * paths from one encoder have.
   */
  switchInput(): void {
    this.#joins = 'other';
    this.#rate.reset();
  }

  /** Whether the input clock has an offset to UTC. */
  get isAnchored(): boolean {
    return this.#isAnchored && this.#joins !== 'other';
  }

  /** Current offset from the input clock to UTC since 1970, in 90 kHz ticks. Valid only while anchored. */
  get offsetTicks(): number {
    return this.#offset + this.#moved + this.#rate.shiftTicks;
  }

  /**
   * Places one access unit on the timeline.
   * @param wallMs wall clock at its arrival, epoch milliseconds
   * @param elapsedMs milliseconds of a monotonic clock; if absent, a step of the wall clock is detected by the
   * distance only
   * @param clock clock of its track, if the caller has it at hand
   * @param mayWait whether the unit may wait after a jump. The caller then keeps it and all later units of the track,
   * and places them again, in order, when `isJumpComplete` or after a while.
   * @returns a placement that is valid until the next call
   */
  place(
    given: AccessUnit,
    wallMs: number,
    elapsedMs = wallMs,
    clock = this.#clocks.get(given.trackId),
    mayWait = false,
  ): Placement {
    const placement = this.#placement;
    placement.verdict = 'drop';
    placement.isDiscontinuity = false;
    placement.isRewind = false;
    if (!clock) return placement;
    const nowMs = this.#watchClocks(wallMs, elapsedMs);
    const { waitsWith } = clock;
    const isNewRate = waitsWith === undefined && this.#rate.note(given, clock, elapsedMs);
    const unit = this.#rate.corrected(given, clock);
    const dtsTicks = waitsWith ?? clock.decodeTime(unit);
    if (!this.#follow(clock, dtsTicks, nowMs, placement, mayWait)) return placement;
    if (isNewRate) this.#distance.rateChanged(nowMs, this.#lateness(clock, dtsTicks, nowMs));
    if (this.#distance.breakTicks !== 0 && this.#mayBreak(clock, unit, nowMs))
      this.#break(clock, dtsTicks, nowMs, placement);
    const utc = dtsTicks + clock.offset + this.#moved;
    if (clock.epoch === this.#epoch && clock.offset === this.#offset) this.#watch(clock, dtsTicks, utc, nowMs);
    clock.lastInput = dtsTicks;
    clock.lastNowMs = nowMs;
    // Output of this time already exists: another track has jumped earlier, or the track starts before the end of the
    // previous run.
    if ((clock.epoch < this.#epoch && utc < this.#epochStart) || utc < this.#floor) return placement;
    placement.verdict = 'place';
    const end = clock.place(unit, dtsTicks, utc, placement);
    if (end > this.#end) this.#end = end;
    return placement;
  }

  /** Whether no track has frames from before a jump any more: each one waits or is silent. */
  isJumpComplete(nowMs: number): boolean {
    for (const clock of this.#clocks.values()) if (this.#mayLag(clock, nowMs)) return false;
    return true;
  }

  /** Whether a track may still have frames from before a jump. */
  #mayLag({ epoch, lastInput, lastNowMs, waitsWith }: TrackClock, nowMs: number): boolean {
    const isActive = !Number.isNaN(lastInput) && Math.abs(nowMs - lastNowMs) < ACTIVE_MS;
    return isActive && epoch === this.#epoch && waitsWith === undefined;
  }

  /** Determines the offset for a unit. Returns false if the unit has to wait, or is dropped while a new input waits. */
  #follow(clock: TrackClock, dtsTicks: number, nowMs: number, placement: Placement, mayWait: boolean): boolean {
    if (this.#joins) this.#rejoin(clock, dtsTicks, nowMs, this.#joins);
    const isNewTrack = clock.isNew;
    if (!this.#isAnchored) {
      if (this.#isAhead(nowMs)) return false;
      this.#anchor(dtsTicks, nowMs, placement);
      placement.isDiscontinuity = this.#epoch > 1 || placement.isRewind;
      this.#adopt(clock);
    } else if (isNewTrack || clock.waitsWith !== undefined || this.#hasJumped(clock, dtsTicks, nowMs)) {
      if (mayWait && !isNewTrack && this.#waits(clock, dtsTicks, nowMs)) {
        placement.verdict = 'wait';
        return false;
      }
      clock.waitsWith = undefined;
      placement.isDiscontinuity = this.#resync(clock, dtsTicks, nowMs, isNewTrack);
    } else {
      const step = clock.missingStep(dtsTicks);
      // The input clock stepped back: the output continues, and the distance is corrected slowly.
      if (step > 0 && !this.#distance.isAhead(this.#lateness(clock, dtsTicks + step, nowMs), INPUT_TIMESCALE))
        this.#moved += step;
    }
    return true;
  }

  /** Lets a track wait after a jump if another track waits, or may still have frames from before the jump. */
  #waits(clock: TrackClock, dtsTicks: number, nowMs: number): boolean {
    if (clock.epoch < this.#epoch) return false;
    clock.waitsWith = dtsTicks;
    if (!this.#isJumpPending && this.isJumpComplete(nowMs)) return false;
    this.#isJumpPending = true;
    return true;
  }

  /** Lateness of a unit, in ticks. */
  #lateness(clock: TrackClock, dtsTicks: number, nowMs: number): number {
    return nowMs * TICKS_PER_MS - (dtsTicks + clock.offset + this.#moved);
  }

  /** Observes a unit with the current offset. */
  #watch(clock: TrackClock, dtsTicks: number, utc: number, nowMs: number): void {
    this.#newestInput = dtsTicks;
    this.#newestNowMs = nowMs;
    const step = clock.isNew ? 0 : dtsTicks - clock.lastInput;
    this.#moved += this.#distance.note(
      nowMs,
      nowMs * TICKS_PER_MS - utc,
      clock.isAudio === this.#isLedByAudio ? step : 0,
      this.#rate.isCorrected,
    );
  }

  /**
   * Finds out whether the wall clock was set. Two readings must agree: a machine that stalls between the readings of the two
   * clocks shows a false step.
   *
   * @returns the wall clock without an unconfirmed step
   */
  #watchClocks(nowMs: number, elapsedMs: number): number {
    const difference = nowMs - elapsedMs;
    const previous = this.#readDifferenceMs;
    this.#readDifferenceMs = difference;
    // NaN at the first unit, which is no step.
    const byMs = difference - this.#clockDifferenceMs;
    const isStep = Math.abs(byMs) >= MIN_CLOCK_STEP_MS;
    if (isStep && Math.abs(difference - previous) >= MIN_CLOCK_STEP_MS) return nowMs - byMs;
    this.#clockDifferenceMs = difference;
    if (!isStep) return nowMs;
    for (const clock of this.#clocks.values()) clock.lastNowMs += byMs;
    this.#newestNowMs += byMs;
    if (this.#isAnchored) this.#distance.wallWasSet(byMs, nowMs);
    return nowMs;
  }

  /** Whether the pending break can start with this unit: video can only continue with a random access point. */
  #mayBreak(clock: TrackClock, unit: AccessUnit, nowMs: number): boolean {
    this.#breakDueMs ??= nowMs;
    const waitedMs = Math.abs(nowMs - this.#breakDueMs);
    return (clock.isAudio === this.#isLedByAudio && unit.isRandomAccess) || waitedMs > MAX_BREAK_WAIT_MS;
  }

  /** Moves the output to the wall clock. */
  #break(clock: TrackClock, dtsTicks: number, nowMs: number, placement: Placement): void {
    const { breakTicks } = this.#distance;
    this.#breakDueMs = undefined;
    this.#moved += breakTicks;
    this.#distance.broken(nowMs);
    const utc = dtsTicks + clock.offset + this.#moved;
    placement.isDiscontinuity = true;
    if (breakTicks < 0) this.#rewind(utc, placement);
    this.#epoch++;
    this.#epochStart = utc;
    for (const one of this.#clocks.values()) one.epoch = this.#epoch;
  }

  /** Moves the output back to `utc`. */
  #rewind(utc: number, placement: Placement): void {
    placement.isRewind = true;
    this.#end = utc;
    this.#floor = 0;
    this.#earlierClocks.clear();
    for (const clock of this.#clocks.values()) clock.rewind(utc);
  }

  /**
   * Whether a new input has to wait until the wall clock is closer to the output. Viewers have media for this pause
   * that they have not played yet. The input does not wait if the output is far ahead, because such output was
   * written before the wall clock was set back.
   */
  #isAhead(nowMs: number): boolean {
    const ahead = this.#end === 0 ? 0 : this.#end + ANCHOR_MARGIN_TICKS - nowMs * TICKS_PER_MS;
    return ahead > MAX_AHEAD_TICKS && ahead <= SAME_CLOCK_TICKS;
  }

  #anchor(dtsTicks: number, nowMs: number, placement: Placement): void {
    const now = Math.round(nowMs * TICKS_PER_MS);
    if (this.#end - now > SAME_CLOCK_TICKS) this.#rewind(now, placement);
    const margin = this.#end > 0 && !placement.isRewind ? ANCHOR_MARGIN_TICKS : 0;
    this.#startEpoch(dtsTicks, Math.max(now, this.#end + margin), nowMs);
    this.#isAnchored = true;
    for (const clock of this.#clocks.values()) clock.lastInput = NaN;
  }

  /** Maps `dtsTicks` of the input clock to `utc` from now on. */
  #startEpoch(dtsTicks: number, utc: number, nowMs: number): void {
    this.#epochStart = utc;
    this.#offset = utc - dtsTicks - this.#moved;
    this.#epoch++;
    this.#isJumpPending = false;
    this.#breakDueMs = undefined;
    this.#distance.anchored(nowMs, nowMs * TICKS_PER_MS - utc);
  }

  #adopt(clock: TrackClock): void {
    clock.offset = this.#offset;
    clock.epoch = this.#epoch;
  }

  /**
   * Checks whether the clock of a reconnected input has continued, possibly across a wrap; otherwise the input is anchored again.
   */
  #rejoin(clock: TrackClock, dtsTicks: number, nowMs: number, joins: 'same' | 'other'): void {
    this.#joins = undefined;
    if (!this.#isAnchored) return;
    const known = clock.isNew ? [...this.#clocks.values()].find(({ isNew }) => !isNew) : clock;
    if (known) {
      const lastUtc = known.lastInput + known.offset + this.#moved;
      const latest = nowMs * TICKS_PER_MS - (known.lastNowMs * TICKS_PER_MS - lastUtc) + REJOIN_AHEAD_TICKS;
      const earliest = joins === 'same' ? lastUtc : Math.max(lastUtc, latest - 2 * REJOIN_AHEAD_TICKS);
      for (const wrap of CLOCK_WRAPS_TICKS) {
        const turns =
          wrap === 0
            ? 0
            : Math.round((latest - REJOIN_AHEAD_TICKS - dtsTicks - known.offset - this.#moved) / wrap) * wrap;
        const utc = dtsTicks + known.offset + this.#moved + turns;
        if (utc > earliest && utc <= latest) {
          this.#correctWrap(turns);
          return;
        }
      }
    }
    this.#isAnchored = false;
  }

  /** Corrects a wrap of the input clock by `ticks`. */
  #correctWrap(ticks: number): void {
    if (ticks === 0) return;
    this.#offset += ticks;
    this.#newestInput -= ticks;
    for (const clock of this.#clocks.values()) {
      clock.offset += ticks;
      clock.lastInput -= ticks;
    }
  }

  #hasJumped(clock: TrackClock, dtsTicks: number, nowMs: number): boolean {
    if (clock.isNew) return false;
    const step = dtsTicks - clock.lastInput;
    // If another track has jumped, this track is expected to follow with a similar jump.
    const share = clock.epoch < this.#epoch || this.#isJumpPending ? 0.5 : 1;
    if (step < -JUMP_BACK_TICKS[clock.isAudio ? 'audio' : 'video'] * share) return true;
    const ahead = JUMP_AHEAD_TICKS * share;
    if (step <= ahead || step - Math.max(0, nowMs - clock.lastNowMs) * TICKS_PER_MS <= ahead) return false;
    return share < 1 || this.#distance.isAhead(this.#lateness(clock, dtsTicks, nowMs), ahead);
  }

  /** Determines the offset of a track that is new or has jumped. Returns whether the whole output is interrupted. */
  #resync(clock: TrackClock, dtsTicks: number, nowMs: number, isNewTrack: boolean): boolean {
    const wall = Math.round(nowMs * TICKS_PER_MS);
    if (this.#isNearSiblings(dtsTicks, nowMs) && (isNewTrack || clock.epoch < this.#epoch)) {
      this.#adopt(clock);
      return false;
    }
    if (isNewTrack) {
      // The clock of this track is unrelated to the clock of the other tracks: it is anchored separately, and interrupts no other
      // track.
      clock.offset = wall - dtsTicks - this.#moved;
      clock.epoch = this.#epoch;
      return false;
    }
    this.#startEpoch(dtsTicks, Math.max(wall, this.#end), nowMs);
    this.#adopt(clock);
    return true;
  }

  /** Whether a time fits the tracks with the current offset, by their clock or by the wall clock. */
  #isNearSiblings(dtsTicks: number, nowMs: number): boolean {
    const step = dtsTicks - this.#newestInput;
    const elapsed = (nowMs - this.#newestNowMs) * TICKS_PER_MS;
    return Math.abs(step) <= SAME_CLOCK_TICKS || Math.abs(step - elapsed) <= SAME_CLOCK_TICKS;
  }
}
