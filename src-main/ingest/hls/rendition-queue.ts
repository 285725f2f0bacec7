import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { AccessUnit, FormatProblem, MediaSink, SpliceMessage } from '../../media/access-unit.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import { isSameFormat } from '../../media/track.ts';
import type { Track } from '../../media/track.ts';
import { Fifo } from './fifo.ts';
import type { SpliceOrigin } from './stated-splices.ts';
import type { MediaItem } from './media-item.ts';
import type { PlaylistSplices } from './playlist-splices.ts';

/** Entry of a rendition: an access unit or a splice message, with times of the server. */
export type RenditionEntry = RenditionUnit | RenditionSplice;

interface EntryBase {
  /** Number of its era of continuous times. */
  readonly era: number;
  /** Decoding time in ticks of the server. */
  readonly ticks: number;
  /** Current tracks; the same array as long as they do not change. */
  readonly tracks: readonly Track[];
  /** Incremented with each change of the tracks. */
  readonly format: number;
}

/** Waiting access unit, which owns its data. */
export interface RenditionUnit extends EntryBase {
  readonly kind: 'unit';
  readonly unit: AccessUnit;
  readonly isVideo: boolean;
  /** Whether media is missing before it. */
  readonly isAfterGap: boolean;
}

/** Waiting splice message. */
export interface RenditionSplice extends EntryBase {
  readonly kind: 'splice';
  readonly message: SpliceMessage;
  readonly origin: SpliceOrigin;
  /** Whether the section was generated for a mark without one. */
  readonly isGenerated: boolean;
}

export interface RenditionQueueOptions {
  readonly content: RenditionContent;
  /** Language of audio tracks that state none. */
  readonly language?: string;
  readonly problem: (problem: FormatProblem) => void;
  /** Splice points of the playlist; default: none. */
  readonly splices?: PlaylistSplices;
}

/** Tracks to take from a rendition. */
export type RenditionContent = 'all' | 'video' | 'audio';

/** Maximum step in the times of a track; a larger step is a jump that the playlist does not declare. */
const JUMP_AHEAD_TICKS = 10 * INPUT_TIMESCALE;
const JUMP_BACK_TICKS = INPUT_TIMESCALE;
/** Numbers reserved per declared era for undeclared jumps inside it. */
const RUNS_PER_ERA = 1000;
/** Maximum entries waiting for a track without units. */
const MAX_WAITING = 256;
/** Maximum bytes waiting for a track without units. */
const MAX_WAITING_BYTES = 8 << 20;
/** Maximum splice messages before the first access unit of an era. */
const MAX_EARLY_SPLICES = 16;
/**
 * Maximum media time of the waiting entries while a track has no unit. Multiplexers put audio up to 0.7 s after the
 * video.
 */
const MAX_SPREAD_TICKS = 1.5 * INPUT_TIMESCALE;

/** State of one track in the queue. */
interface TrackRun {
  readonly entries: Fifo<RenditionUnit>;
  /** Newest decoding time, and number of undeclared jumps before it. */
  dtsTicks: number;
  jumps: number;
  /** Whether media is missing between its last unit and the next. */
  isAfterGap: boolean;
}

/**
 * Collects the output of a segment reader, selects the requested tracks, and orders it by decoding time, because tracks
 * are far apart inside a segment. Readers continue until every track has an entry, within limits.
 */
export class RenditionQueue implements MediaSink {
  /** Number of access units so far. */
  units = 0;
  readonly #options: RenditionQueueOptions;
  readonly #runs = new Map<string, TrackRun>();
  readonly #splices = new Fifo<RenditionSplice>();
  #waiting = 0;
  #waitingBytes = 0;
  #newestTicks = -Infinity;
  #era = 0;
  #format = 0;
  #tracks: readonly Track[] = [];
  /** Era of the newest unit, undeclared jumps included; undefined before the first unit of a declared era. */
  #run: number | undefined;
  /** Splice messages before the first unit of a declared era. */
  #earlySplices: SpliceMessage[] = [];
  /** Whether the next unit is the first one of an item; the marks of the item come before it. */
  #isItemStart = false;
  /** Item whose media starts after the next picture. */
  #nextItem: MediaItem | undefined;

  constructor(options: RenditionQueueOptions) {
    this.#options = options;
  }

  /** Whether `head` is final, because no unit of the same segment can come before it. */
  get isReady(): boolean {
    const { head } = this;
    if (!head) return false;
    if (
      this.#waiting >= MAX_WAITING ||
      this.#waitingBytes >= MAX_WAITING_BYTES ||
      this.#newestTicks - head.ticks > MAX_SPREAD_TICKS
    )
      return true;
    return this.#tracks.every(({ id }) => this.#runs.get(id)?.entries.head !== undefined);
  }

  /** Next entry, by era, then format, then time. */
  get head(): RenditionEntry | undefined {
    return this.#first()?.head;
  }

  /** First waiting access unit of each track in an era. */
  firsts(era: number): readonly RenditionUnit[] {
    const heads = [...this.#runs.values()].map(({ entries }) => entries.head);
    return heads.filter((head) => head?.era === era).filter((head) => head !== undefined);
  }

  /** Removes the next entry. */
  shift(): void {
    const entry = this.#first()?.shift();
    if (!entry) return;
    this.#waiting--;
    if (entry.kind === 'unit') this.#waitingBytes -= entry.unit.data.length;
  }

  /** Starts a declared era: later units belong to it. */
  startEra(era: number): void {
    if (era === this.#era) return;
    this.#era = era;
    this.#run = undefined;
    this.#earlySplices = [];
    this.#newestTicks = -Infinity;
    for (const run of this.#runs.values()) {
      run.dtsTicks = Number.NaN;
      run.jumps = 0;
    }
  }

  /**
   * Starts an item: later units belong to it.
   *
   * @param isAfterPicture whether the next picture still belongs to the previous item
   */
  startItem(item: MediaItem, isAfterPicture = false): void {
    this.#startNextItem();
    if (isAfterPicture) this.#nextItem = item;
    else this.#startItem(item);
  }

  #startNextItem(): void {
    const item = this.#nextItem;
    this.#nextItem = undefined;
    if (item) this.#startItem(item);
  }

  #startItem(item: MediaItem): void {
    this.#options.splices?.open(item);
    this.#isItemStart = this.#options.splices !== undefined && this.#options.content !== 'audio';
  }

