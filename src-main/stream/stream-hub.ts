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
import { leadOf, placeSplice, type StreamSplice } from './stream-splice.ts';
import { Timeline } from './timeline.ts';

/** Access unit on the output timeline. The object is reused for every unit, so a reader must copy the values it keeps. */
export interface StreamUnit {
  readonly track: Track;
  /** UTC ticks since 1970 in the timescale of the track. */
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  /** Duration in ticks if nothing follows it. */
  readonly lastsTicks: number;
  readonly isRandomAccess: boolean;
  /** Valid until the call returns. */
  readonly data: Uint8Array;
  /** Wall clock at arrival, epoch milliseconds. */
  readonly arrivedMs: number;
}

/** Takes access units from a stream. Calls are synchronous; a reader that cannot keep up drops, it never waits. */
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

/** Maximum number of splice messages that wait for an access unit. */
const MAX_EARLY_SPLICES = 64;
/** Distance from which a splice point may be on the clock of a later access unit, after a jump. */
const FAR_TICKS = 10 * INPUT_TIMESCALE;
/**
 * Container readers emit units when they are complete. A unit that arrives after a splice message, with a time up to this much later
 * (90 kHz ticks), may therefore still be of the clock before a jump.
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
  /** Running counts by track id. */
  readonly counts = new Map<string, TrackCount>();
  /** Wall clock of the newest unit in epoch milliseconds; 0 before the first. */
  lastUnitMs = 0;
  /** Number of units dropped because output of their time already exists. */
  droppedUnits = 0;
  readonly #readers: StreamReader[] = [];
  readonly #clock: Clock;
  readonly #problem: (problem: FormatProblem) => void;
  #tracks: readonly Track[] = [];
  /** Timescale of each track since it was first seen: readers keep media of earlier formats beside that of later ones. */
  readonly #timescales = new Map<string, number>();
  /** Parameter sets that random access points of a track carry, because its init segment may have others. */
  readonly #sets = new Map<string, Uint8Array>();
  /** Whether the next unit is the first of an input, so that its time is unrelated to earlier times. */
  #isNewInput = false;
  /** Splice messages that wait for an access unit to define their clock, each with the clock offset at its arrival. */
  readonly #earlySplices: { readonly message: SpliceMessage; readonly offsetTicks: number | undefined }[] = [];
  #unit: { -readonly [K in keyof StreamUnit]: StreamUnit[K] } | undefined;

  /**
   * @param problem called for faults in the input, and for jumps of its clock
   * @param endMs epoch milliseconds up to which the timeline is already used
   */
  constructor(clock: Clock, problem: (problem: FormatProblem) => void, endMs = 0) {
    this.#clock = clock;
    this.#problem = problem;
    this.timeline = new Timeline(endMs);
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

  tracks(given: readonly Track[]): void {
    const tracks = given.map((track) => this.#continued(this.#withFirstTimescale(track)));
    const isSame =
      tracks.length === this.#tracks.length &&
      tracks.every((track, index) => {
        const known = this.#tracks[index];
        return known !== undefined && isSameFormat(known, track) && known.language === track.language;
      });
    if (isSame) {
      // Facts beside the format may have changed, such as the reorder depth.
      this.timeline.setTracks(tracks, false);
      return;
    }
    this.timeline.setTracks(tracks, isInterruption(this.#tracks, tracks));
    this.#tracks = tracks;
    const before = new Map(this.counts);
    this.counts.clear();
    for (const track of tracks) {
      const known = before.get(track.id);
      const continues = known !== undefined && isSameFormat(known.track, track);
      this.counts.set(track.id, { units: continues ? known.units : 0, bytes: continues ? known.bytes : 0, track });
    }
    for (const reader of this.#readers) reader.tracks(tracks);
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
    const known = this.#tracks.find(({ id }) => id === track.id);
    const sets =
      track.content === 'video' && known?.content === 'video' && isSameDecoder(known, track)
        ? inBandSets(track)
        : undefined;
    if (!known || sets?.lengthSize !== SAMPLE_LENGTH_SIZE) {
      this.#sets.delete(track.id);
      return track;
    }
    const { codecString, decoderConfig } = known;
    if (this.#sets.has(track.id) || Buffer.compare(decoderConfig, track.decoderConfig) !== 0)
      this.#sets.set(track.id, sets.bytes);
    return { ...track, codecString, decoderConfig };
  }

  accessUnit(unit: AccessUnit): void {
    const count = this.counts.get(unit.trackId);
    if (!count) return;
    const now = this.#clock.now();
    const placement = this.timeline.place(unit, now, this.#clock.elapsed?.());
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
    const sets = unit.isRandomAccess ? this.#sets.get(unit.trackId) : undefined;
    const data = sets ? Buffer.concat([sets, unit.data]) : unit.data;
    count.units++;
    count.bytes += data.length;
    this.lastUnitMs = now;
    const out = (this.#unit ??= {
      track: count.track,
      dtsTicks: 0,
      ptsTicks: 0,
      lastsTicks: 0,
      isRandomAccess: false,
      data,
      arrivedMs: 0,
    });
    out.track = count.track;
    out.dtsTicks = placement.dtsTicks;
    out.ptsTicks = placement.ptsTicks;
    out.lastsTicks = placement.lastsTicks;
    out.isRandomAccess = unit.isRandomAccess;
    out.data = data;
    out.arrivedMs = now;
    for (const reader of this.#readers) reader.unit(out);
    if (this.#earlySplices.length > 0) this.#placeEarlySplices(unit.dtsTicks);
  }

  /**
   * Inserts a splice point that does not come from an input.
   *
   * @param section with its time on the clock of the output: UTC in 90 kHz ticks
   * @param atMs time at which it takes effect, epoch milliseconds; a section has only 33 bits of it
   */
  insertSplice(section: Uint8Array, atMs: number): void {
    // Without frames there is nothing to mark.
    if (this.timeline.isAnchored) this.#giveSplice({ sourceId: INSERTED_SOURCE_ID, section, atTicks: atMs * 90 }, 0);
  }

  splice(message: SpliceMessage): void {
    const offsetTicks = this.timeline.isAnchored ? this.timeline.offsetTicks : undefined;
    // Later messages wait too: a cancellation must not overtake its splice point.
    const isClear = this.#earlySplices.length === 0 && Math.abs(leadOf(message, message.atTicks)) <= FAR_TICKS;
    if (offsetTicks !== undefined && isClear) this.#giveSplice(message, offsetTicks);
    else if (this.#earlySplices.length < MAX_EARLY_SPLICES)
      this.#earlySplices.push({ message: { ...message, section: Uint8Array.from(message.section) }, offsetTicks });
  }

  problem(problem: FormatProblem): void {
    this.#problem(problem);
  }

  /** If the clock jumped in between, a message belongs to the clock by which its point is nearer. */
  #placeEarlySplices(unitTicks: number): void {
    const { offsetTicks } = this.timeline;
    for (let early = this.#earlySplices[0]; early; early = this.#earlySplices[0]) {
      const { message, offsetTicks: before } = early;
      const sinceTicks = unitTicks - message.atTicks;
      // A unit of the old clock does not show whether the clock is about to jump.
      if (before !== undefined && sinceTicks >= -FAR_TICKS && sinceTicks <= COLLECTED_TICKS) return;
      this.#earlySplices.shift();
      const isNew = Math.abs(leadOf(message, unitTicks)) < Math.abs(leadOf(message, message.atTicks));
      this.#giveSplice(message, before === undefined || isNew ? offsetTicks : before);
    }
  }

  #giveSplice(message: SpliceMessage, offsetTicks: number): void {
    for (const section of spliceEventsOf(message.section)) {
      const splice = placeSplice({ ...message, section }, offsetTicks);
      if (splice) for (const reader of this.#readers) reader.splice(splice);
      else this.#problem({ code: 'splice_damaged', ...because('splice_message_damaged', { bytes: section.length }) });
    }
  }

  /** Switches to another input with the next unit: without idle time, and a discontinuity only if the clocks differ. */
  inputSwitched(): void {
    this.#isNewInput = true;
    this.timeline.switchInput();
    this.#earlySplices.length = 0;
  }

  /** Continues the same input on a new connection: a discontinuity only if its clock did not run on. */
  inputRejoined(): void {
    this.timeline.rejoin();
  }

  /** Ends the input; the next one starts a discontinuity. */
  inputEnded(): void {
    this.#isNewInput = true;
    this.timeline.restart();
    this.#earlySplices.length = 0;
    for (const reader of this.#readers) reader.idle();
  }
}
