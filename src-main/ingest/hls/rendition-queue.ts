import type { AccessUnit, FormatProblem, MediaSink, SpliceMessage } from '../../media/access-unit.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import { isSameFormat } from '../../media/track.ts';
import type { Track } from '../../media/track.ts';
import { Fifo } from './fifo.ts';
import type { SpliceOrigin } from './known-splices.ts';
import type { MediaItem } from './media-item.ts';
import type { PlaylistSplices } from './playlist-splices.ts';

/** What waits in a rendition: an access unit or a splice message, with times of the server. */
export type RenditionEntry = RenditionUnit | RenditionSplice;

interface EntryBase {
  /** Number of the run of continuous times that it belongs to. */
  readonly era: number;
  /** Decoding time in ticks of the server. */
  readonly ticks: number;
  /** The tracks that are in force; the same array as long as they are the same. */
  readonly tracks: readonly Track[];
  /** Counts up with each change of the tracks. */
  readonly format: number;
}

/** An access unit that waits; its data are its own. */
export interface RenditionUnit extends EntryBase {
  readonly kind: 'unit';
  readonly unit: AccessUnit;
  readonly isVideo: boolean;
  /** Whether something is missing before it. */
  readonly isAfterHole: boolean;
}

/** A splice message that waits. */
export interface RenditionSplice extends EntryBase {
  readonly kind: 'splice';
  readonly message: SpliceMessage;
  readonly origin: SpliceOrigin;
  /** Whether the section was made for a mark without one. */
  readonly isMade: boolean;
}

/** What a queue is made with. */
export interface RenditionQueueOptions {
  readonly content: RenditionContent;
  /** Language of audio tracks that state none themselves. */
  readonly language?: string;
  readonly problem: (problem: FormatProblem) => void;
  /** Splice points that the playlist marks; none without it. */
  readonly splices?: PlaylistSplices;
}

/** Which tracks of a rendition are taken. */
export type RenditionContent = 'all' | 'video' | 'audio';

/** Steps of the times of one track beyond these are a jump that the playlist does not declare. */
const JUMP_AHEAD_TICKS = 10 * INPUT_TIMESCALE;
const JUMP_BACK_TICKS = INPUT_TIMESCALE;
/** Numbers that one declared run of times has for undeclared jumps inside it. */
const RUNS_PER_ERA = 1000;
/** Entries that wait at most for a track that gives none. */
const MAX_WAITING = 256;
/** Bytes that wait at most for it. */
const MAX_WAITING_BYTES = 8 << 20;
/** Splice messages that may come before the first access unit of a run of times. */
const MAX_EARLY_SPLICES = 16;
/** Media time that waits at most for it: multiplexers put sound up to 0.7 s behind the picture. */
const MAX_SPREAD_TICKS = 1.5 * INPUT_TIMESCALE;

/** One track on its way through the queue. */
interface TrackRun {
  readonly entries: Fifo<RenditionUnit>;
  /** Newest decoding time, and the undeclared jumps before it. */
  dtsTicks: number;
  jumps: number;
  /** Whether a hole lies between its last unit and the next. */
  isAfterHole: boolean;
}

/**
 * Takes what a segment reader finds, keeps what is wanted, and puts it in the order of decoding times: inside a segment the tracks lie
 * far apart. Readers continue until every track has something, within limits.
 */
export class RenditionQueue implements MediaSink {
  /** Access units so far. */
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
  /** Number of the run of times of the newest unit; undefined before the first of a declared one. */
  #run: number | undefined;
  /** Splice messages before that first unit. */
  #earlySplices: SpliceMessage[] = [];
  /** Whether the first unit of an item is awaited, before which its marks stand. */
  #isItemStart = false;
  /** An item whose media starts after the next picture. */
  #nextItem: MediaItem | undefined;

  constructor(options: RenditionQueueOptions) {
    this.#options = options;
  }

  /** Whether `head` will not be overtaken by what comes of the same segment. */
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

  /** The entry that comes next: of the oldest run of times, then of the oldest format, then the earliest. */
  get head(): RenditionEntry | undefined {
    return this.#first()?.head;
  }