  /** Marks that media is missing before the next unit. */
  addGap(): void {
    for (const run of this.#runs.values()) run.isAfterGap = true;
  }

  tracks(tracks: readonly Track[]): void {
    const selected = tracks
      .filter(({ content }) => this.#options.content === 'all' || content === this.#options.content)
      .map((track) => this.#named(track));
    const known = this.#tracks;
    if (selected.length === known.length && selected.every((track, index) => isSameFormat(track, known[index]!)))
      return;
    this.#tracks = selected;
    this.#format++;
  }

  accessUnit(unit: AccessUnit): void {
    const track = this.#tracks.find(({ id }) => id === unit.trackId);
    if (!track) return;
    const { dtsTicks } = unit;
    const run = this.#runOf(unit.trackId, dtsTicks);
    const isVideo = track.content === 'video';
    const era = this.#era * RUNS_PER_ERA + Math.min(run.jumps, RUNS_PER_ERA - 1);
    this.#run = era;
    if (this.#earlySplices.length > 0) this.#emitEarlySplices(dtsTicks);
    if (this.#isItemStart && (isVideo || !this.#tracks.some(({ content }) => content === 'video'))) {
      this.#isItemStart = false;
      for (const { message, origin, isGenerated } of this.#options.splices?.due(unit.ptsTicks) ?? [])
        this.#pushSplice({ message, origin, isGenerated }, era, dtsTicks);
    }
    // A real copy: `slice` of a Buffer would be a view of memory that is used again.
    const data = Uint8Array.prototype.slice.call(unit.data);
    run.entries.push({
      kind: 'unit',
      era,
      ticks: dtsTicks,
      tracks: this.#tracks,
      format: this.#format,
      unit: { ...unit, data },
      isVideo,
      isAfterGap: run.isAfterGap,
    });
    run.isAfterGap = false;
    this.units++;
    this.#waiting++;
    this.#waitingBytes += data.length;
    this.#newestTicks = dtsTicks;
    if (isVideo) this.#startNextItem();
  }

  splice(message: SpliceMessage): void {
    if (this.#options.content === 'audio') return;
    this.#options.splices?.foundSection();
    const copy = { ...message, section: Uint8Array.prototype.slice.call(message.section) };
    if (this.#run !== undefined)
      this.#pushSplice({ message: copy, origin: 'media', isGenerated: false }, this.#run, copy.atTicks);
    else if (this.#earlySplices.length < MAX_EARLY_SPLICES) this.#earlySplices.push(copy);
  }

  problem(problem: FormatProblem): void {
    this.#options.problem(problem);
  }

  /** Gives waiting messages the time of the first unit of the era, because no other time is known. */
  #emitEarlySplices(ticks: number): void {
    for (const message of this.#earlySplices.splice(0))
      this.#pushSplice(
        { message: { ...message, atTicks: ticks }, origin: 'media', isGenerated: false },
        this.#run ?? 0,
        ticks,
      );
  }

  #pushSplice(splice: Pick<RenditionSplice, 'message' | 'origin' | 'isGenerated'>, era: number, ticks: number): void {
    this.#splices.push({ kind: 'splice', era, ticks, tracks: this.#tracks, format: this.#format, ...splice });
    this.#waiting++;
  }

  #first(): Fifo<RenditionUnit> | Fifo<RenditionSplice> | undefined {
    let best: Fifo<RenditionUnit> | Fifo<RenditionSplice> | undefined = this.#splices.head ? this.#splices : undefined;
    for (const { entries } of this.#runs.values()) {
      const { head } = entries;
      if (head && (!best?.head || isBefore(head, best.head))) best = entries;
    }
    return best;
  }

  #runOf(trackId: string, dtsTicks: number): TrackRun {
    let run = this.#runs.get(trackId);
    if (!run) {
      run = { entries: new Fifo(), dtsTicks, jumps: 0, isAfterGap: false };
      this.#runs.set(trackId, run);
    }
    // The first unit of an era cannot be a jump.
    const step = dtsTicks - run.dtsTicks;
    if (step < -JUMP_BACK_TICKS || (step > JUMP_AHEAD_TICKS && !run.isAfterGap)) {
      run.jumps++;
      this.#options.problem({
        code: 'timestamps_jumped',
        ...because('hls_times_jump', { track: trackId, seconds: Math.round((step / INPUT_TIMESCALE) * 10) / 10 }),
      });
    }
    run.dtsTicks = dtsTicks;
    return run;
  }

  /** Language of the playlist, if the track states none. */
  #named(track: Track): Track {
    const { language } = this.#options;
    return track.content === 'audio' && track.language === undefined && language !== undefined
      ? { ...track, language }
      : track;
  }
}

function isBefore(a: RenditionEntry, b: RenditionEntry): boolean {
  if (a.era !== b.era) return a.era < b.era;
  return a.format === b.format ? a.ticks < b.ticks : a.format < b.format;
}
