import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../lib/clock.ts';
import {
  INPUT_TIMESCALE,
  type AccessUnit,
  type FormatProblem,
  type MediaSink,
  type SpliceMessage,
} from '../media/access-unit.ts';
import { inBandSets } from '../media/codecs/nal/in-band-sets.ts';
import { isSameDecoder } from '../media/codecs/nal/same-decoder.ts';
import { isInterruption, isSameFormat, type Track } from '../media/track.ts';
import { spliceEventsOf } from '../media/scte35/splice-events.ts';
import { leadOf, spliceOnTimeline, type StreamSplice } from './stream-splice.ts';
import { Timeline } from './timeline.ts';
import { WaitingUnits } from './waiting-units.ts';
import type { TrackClock } from './track-clock.ts';

/** Access unit on the output timeline. The object is reused for every unit, so a reader must copy the values it keeps. */
export interface StreamUnit {
  readonly track: Track;
  /** UTC ticks since 1970 in the timescale of the track. */
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  /** Duration in ticks, used if no unit follows. */
  readonly lastsTicks: number;
  readonly isRandomAccess: boolean;
  /** Valid until the call returns. */
  readonly data: Uint8Array;
  /** Wall clock at arrival, epoch milliseconds. */
  readonly arrivedMs: number;
}

/**
 * Receives the access units of a stream. Calls are synchronous. A reader that cannot keep up drops units and never
 * waits.
 */
export interface StreamReader {
  /** Called when the format changes, and before the first unit: later units belong to these tracks. */
  tracks(tracks: readonly Track[]): void;
  /**
   * Called when the timeline is interrupted.
   *
   * @param isRewind whether later output is earlier in time, because the wall clock was set back
   */
  discontinuity(isRewind: boolean): void;
  unit(unit: StreamUnit): void;
  /** Called for a splice point, announced or due. */
  splice(splice: StreamSplice): void;
  /** Called when the stream loses its input; another may follow. */
  idle(): void;
}

/** Running counts of one track. */
export interface TrackCount {
  readonly track: Track;
  units: number;
  bytes: number;
}

/** Properties of a track that each unit needs, found by one look-up. */
interface TrackEntry extends TrackCount {
  readonly clock: TrackClock | undefined;
  /** Parameter sets that its random access points carry, because its init segment may have others. */
  readonly sets: Uint8Array | undefined;
}

/** Maximum number of splice messages that wait for an access unit. */
const MAX_EARLY_SPLICES = 64;
/**
 * Minimum distance, in 90 kHz ticks, at which a splice point may belong to the clock of a later access unit, after a
 * jump.
 */
const FAR_TICKS = 10 * INPUT_TIMESCALE;
/**
 * Maximum time, in 90 kHz ticks, by which a unit may be later than a splice message and still have the clock before a
 * jump. Container readers emit a unit only when it is complete.
 */
const COLLECTED_TICKS = INPUT_TIMESCALE / 2;
/** Size of the length field before each NAL unit in a sample, in bytes. */
const SAMPLE_LENGTH_SIZE = 4;
/** Source id of inserted splice points. */
const INSERTED_SOURCE_ID = 0xffff_fffe;

/**
 * One stream inside the server: takes the units of its input, places them on the timeline, and passes them to its readers.
 */
export class StreamHub implements MediaSink {
  readonly timeline: Timeline;
  /** Wall clock of the newest unit in epoch milliseconds; 0 before the first. */
  lastUnitMs = 0;
  /** Number of units dropped because output of their time already exists. */
  droppedUnits = 0;
  readonly #readers: StreamReader[] = [];
  readonly #clock: Clock;
  readonly #problem: (problem: FormatProblem) => void;
  #tracks: readonly Track[] = [];
  readonly #entries = new Map<string, TrackEntry>();
  /** Timescale of each track, constant since its first format, because readers have media of several formats at a time. */
  readonly #timescales = new Map<string, number>();
  /** Parameter sets that the random access points of a track carry, because its init segment may have other sets. */
  readonly #sets = new Map<string, Uint8Array>();
  /** Whether the next unit is the first of an input, so that its time is unrelated to earlier times. */
  #isNewInput = false;
  /** Splice messages that wait for an access unit to define their clock, each with the clock offset at its arrival. */
  readonly #earlySplices: { readonly message: SpliceMessage; readonly offsetTicks: number | undefined }[] = [];
  /** Units of tracks that have jumped before others. */
  readonly #waiting = new WaitingUnits();
  #unit: { -readonly [K in keyof StreamUnit]: StreamUnit[K] } | undefined;