  /** The first access unit of each track that waits, in a run of times. */
  firsts(era: number): readonly RenditionUnit[] {
    const heads = [...this.#runs.values()].map(({ entries }) => entries.head);
    return heads.filter((head) => head?.era === era).filter((head) => head !== undefined);
  }

  /** Removes the entry that comes next. */
  shift(): void {
    const entry = this.#first()?.shift();
    if (!entry) return;
    this.#waiting--;
    if (entry.kind === 'unit') this.#waitingBytes -= entry.unit.data.length;
  }

  /** What comes from now on belongs to this declared run of times. */
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
   * What comes from now on belongs to this item.
   *
   * @param isAfterPicture whether the next picture still belongs to the item before
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

  /** Something is missing before what comes now. */
  addHole(): void {
    for (const run of this.#runs.values()) run.isAfterHole = true;
  }

  tracks(tracks: readonly Track[]): void {
    const wanted = tracks
      .filter(({ content }) => this.#options.content === 'all' || content === this.#options.content)
      .map((track) => this.#named(track));
    const known = this.#tracks;
    if (wanted.length === known.length && wanted.every((track, index) => isSameFormat(track, known[index]!))) return;
    this.#tracks = wanted;
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
    if (this.#earlySplices.length > 0) this.#placeEarlySplices(dtsTicks);
    if (this.#isItemStart && (isVideo || !this.#tracks.some(({ content }) => content === 'video'))) {
      this.#isItemStart = false;
      for (const { message, origin, isMade } of this.#options.splices?.place(unit.ptsTicks) ?? [])
        this.#pushSplice({ message, origin, isMade }, era, dtsTicks);
    }
    // A real copy: `slice` of a Buffer would only be another view of bytes that are used again.
    const data = Uint8Array.prototype.slice.call(unit.data);
    run.entries.push({
      kind: 'unit',
      era,
      ticks: dtsTicks,
      tracks: this.#tracks,
      format: this.#format,
      unit: { ...unit, data },
      isVideo,
      isAfterHole: run.isAfterHole,
    });
    run.isAfterHole = false;
    this.units++;
    this.#waiting++;
    this.#waitingBytes += data.length;
    this.#newestTicks = dtsTicks;
    if (isVideo) this.#startNextItem();
  }

  splice(message: SpliceMessage): void {
    if (this.#options.content === 'audio') return;
    this.#options.splices?.sectionCame();
    const own = { ...message, section: Uint8Array.prototype.slice.call(message.section) };
    if (this.#run !== undefined)
      this.#pushSplice({ message: own, origin: 'media', isMade: false }, this.#run, own.atTicks);
    else if (this.#earlySplices.length < MAX_EARLY_SPLICES) this.#earlySplices.push(own);
  }

  problem(problem: FormatProblem): void {
    this.#options.problem(problem);
  }

  /** What came before the first unit of a run of times came at its time: nothing else is known. */
  #placeEarlySplices(ticks: number): void {
    for (const message of this.#earlySplices.splice(0))
      this.#pushSplice(
        { message: { ...message, atTicks: ticks }, origin: 'media', isMade: false },
        this.#run ?? 0,
        ticks,
      );
  }

  #pushSplice(splice: Pick<RenditionSplice, 'message' | 'origin' | 'isMade'>, era: number, ticks: number): void {
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
      run = { entries: new Fifo(), dtsTicks, jumps: 0, isAfterHole: false };
      this.#runs.set(trackId, run);
    }
    // The first unit of a run of times has nothing that it could jump away from.
    const step = dtsTicks - run.dtsTicks;
    if (step < -JUMP_BACK_TICKS || (step > JUMP_AHEAD_TICKS && !run.isAfterHole)) {
      run.jumps++;
      this.#options.problem({
        code: 'timestamps_jumped',
        detail: `The times of ${trackId} jump by ${(step / INPUT_TIMESCALE).toFixed(1)} s without a discontinuity in the playlist.`,
      });
    }
    run.dtsTicks = dtsTicks;
    return run;
  }

  /** The language that the playlist states, where the track states none. */
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
