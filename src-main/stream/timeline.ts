import { INPUT_TIMESCALE, type AccessUnit } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { newClock, type Placement, type TrackClock } from './track-clock.ts';
import { WallDistance } from './wall-distance.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/** A step of the input clock that is so much longer than the wall clock says, and puts the output ahead of it by as much, is a jump. */
const JUMP_AHEAD_TICKS = 1.5 * INPUT_TIMESCALE;
/** Step back of the timestamps of one track that counts as a jump; those of audio may jitter. */
const JUMP_BACK_TICKS = { video: INPUT_TIMESCALE / 2, audio: 1.2 * INPUT_TIMESCALE };
/** Tracks whose times are less apart have one clock. */
const SAME_CLOCK_TICKS = 10 * INPUT_TIMESCALE;
/** How much earlier than before the outage the frames of an input that came back may arrive, by its own clock. */
const REJOIN_AHEAD_TICKS = INPUT_TIMESCALE;
/** Where input clocks begin again at 0: never, at 33 bits (MPEG-2 systems), at 32 bits of milliseconds (RTMP). */
const CLOCK_WRAPS_TICKS = [0, 2 ** 33, 2 ** 32 * TICKS_PER_MS] as const;
/** Room between the output so far and a new input, for tracks that come in later but begin earlier. */
const ANCHOR_MARGIN_TICKS = INPUT_TIMESCALE / 2;
/** How far the output may run ahead of the wall clock when an input begins: each switch without a pause adds the room above. */
const MAX_AHEAD_TICKS = INPUT_TIMESCALE;
/** Longest wait for a random access point with which a break that has to be made begins. */
const MAX_BREAK_WAIT_MS = 15_000;
/** A difference between two clocks of the machine that changes by more than this was set. */
const MIN_CLOCK_STEP_MS = 50;

/**
 * The one timeline of a stream: maps the clocks of its inputs to UTC. The first unit of an input is anchored to the wall clock; from
 * then on the clock of the input leads, and its distance from the wall clock is watched: small ones are worked off slowly, large ones
 * by a declared discontinuity. A jump of the input clock, or another input, is a discontinuity too. Output time runs backwards only
 * where the wall clock was set back, with a declared discontinuity.
 */