  /**
   * @param problem called for faults in the input, and for jumps of its clock
   * @param endMs end of the used timeline, in epoch milliseconds
   */
  constructor(clock: Clock, problem: (problem: FormatProblem) => void, endMs = 0) {
    this.#clock = clock;
    this.#problem = problem;
    this.timeline = new Timeline(endMs);
  }

  /** Running counts by track id. */
  get counts(): ReadonlyMap<string, TrackCount> {
    return this.#entries;
  }

  /** The tracks of the current input. */
  get currentTracks(): readonly Track[] {
    return this.#tracks;
  }

  /** Adds a reader. It gets the tracks at once if they are known. */
  addReader(reader: StreamReader): void {
    this.#readers.push(reader);
    if (this.#tracks.length > 0) reader.tracks(this.#tracks);
  }

  tracks(newTracks: readonly Track[]): void {
    this.#releaseWaiting();
    const tracks = newTracks.map((track) => this.#continued(this.#withFirstTimescale(track)));
    const isSame =
      tracks.length === this.#tracks.length &&
      tracks.every((track, index) => {
        const existing = this.#tracks[index];
        return existing !== undefined && isSameFormat(existing, track) && existing.language === track.language;
      });
    // Properties besides the format may have changed, such as the reorder depth.
    this.timeline.setTracks(tracks, !isSame && isInterruption(this.#tracks, tracks));
    if (!isSame) this.#tracks = tracks;
    const before = new Map(this.#entries);
    this.#entries.clear();
    for (const track of this.#tracks) {
      const existing = before.get(track.id);
      const { units, bytes } = existing && isSameFormat(existing.track, track) ? existing : { units: 0, bytes: 0 };
      const [clock, sets] = [this.timeline.clockOf(track.id), this.#sets.get(track.id)];
      this.#entries.set(track.id, { track, units, bytes, clock, sets });
    }
    if (!isSame) for (const reader of this.#readers) reader.tracks(tracks);
  }

  #withFirstTimescale(track: Track): Track {
    const timescale = this.#timescales.get(track.id) ?? track.timescale;
    this.#timescales.set(track.id, timescale);
    return timescale === track.timescale ? track : { ...track, timescale };
  }

  /**
   * Track with the decoder configuration of the previous track, if both need the same decoder: a new connection, or another
   * encoder with the same settings, causes no interruption.
   */
  #continued(track: Track): Track {
    const existing = this.#tracks.find(({ id }) => id === track.id);
    const sets =
      track.content === 'video' && existing?.content === 'video' && isSameDecoder(existing, track)
        ? inBandSets(track)
        : undefined;
    if (!existing || sets?.lengthSize !== SAMPLE_LENGTH_SIZE) {
      this.#sets.delete(track.id);
      return track;
    }
    const { codecString, decoderConfig } = existing;
    if (this.#sets.has(track.id) || Buffer.compare(decoderConfig, track.decoderConfig) !== 0)
      this.#sets.set(track.id, sets.bytes);
    return { ...track, codecString, decoderConfig };
  }

  accessUnit(unit: AccessUnit): void {
    const entry = this.#entries.get(unit.trackId);
    if (!entry) return;
    const now = this.#clock.now();
    const elapsed = this.#clock.elapsed?.();
    if (!this.#waiting.isEmpty) {
      if (this.#waiting.isDue(now)) this.#releaseWaiting();
      else if (entry.clock?.waitsWith !== undefined) {
        this.#waiting.addUnit(unit, now, elapsed);
        return;
      }
    }
    this.#takeUnit(entry, unit, now, elapsed, true);
  }

  #takeUnit(entry: TrackEntry, unit: AccessUnit, now: number, elapsed: number | undefined, mayWait: boolean): void {
    const placement = this.timeline.place(unit, now, elapsed, entry.clock, mayWait);
    if (placement.verdict === 'wait') {
      this.#waiting.addUnit(unit, now, elapsed);
      if (this.timeline.isJumpComplete(now)) this.#releaseWaiting();
      return;
    }
    if (placement.isDiscontinuity) {
      if (!this.#isNewInput)
        this.#problem({
          code: 'timestamps_jumped',
          ...because('track_jumped', { track: unit.trackId, seconds: Math.round(unit.dtsTicks / 90) / 1000 }),
        });
      for (const reader of this.#readers) reader.discontinuity(placement.isRewind);
    }
    if (placement.verdict === 'drop') {
      this.droppedUnits++;
      return;
    }
    this.#isNewInput = false;
    const { sets } = entry;
    const data = sets && unit.isRandomAccess ? Buffer.concat([sets, unit.data]) : unit.data;
    entry.units++;
    entry.bytes += data.length;
    this.lastUnitMs = now;
    const out = (this.#unit ??= {
      track: entry.track,
      dtsTicks: 0,
      ptsTicks: 0,
      lastsTicks: 0,
      isRandomAccess: false,
      data,
      arrivedMs: 0,
    });
    out.track = entry.track;
    out.dtsTicks = placement.dtsTicks;
    out.ptsTicks = placement.ptsTicks;
    out.lastsTicks = placement.lastsTicks;
    out.isRandomAccess = unit.isRandomAccess;
    out.data = data;
    out.arrivedMs = now;
    for (const reader of this.#readers) reader.unit(out);
    if (this.#earlySplices.length > 0) this.#emitEarlySplices(unit.dtsTicks);
  }

  /** Places the units that waited after a jump. */
  #releaseWaiting(): void {
    if (this.#waiting.isEmpty) return;
    for (const item of this.#waiting.take()) {
      if ('message' in item) this.splice(item.message);
      else {
        const entry = this.#entries.get(item.unit.trackId);
        if (entry) this.#takeUnit(entry, item.unit, item.wallMs, item.elapsedMs, false);
      }
    }
  }

  /**
   * Inserts a splice point that does not come from an input.
   * @param section section whose time is on the clock of the output: UTC in 90 kHz ticks
   * @param atMs time at which it takes effect, in epoch milliseconds; the time of the section has only 33 bits
   */
  insertSplice(section: Uint8Array, atMs: number): void {
    // Without frames there is no timeline to mark.
    if (this.timeline.isAnchored) this.#emitSplice({ sourceId: INSERTED_SOURCE_ID, section, atTicks: atMs * 90 }, 0);
  }

  splice(message: SpliceMessage): void {
    if (!this.#waiting.isEmpty) {
      this.#waiting.addSplice(message);
      return;
    }
    const offsetTicks = this.timeline.isAnchored ? this.timeline.offsetTicks : undefined;
    // Later messages wait too, so that a cancellation does not overtake its splice point.
    const isClear = this.#earlySplices.length === 0 && Math.abs(leadOf(message, message.atTicks)) <= FAR_TICKS;
    if (offsetTicks !== undefined && isClear) this.#emitSplice(message, offsetTicks);
    else if (this.#earlySplices.length < MAX_EARLY_SPLICES)
      this.#earlySplices.push({ message: { ...message, section: Uint8Array.from(message.section) }, offsetTicks });
  }

  problem(problem: FormatProblem): void {
    this.#problem(problem);
  }

  /**
   * Emits waiting splice messages with the clock of a unit. If the clock has jumped since a message arrived, the message belongs
   * to the clock on which its splice point is nearer.
   */
  #emitEarlySplices(unitTicks: number): void {
    const { offsetTicks } = this.timeline;
    for (let early = this.#earlySplices[0]; early; early = this.#earlySplices[0]) {
      const { message, offsetTicks: before } = early;
      const sinceTicks = unitTicks - message.atTicks;
      // A unit of the old clock does not show whether the clock is about to jump.
      if (before !== undefined && sinceTicks >= -FAR_TICKS && sinceTicks <= COLLECTED_TICKS) return;
      this.#earlySplices.shift();
      const isNew = Math.abs(leadOf(message, unitTicks)) < Math.abs(leadOf(message, message.atTicks));
      this.#emitSplice(message, before === undefined || isNew ? offsetTicks : before);
    }
  }

  #emitSplice(message: SpliceMessage, offsetTicks: number): void {
    for (const section of spliceEventsOf(message.section)) {
      const splice = spliceOnTimeline({ ...message, section }, offsetTicks);
      if (splice) for (const reader of this.#readers) reader.splice(splice);
      else this.#problem({ code: 'splice_damaged', ...because('splice_message_damaged', { bytes: section.length }) });
    }
  }

  /** Switches to another input with the next unit: without idle time, and a discontinuity only if the clocks differ. */
  inputSwitched(): void {
    this.#releaseWaiting();
    this.#isNewInput = true;
    this.timeline.switchInput();
    this.#earlySplices.length = 0;
  }

  /** Continues the same input on a new connection: a discontinuity only if its clock did not continue. */
  inputRejoined(): void {
    this.#releaseWaiting();
    this.timeline.rejoin();
  }

  /** Ends the input; the next one starts a discontinuity. */
  inputEnded(): void {
    this.#releaseWaiting();
    this.#isNewInput = true;
    this.timeline.restart();
    this.#earlySplices.length = 0;
    for (const reader of this.#readers) reader.idle();
  }
}
