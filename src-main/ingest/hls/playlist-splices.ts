import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { FormatProblem, SpliceMessage } from '../../media/access-unit.ts';
import { wrapTicks } from '../../media/containers/mpegts/packet.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { SpliceDateRange, SpliceMark } from '../../media/manifests/hls/splice-mark.ts';
import { makeSpliceSection, retimeSpliceSection } from '../../media/scte35/made-splice.ts';
import { spliceEventsOf } from '../../media/scte35/splice-events.ts';
import { readSpliceInfo, spliceTimeTicks } from '../../media/scte35/splice-info.ts';
import { readSplicePoint } from '../../media/scte35/splice-point.ts';
import { ComingSegments } from './coming-segments.ts';
import { DateRuns } from './date-runs.ts';
import type { MediaItem } from './media-item.ts';

/** A splice message that a playlist gave rise to. */
interface ListedSplice {
  readonly message: SpliceMessage;
  /** Which kind of mark it was. */
  readonly origin: 'cue' | 'date';
  /** Whether the section was made here: its event id means nothing outside. */
  readonly isMade: boolean;
}

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** A section before a segment whose own time lies so far ahead at most is a notice of what comes. */
const MAX_NOTICE_TICKS = 120 * INPUT_TIMESCALE;
/** Starts of one break that two marks state may differ by so much. */
const SAME_BREAK_TICKS = 3 * INPUT_TIMESCALE;
/** A date range that was announced is announced again where its time turns out to be another one by more than this. */
const MAX_DRIFT_TICKS = 20 * TICKS_PER_MS;
/** Marks of date ranges that are remembered. */
const MAX_GIVEN = 4096;

interface Section {
  readonly section: Uint8Array;
  readonly kind: string;
  readonly eventId: number | null;
}

/**
 * The splice points that a media playlist marks, on the times of its media: a cue at the start of its segment, a date range at its date, counted from
 * the EXT-X-PROGRAM-DATE-TIME of the segment that is read. Both are announced as soon as they are listed. Each comes once, and a cue once more with its segment, however often the playlist repeats it. What cannot be read
 * is left out and reported as `hls_bad_splice_mark`.
 */
export class PlaylistSplices {
  readonly #problem: (problem: FormatProblem) => void;
  readonly #runs = new DateRuns();
  #ranges: readonly SpliceDateRange[] = [];
  /** What was given of date ranges: its time, by attribute and ID. */
  readonly #given = new Map<string, number>();
  /** The item whose first access unit is awaited. */
  #item: MediaItem | undefined;
  #lastMsn = -1;
  readonly #coming = new ComingSegments();
  /** What was announced of cues before segments to come: its time, by segment, kind and event. */
  readonly #announced = new Map<string, number>();
  #hasSections = false;
  /** Whether what cannot be read is left out without a word: its segment has not come yet. */
  #isAhead = false;
  /** The break that the cues have started. */
  #break: { readonly eventId: number; readonly atTicks: number } | undefined;

  constructor(problem: (problem: FormatProblem) => void) {
    this.#problem = problem;
  }