export class Timeline {
  readonly #clocks = new Map<string, TrackClock>();
  /** The clocks of all tracks that there ever were, by id. */
  readonly #known = new Map<string, TrackClock>();
  readonly #placement: Placement = {
    verdict: 'drop',
    isDiscontinuity: false,
    isRewind: false,
    dtsTicks: 0,
    ptsTicks: 0,
    lastsTicks: 0,
  };
  readonly #distance = new WallDistance();
  #offset = 0;
  /** Ticks that were added to the offsets of all clocks since the start. */
  #moved = 0;
  #epoch = 0;
  #isAnchored = false;
  #isRejoining = false;
  #epochStart = 0;
  /** Newest unit that follows the offset in force: input ticks, and wall clock at its arrival. */
  #newestInput = 0;
  #newestNowMs = 0;
  /** Latest end of any track so far, UTC in whole 90 kHz ticks. */
  #end: number;
  /** End of the output of earlier runs. */
  #floor: number;
  /** Whether there is no picture. */
  #isLedByAudio = false;
  /** Since when a break waits for a random access point. */
  #breakDueMs: number | undefined;
  /** Wall clock minus the monotonic clock, as it is in force, and as read with the last unit. */
  #clockDifferenceMs: number | undefined;
  #readDifferenceMs: number | undefined;

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
      if (isInterrupted || !tracks.some((track) => track.id === id)) clock.close();
      this.#known.set(id, clock);
    }
    const old = new Map(this.#clocks);
    this.#clocks.clear();
    for (const track of tracks) {
      const current = old.get(track.id);
      const stays = current?.timescale === track.timescale && current.isAudio === (track.content === 'audio');
      const clock = stays ? current : newClock(track, this.#known.get(track.id));
      clock.take(track);
      this.#clocks.set(track.id, clock);
    }
    this.#isLedByAudio = tracks.every(({ content }) => content === 'audio');
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
    return this.#offset + this.#moved;
  }

  /**
   * Places one access unit.
   *
   * @param wallMs wall clock at its arrival, epoch milliseconds
   * @param elapsedMs milliseconds of a monotonic clock; without it, a step of the wall clock is found by the distance alone
   * @returns a placement that is valid until the next call
   */
  place(unit: AccessUnit, wallMs: number, elapsedMs = wallMs): Placement {
    const placement = this.#placement;
    placement.verdict = 'drop';
    placement.isDiscontinuity = false;
    placement.isRewind = false;
    const clock = this.#clocks.get(unit.trackId);
    if (!clock) return placement;
    const nowMs = this.#watchClocks(wallMs, elapsedMs);
    const dtsTicks = clock.decodeTime(unit);
    if (!this.#follow(clock, dtsTicks, nowMs, placement)) return placement;
    if (this.#distance.breakTicks !== 0 && this.#mayBreak(clock, unit, nowMs))
      this.#break(clock, dtsTicks, nowMs, placement);
    const utc = dtsTicks + clock.offset + this.#moved;
    if (clock.epoch === this.#epoch && clock.offset === this.#offset) this.#watch(clock, dtsTicks, utc, nowMs);
    clock.lastInput = dtsTicks;
    clock.lastNowMs = nowMs;
    // The tail of a track whose sibling has jumped already, or one that begins so much earlier than its sibling that it
    // reaches into the run before this one: its output time is taken.
    if ((clock.epoch < this.#epoch && utc < this.#epochStart) || utc < this.#floor) return placement;
    placement.verdict = 'place';
    const end = clock.place(unit, dtsTicks, utc, placement);
    if (end > this.#end) this.#end = end;
    return placement;
  }

  /** Finds the offset of a unit. Returns false for one that has to wait. */
  #follow(clock: TrackClock, dtsTicks: number, nowMs: number, placement: Placement): boolean {
    if (this.#isRejoining) this.#rejoin(clock, dtsTicks, nowMs);
    const isNewTrack = clock.lastInput === undefined;
    if (!this.#isAnchored) {
      if (this.#isAhead(nowMs)) return false;
      this.#anchor(dtsTicks, nowMs, placement);
      placement.isDiscontinuity = this.#epoch > 1 || placement.isRewind;
      this.#adopt(clock);
    } else if (isNewTrack || this.#hasJumped(clock, dtsTicks, nowMs)) {
      placement.isDiscontinuity = this.#resync(clock, dtsTicks, nowMs, isNewTrack);
    } else {
      const step = clock.missingStep(dtsTicks);
      // The clock of the input stepped back: the output goes on, and the distance is worked off.
      if (step > 0 && !this.#distance.isAhead(this.#lateness(clock, dtsTicks + step, nowMs), INPUT_TIMESCALE))
        this.#moved += step;
    }
    return true;
  }

  /** By how much a unit comes later than its time. */
  #lateness(clock: TrackClock, dtsTicks: number, nowMs: number): number {
    return nowMs * TICKS_PER_MS - (dtsTicks + clock.offset + this.#moved);
  }

  /** Takes note of a unit that follows the offset in force. */
  #watch(clock: TrackClock, dtsTicks: number, utc: number, nowMs: number): void {
    this.#newestInput = dtsTicks;
    this.#newestNowMs = nowMs;
    const step = clock.lastInput === undefined ? 0 : dtsTicks - clock.lastInput;
    this.#moved += this.#distance.note(
      nowMs,
      nowMs * TICKS_PER_MS - utc,
      clock.isAudio === this.#isLedByAudio ? step : 0,
    );
  }

  /**
   * Finds out whether the wall clock was set. Two readings must agree: a machine that stands still between the readings of the two
   * clocks shows a step that is none.
   *
   * @returns the wall clock without a step that is not confirmed
   */
  #watchClocks(nowMs: number, elapsedMs: number): number {
    const difference = nowMs - elapsedMs;
    const previous = this.#readDifferenceMs ?? difference;
    this.#readDifferenceMs = difference;
    const byMs = difference - (this.#clockDifferenceMs ?? difference);
    const isStep = Math.abs(byMs) >= MIN_CLOCK_STEP_MS;
    if (isStep && Math.abs(difference - previous) >= MIN_CLOCK_STEP_MS) return nowMs - byMs;
    this.#clockDifferenceMs = difference;
    if (!isStep) return nowMs;
    for (const clock of this.#clocks.values()) clock.lastNowMs += byMs;
    this.#newestNowMs += byMs;
    if (this.#isAnchored) this.#distance.wallWasSet(byMs, nowMs);
    return nowMs;
  }

  /** Whether the break that is due can be made with this unit: pictures go on with a random access point only. */
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

  /** Lets the output go back to `utc`. */
  #rewind(utc: number, placement: Placement): void {
    placement.isRewind = true;
    this.#end = utc;
    this.#floor = 0;
    this.#known.clear();
    for (const clock of this.#clocks.values()) clock.rewind(utc);
  }

  /**
   * Whether a new input has to wait until the clock has come closer to the output. What viewers have not played yet covers
   * the pause. An output that lies further ahead was there before the clock was set back: no wait would help.
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
    for (const clock of this.#clocks.values()) clock.lastInput = undefined;
  }

  /** From here on `dtsTicks` of the input clock are `utc`. */
  #startEpoch(dtsTicks: number, utc: number, nowMs: number): void {
    this.#epochStart = utc;
    this.#offset = utc - dtsTicks - this.#moved;
    this.#epoch++;
    this.#breakDueMs = undefined;
    this.#distance.anchored(nowMs, nowMs * TICKS_PER_MS - utc);
  }

  #adopt(clock: TrackClock): void {
    clock.offset = this.#offset;
    clock.epoch = this.#epoch;
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
      const lastUtc = known.lastInput + known.offset + this.#moved;
      const latest = nowMs * TICKS_PER_MS - (known.lastNowMs * TICKS_PER_MS - lastUtc) + REJOIN_AHEAD_TICKS;
      for (const wrap of CLOCK_WRAPS_TICKS) {
        const turns =
          wrap === 0
            ? 0
            : Math.round((latest - REJOIN_AHEAD_TICKS - dtsTicks - known.offset - this.#moved) / wrap) * wrap;
        const utc = dtsTicks + known.offset + this.#moved + turns;
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
    const share = clock.epoch < this.#epoch ? 0.5 : 1;
    if (step < -JUMP_BACK_TICKS[clock.isAudio ? 'audio' : 'video'] * share) return true;
    const ahead = JUMP_AHEAD_TICKS * share;
    if (step <= ahead || step - Math.max(0, nowMs - clock.lastNowMs) * TICKS_PER_MS <= ahead) return false;
    return share < 1 || this.#distance.isAhead(this.#lateness(clock, dtsTicks, nowMs), ahead);
  }

  /** Finds a new offset for a track that is new or has jumped. Returns whether the whole output is interrupted. */
  #resync(clock: TrackClock, dtsTicks: number, nowMs: number, isNewTrack: boolean): boolean {
    const wall = Math.round(nowMs * TICKS_PER_MS);
    if (this.#isNearSiblings(dtsTicks, nowMs) && (isNewTrack || clock.epoch < this.#epoch)) {
      this.#adopt(clock);
      return false;
    }
    if (isNewTrack) {
      // Its clock has nothing to do with that of its siblings: it is anchored by itself, and interrupts no other track.
      clock.offset = wall - dtsTicks - this.#moved;
      clock.epoch = this.#epoch;
      return false;
    }
    this.#startEpoch(dtsTicks, Math.max(wall, this.#end), nowMs);
    this.#adopt(clock);
    return true;
  }

  /** Whether a time fits those of the tracks that follow the offset in force, by their clock or by the wall clock. */
  #isNearSiblings(dtsTicks: number, nowMs: number): boolean {
    const step = dtsTicks - this.#newestInput;
    const elapsed = (nowMs - this.#newestNowMs) * TICKS_PER_MS;
    return Math.abs(step) <= SAME_CLOCK_TICKS || Math.abs(step - elapsed) <= SAME_CLOCK_TICKS;
  }
}
