import type { AccessUnit, FormatProblem, MediaSink, SpliceMessage } from '../../media/access-unit.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import { isSameFormat } from '../../media/track.ts';
import type { Track } from '../../media/track.ts';
import { Fifo } from './fifo.ts';

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
}

/** Which tracks of a rendition are taken. */
export type RenditionContent = 'all' | 'video' | 'audio';

/** Steps of the times of one track beyond these are a jump that the playlist does not declare. */
const JUMP_AHEAD_TICKS = 10 * INPUT_TIMESCALE;
const JUMP_BACK_TICKS = INPUT_TIMESCALE;
/** Numbers that one declared run of times has for undeclared jumps inside it. */
const RUNS_PER_ERA = 1000;
/** Entries that wait at most for a track that gives none. */
const MOST_WAITING = 256;
/** Bytes that wait at most for it. */
const MOST_WAITING_BYTES = 8 << 20;
/** Media time that waits at most for it: multiplexers put sound up to 0.7 s behind the picture. */
const MOST_SPREAD_TICKS = 1.5 * INPUT_TIMESCALE;

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
  readonly #content: RenditionContent;
  readonly #language: string | undefined;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #runs = new Map<string, TrackRun>();
  readonly #splices = new Fifo<RenditionSplice>();
  #waiting = 0;
  #waitingBytes = 0;
  #newestTicks = -Infinity;
  #era = 0;
  #format = 0;
  #tracks: readonly Track[] = [];

  /** @param language of audio tracks that state none themselves */
  constructor(content: RenditionContent, language: string | undefined, problem: (problem: FormatProblem) => void) {
    this.#content = content;
    this.#language = language;
    this.#problem = problem;
  }

  /** Whether `head` will not be overtaken by what comes of the same segment. */
  get isReady(): boolean {
    const { head } = this;
    if (!head) return false;
    if (
      this.#waiting >= MOST_WAITING ||
      this.#waitingBytes >= MOST_WAITING_BYTES ||
      this.#newestTicks - head.ticks > MOST_SPREAD_TICKS
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
    this.#newestTicks = -Infinity;
    for (const run of this.#runs.values()) {
      run.dtsTicks = Number.NaN;
      run.jumps = 0;
    }
  }

  /** Something is missing before what comes now. */
  addHole(): void {
    for (const run of this.#runs.values()) run.isAfterHole = true;
  }

  tracks(tracks: readonly Track[]): void {
    const wanted = tracks
      .filter((track) => this.#content === 'all' || track.content === this.#content)
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
    // A real copy: `slice` of a Buffer would only be another view of bytes that are used again.
    const data = Uint8Array.prototype.slice.call(unit.data);
    run.entries.push({
      kind: 'unit',
      era: this.#era * RUNS_PER_ERA + Math.min(run.jumps, RUNS_PER_ERA - 1),
      ticks: dtsTicks,
      tracks: this.#tracks,
      format: this.#format,
      unit: { ...unit, data },
      isVideo: track.content === 'video',
      isAfterHole: run.isAfterHole,
    });
    run.isAfterHole = false;
    this.units++;
    this.#waiting++;
    this.#waitingBytes += data.length;
    this.#newestTicks = dtsTicks;
  }

  splice(message: SpliceMessage): void {
    if (this.#content === 'audio') return;
    const section = Uint8Array.prototype.slice.call(message.section);
    const era = this.#era * RUNS_PER_ERA;
    this.#splices.push({
      kind: 'splice',
      era,
      ticks: message.atTicks,
      tracks: this.#tracks,
      format: this.#format,
      message: { ...message, section },
    });
    this.#waiting++;
  }

  problem(problem: FormatProblem): void {
    this.#problem(problem);
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
      this.#problem({
        code: 'timestamps_jumped',
        detail: `The times of ${trackId} jump by ${(step / INPUT_TIMESCALE).toFixed(1)} s without a discontinuity in the playlist.`,
      });
    }
    run.dtsTicks = dtsTicks;
    return run;
  }

  /** The language that the playlist states, where the track states none. */
  #named(track: Track): Track {
    const language = this.#language;
    return track.content === 'audio' && track.language === undefined && language !== undefined
      ? { ...track, language }
      : track;
  }
}

function isBefore(a: RenditionEntry, b: RenditionEntry): boolean {
  if (a.era !== b.era) return a.era < b.era;
  return a.format === b.format ? a.ticks < b.ticks : a.format < b.format;
}