  /** A version of the playlist came in. */
  listed({ dateRanges = [], segments }: MediaPlaylist): void {
    this.#ranges = dateRanges;
    this.#runs.set(dateRanges.length > 0 ? segments : []);
    this.#coming.set(segments);
    if (this.#given.size <= MAX_GIVEN) return;
    const ids = new Set(dateRanges.map(({ id }) => id));
    for (const key of this.#given.keys()) if (!ids.has(key.slice(key.indexOf(' ') + 1))) this.#given.delete(key);
  }

  /** The access units that come now are those of this item. */
  open(item: MediaItem): void {
    const isNew = item.msn !== this.#lastMsn || item.part === undefined || item.part === 0;
    // The same segments once more: a recording that begins again, or a server that does.
    if (isNew && item.msn <= this.#lastMsn) {
      this.#given.clear();
      this.#announced.clear();
    }
    this.#lastMsn = item.msn;
    this.#item = item;
  }

  /** The splice points to announce before the first access unit of the item, which is shown at `ptsTicks`. */
  place(ptsTicks: number): readonly ListedSplice[] {
    const item = this.#item;
    this.#item = undefined;
    if (!item) return [];
    const cues = item.marks ? this.#cues(item, item.marks, ptsTicks).filter((cue) => !this.#isExact(item, cue)) : [];
    const dates =
      this.#ranges.length === 0 || item.dateMs === undefined ? [] : this.#dates(item, item.dateMs, ptsTicks);
    return [...cues, ...dates, ...this.#aheadOf(item, ptsTicks)];
  }

  /** The media has a section of its own: marks without one say what it says again, and do not go before it. */
  sectionCame(): void {
    this.#hasSections = true;
  }

  /** The cues before segments that are listed and still to come: at the time that the lengths give, and anew where that turns out to be another one. */
  #aheadOf(item: MediaItem, ptsTicks: number): ListedSplice[] {
    const started = this.#break;
    this.#isAhead = true;
    const found = this.#coming.after(item, ptsTicks).flatMap(({ msn, marks, atTicks }) => {
      const stated = marks.filter(({ kind }) => kind !== 'continued' && kind !== 'damaged');
      return this.#cues({ ...item, msn, isAfterHole: false }, stated, atTicks).filter((cue) => {
        const key = this.#keyOf(msn, cue);
        const before = this.#announced.get(key ?? '');
        if (key === undefined || (cue.isMade && this.#hasSections) || isNear(before, atTicks, MAX_DRIFT_TICKS))
          return false;
        this.#announced.set(key, atTicks);
        return true;
      });
    });
    this.#isAhead = false;
    this.#break = started;
    for (const key of this.#announced.keys()) if (Number.parseInt(key, 10) <= item.msn) this.#announced.delete(key);
    return found;
  }

  /** Names a cue; undefined where it has no event id by which it is known again when its segment comes. */
  #keyOf(msn: number, { message }: ListedSplice): string | undefined {
    const [event] = this.#read(message.section);
    const { kind, eventId } = event ?? {};
    return (kind === 'out' || kind === 'in') && typeof eventId === 'number' ? `${msn} ${kind} ${eventId}` : undefined;
  }

  /** Whether a cue was announced for the very time at which its segment begins. */
  #isExact({ msn }: MediaItem, cue: ListedSplice): boolean {
    return isNear(this.#announced.get(this.#keyOf(msn, cue) ?? ''), cue.message.atTicks, TICKS_PER_MS);
  }

  #cues(item: MediaItem, marks: readonly SpliceMark[], ptsTicks: number): ListedSplice[] {
    const found: ListedSplice[] = [];
    const sections = marks.flatMap(({ kind, section }) => (kind === 'section' && section ? [section] : []));
    const known = sections.flatMap((section) => this.#read(section));
    const take = (isFitting: (section: Section) => boolean): Section | undefined => {
      const at = known.findIndex(isFitting);
      return at < 0 ? undefined : known.splice(at, 1)[0];
    };
    // Several tags before one segment that say the same are one mark.
    for (const kind of new Set(marks.map((mark) => mark.kind))) {
      const same = marks.filter((mark) => mark.kind === kind);
      const stated = same.map(({ section }) => section).find((section) => section !== undefined);
      if (kind === 'damaged') this.#reportDamage(`before segment ${item.msn}`);
      else if (kind === 'out') {
        if (stated) known.unshift(...this.#read(stated));
        const own = take((section) => section.kind !== 'in');
        found.push(this.#out(item, same, own, ptsTicks));
      } else if (kind === 'in') {
        if (stated) known.unshift(...this.#read(stated));
        const own = take((section) => section.kind === 'in');
        found.push(this.#in(item, own, ptsTicks));
      } else if (kind === 'continued') {
        const own = stated ? this.#read(stated).find((section) => section.kind !== 'in') : undefined;
        found.push(...this.#continued(item, same, own, ptsTicks));
      }
    }
    for (const section of known) found.push(alone(section, ptsTicks));
    return found;
  }

  #out(item: MediaItem, marks: readonly SpliceMark[], own: Section | undefined, atTicks: number): ListedSplice {
    const durationMs = marks.map((mark) => mark.durationMs).find((duration) => duration !== undefined);
    const eventId = own?.eventId ?? marks.find((mark) => mark.eventId !== undefined)?.eventId ?? idOf(item);
    this.#break = { eventId, atTicks };
    if (own) return listed(own.section, atTicks, 'cue', false);
    const made = { eventId, isOut: true, ptsTicks: atTicks, ...(durationMs === undefined ? {} : { durationMs }) };
    return listed(makeSpliceSection(made), atTicks, 'cue', true);
  }

  #in(item: MediaItem, own: Section | undefined, atTicks: number): ListedSplice {
    const eventId = this.#break?.eventId ?? idOf(item);
    this.#break = undefined;
    if (own) return listed(own.section, atTicks, 'cue', false);
    return listed(makeSpliceSection({ eventId, isOut: false, ptsTicks: atTicks }), atTicks, 'cue', true);
  }

  /** A break that goes on says something new only where its start was not seen. */
  #continued(
    item: MediaItem,
    marks: readonly SpliceMark[],
    own: Section | undefined,
    ptsTicks: number,
  ): ListedSplice[] {
    const elapsedMs = marks.map((mark) => mark.elapsedMs).find((elapsed) => elapsed !== undefined);
    if (elapsedMs === undefined) return [];
    const atTicks = ptsTicks - elapsedMs * TICKS_PER_MS;
    const isKnown = this.#break && (!item.isAfterHole || Math.abs(this.#break.atTicks - atTicks) <= SAME_BREAK_TICKS);
    return isKnown ? [] : [this.#out(item, marks, own, atTicks)];
  }

  #dates(item: MediaItem, itemMs: number, ptsTicks: number): ListedSplice[] {
    const found: ListedSplice[] = [];
    for (const range of this.#ranges) {
      for (const name of ['out', 'in', 'cmd'] as const) {
        const value = range[name];
        const dateMs = value && (name === 'in' ? endOf(range) : range.startMs);
        if (dateMs === undefined || !this.#runs.areTogether(itemMs, dateMs)) continue;
        const atTicks = Math.round(ptsTicks + (dateMs - itemMs) * TICKS_PER_MS);
        const key = `${name} ${range.id}`;
        const before = this.#given.get(key);
        const isHere = dateMs >= itemMs && dateMs < itemMs + item.durationMs;
        if (before !== undefined && !(isHere && Math.abs(atTicks - before) > MAX_DRIFT_TICKS)) continue;
        this.#given.set(key, atTicks);
        if (value === 'damaged' && before === undefined) this.#reportDamage(`of the date range ${range.id}`);
        for (const own of value === 'damaged' || value === undefined ? [] : this.#read(value)) {
          // Only an event with an id is recognized when it moves.
          if (before === undefined || own.eventId !== null) found.push(listed(own.section, atTicks, 'date', false));
        }
      }
    }
    return found;
  }

  /** Events of a section; none if it is damaged, which is reported. */
  #read(section: Uint8Array): readonly Section[] {
    return spliceEventsOf(section).flatMap((event) => {
      const info = readSpliceInfo(event);
      if (!info) this.#reportDamage(`of ${event.length} bytes`);
      return info ? [{ section: event, ...readSplicePoint(info) }] : [];
    });
  }

  #reportDamage(what: string): void {
    if (this.#isAhead) return;
    this.#problem({ code: 'hls_bad_splice_mark', detail: `A splice mark ${what} cannot be read and is left out.` });
  }
}

/** Whether a time is known and no farther away than this, on a clock of 33 bits. */
function isNear(before: number | undefined, ticks: number, mostTicks: number): boolean {
  return before !== undefined && wrapTicks(before - ticks + mostTicks) <= 2 * mostTicks;
}

function listed(section: Uint8Array, ticks: number, origin: 'cue' | 'date', isMade: boolean): ListedSplice {
  const atTicks = Math.round(ticks);
  const timed = retimeSpliceSection(section, atTicks) ?? section;
  return { message: { sourceId: 0, section: timed, atTicks }, origin, isMade };
}

/** A section without a cue beside it: what it says itself of its time holds, where that lies not far ahead. */
function alone({ section }: Section, ptsTicks: number): ListedSplice {
  const info = readSpliceInfo(section);
  const own = info && spliceTimeTicks(info);
  const aheadTicks = own === undefined ? Infinity : wrapTicks(own - ptsTicks);
  return aheadTicks > MAX_NOTICE_TICKS
    ? listed(section, ptsTicks, 'cue', false)
    : { message: { sourceId: 0, section, atTicks: ptsTicks }, origin: 'cue', isMade: false };
}

/** When the break of a date range ends: as it says, or as its sections do. */
function endOf({ startMs, durationMs, out, in: back }: SpliceDateRange): number | undefined {
  if (durationMs !== undefined) return startMs + durationMs;
  const [from, to] = [out, back].map((section) => {
    const info = section instanceof Uint8Array ? readSpliceInfo(section) : undefined;
    return info && spliceTimeTicks(info);
  });
  if (from === undefined || to === undefined) return undefined;
  const ticks = wrapTicks(to - from);
  return ticks > 86_400 * INPUT_TIMESCALE ? undefined : startMs + ticks / TICKS_PER_MS;
}

/** An event id for a break that has none: that of no other break of the playlist. */
function idOf({ msn }: MediaItem): number {
  return msn % 2 ** 31;
}
