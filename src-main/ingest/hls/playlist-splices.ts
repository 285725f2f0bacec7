import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { FormatProblem, SpliceMessage } from '../../media/access-unit.ts';
import { wrapTicks } from '../../media/containers/mpegts/packet.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { SpliceDateRange, SpliceMark } from '../../media/manifests/hls/splice-mark.ts';
import { makeSpliceSection, retimeSpliceSection } from '../../media/scte35/splice-section.ts';
import { spliceEventsOf } from '../../media/scte35/splice-events.ts';
import { readSpliceInfo, spliceTimeTicks } from '../../media/scte35/splice-info.ts';
import { readSplicePoint } from '../../media/scte35/splice-point.ts';
import { ComingSegments } from './coming-segments.ts';
import { DateRuns } from './date-runs.ts';
import type { MediaItem } from './media-item.ts';

/** Splice message from a playlist. */
interface ListedSplice {
  readonly message: SpliceMessage;
  /** Kind of mark. */
  readonly origin: 'cue' | 'date';
  /** Whether the section was generated here. Its event id then has no meaning outside. */
  readonly isGenerated: boolean;
}

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/**
 * Maximum time by which the splice time of a section may be after the start of its segment, for the section to count
 * as a notice.
 */
const MAX_NOTICE_TICKS = 120 * INPUT_TIMESCALE;
/** Maximum difference of the starts that two marks state for the same break. */
const SAME_BREAK_TICKS = 3 * INPUT_TIMESCALE;
/** Maximum correction of the time of a date range that is not announced. */
const MAX_DRIFT_TICKS = 20 * TICKS_PER_MS;
/** Maximum number of remembered marks of date ranges. */
const MAX_EMITTED = 4096;

interface Section {
  readonly section: Uint8Array;
  readonly kind: string;
  readonly eventId: number | null;
}

/**
 * Splice points marked in a media playlist, with times of its media: a cue at the start of its segment, a date range
 * at its date, counted from the EXT-X-PROGRAM-DATE-TIME of the current segment. Both are announced as soon as they
 * are listed. Each splice point is emitted once, and a cue once more with its segment, even if the playlist repeats
 * the mark. Unreadable marks are skipped and reported as `hls_bad_splice_mark`.
 */
export class PlaylistSplices {
  readonly #problem: (problem: FormatProblem) => void;
  readonly #runs = new DateRuns();
  #ranges: readonly SpliceDateRange[] = [];
  /** Emitted times of date ranges, by attribute and ID. */
  readonly #emitted = new Map<string, number>();
  /** Item whose first access unit is awaited. */
  #item: MediaItem | undefined;
  #lastMsn = -1;
  readonly #coming = new ComingSegments();
  /** Announced times of cues before coming segments, by segment, kind and event. */
  readonly #announced = new Map<string, number>();
  #hasSections = false;
  /** Whether unreadable marks are skipped silently, because their segment was not read yet. */
  #isAhead = false;
  /** Break started by cues. */
  #break: { readonly eventId: number; readonly atTicks: number } | undefined;

  constructor(problem: (problem: FormatProblem) => void) {
    this.#problem = problem;
  }

  /** Processes a version of the playlist. */
  listed({ dateRanges = [], segments }: MediaPlaylist): void {
    this.#ranges = dateRanges;
    this.#runs.set(dateRanges.length > 0 ? segments : []);
    this.#coming.set(segments);
    if (this.#emitted.size <= MAX_EMITTED) return;
    const ids = new Set(dateRanges.map(({ id }) => id));
    for (const key of this.#emitted.keys()) if (!ids.has(key.slice(key.indexOf(' ') + 1))) this.#emitted.delete(key);
  }

  /** Starts an item: the next access units belong to it. */
  open(item: MediaItem): void {
    const isNew = item.msn !== this.#lastMsn || item.part === undefined || item.part === 0;
    // The same segments again: a recording or a server restarted.
    if (isNew && item.msn <= this.#lastMsn) {
      this.#emitted.clear();
      this.#announced.clear();
    }
    this.#lastMsn = item.msn;
    this.#item = item;
  }

  /** Splice points to announce before the first access unit of the item, which is shown at `ptsTicks`. */
  due(ptsTicks: number): readonly ListedSplice[] {
    const item = this.#item;
    this.#item = undefined;
    if (!item) return [];
    const cues = item.marks ? this.#cues(item, item.marks, ptsTicks).filter((cue) => !this.#isExact(item, cue)) : [];
    const dates =
      this.#ranges.length === 0 || item.dateMs === undefined ? [] : this.#dates(item, item.dateMs, ptsTicks);
    return [...cues, ...dates, ...this.#aheadOf(item, ptsTicks)];
  }

  /** Records that the media contains sections: marks without a section only repeat them, and are not announced ahead. */
  foundSection(): void {
    this.#hasSections = true;
  }

  /**
   * Cues before listed segments that were not read yet, at the time predicted by durations, and again if the prediction
   * changes.
   */
  #aheadOf(item: MediaItem, ptsTicks: number): ListedSplice[] {
    const started = this.#break;
    this.#isAhead = true;
    const found = this.#coming.after(item, ptsTicks).flatMap(({ msn, marks, atTicks }) => {
      const stated = marks.filter(({ kind }) => kind !== 'continued' && kind !== 'damaged');
      return this.#cues({ ...item, msn, isAfterGap: false }, stated, atTicks).filter((cue) => {
        const key = this.#keyOf(msn, cue);
        const before = this.#announced.get(key ?? '');
        if (key === undefined || (cue.isGenerated && this.#hasSections) || isNear(before, atTicks, MAX_DRIFT_TICKS))
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

  /** Key of a cue, by which it is recognized when its segment arrives; undefined without an event id. */
  #keyOf(msn: number, { message }: ListedSplice): string | undefined {
    const [event] = this.#read(message.section);
    const { kind, eventId } = event ?? {};
    return (kind === 'out' || kind === 'in') && typeof eventId === 'number' ? `${msn} ${kind} ${eventId}` : undefined;
  }

  /** Whether a cue was announced for the exact start of its segment. */
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
    // Equal tags before one segment are one mark.
    for (const kind of new Set(marks.map((mark) => mark.kind))) {
      const same = marks.filter((mark) => mark.kind === kind);
      const stated = same.map(({ section }) => section).find((section) => section !== undefined);
      if (kind === 'damaged') this.#reportDamage(because('hls_mark_damaged', { number: item.msn }));
      else if (kind === 'out') {
        if (stated) known.unshift(...this.#read(stated));
        const section = take((section) => section.kind !== 'in');
        found.push(this.#out(item, same, section, ptsTicks));
      } else if (kind === 'in') {
        if (stated) known.unshift(...this.#read(stated));
        const section = take((section) => section.kind === 'in');
        found.push(this.#in(item, section, ptsTicks));
      } else if (kind === 'continued') {
        const section = stated ? this.#read(stated).find((section) => section.kind !== 'in') : undefined;
        found.push(...this.#continued(item, same, section, ptsTicks));
      }
    }
    for (const section of known) found.push(alone(section, ptsTicks));
    return found;
  }

  #out(item: MediaItem, marks: readonly SpliceMark[], section: Section | undefined, atTicks: number): ListedSplice {
    const durationMs = marks.map((mark) => mark.durationMs).find((duration) => duration !== undefined);
    const eventId = section?.eventId ?? marks.find((mark) => mark.eventId !== undefined)?.eventId ?? idOf(item);
    this.#break = { eventId, atTicks };
    if (section) return listed(section.section, atTicks, 'cue', false);
    const splice = { eventId, isOut: true, ptsTicks: atTicks, ...(durationMs === undefined ? {} : { durationMs }) };
    return listed(makeSpliceSection(splice), atTicks, 'cue', true);
  }

  #in(item: MediaItem, section: Section | undefined, atTicks: number): ListedSplice {
    const eventId = this.#break?.eventId ?? idOf(item);
    this.#break = undefined;
    if (section) return listed(section.section, atTicks, 'cue', false);
    return listed(makeSpliceSection({ eventId, isOut: false, ptsTicks: atTicks }), atTicks, 'cue', true);
  }

  /** Events of a continued break, which is new only if its start was missed. */
  #continued(
    item: MediaItem,
    marks: readonly SpliceMark[],
    section: Section | undefined,
    ptsTicks: number,
  ): ListedSplice[] {
    const elapsedMs = marks.map((mark) => mark.elapsedMs).find((elapsed) => elapsed !== undefined);
    if (elapsedMs === undefined) return [];
    const atTicks = ptsTicks - elapsedMs * TICKS_PER_MS;
    const isKnown = this.#break && (!item.isAfterGap || Math.abs(this.#break.atTicks - atTicks) <= SAME_BREAK_TICKS);
    return isKnown ? [] : [this.#out(item, marks, section, atTicks)];
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
        const before = this.#emitted.get(key);
        const isHere = dateMs >= itemMs && dateMs < itemMs + item.durationMs;
        if (before !== undefined && !(isHere && Math.abs(atTicks - before) > MAX_DRIFT_TICKS)) continue;
        this.#emitted.set(key, atTicks);
        if (value === 'damaged' && before === undefined)
          this.#reportDamage(because('hls_date_damaged', { id: range.id }));
        for (const section of value === 'damaged' || value === undefined ? [] : this.#read(value)) {
          // Only an event with an id can be recognized when its time changes.
          if (before === undefined || section.eventId !== null)
            found.push(listed(section.section, atTicks, 'date', false));
        }
      }
    }
    return found;
  }

  /** Events of a section; none if it is damaged, which is reported. */
  #read(section: Uint8Array): readonly Section[] {
    return spliceEventsOf(section).flatMap((event) => {
      const info = readSpliceInfo(event);
      if (!info) this.#reportDamage(because('hls_splice_damaged', { bytes: event.length }));
      return info ? [{ section: event, ...readSplicePoint(info) }] : [];
    });
  }

  #reportDamage(why: Explained): void {
    if (this.#isAhead) return;
    this.#problem({ code: 'hls_bad_splice_mark', ...why });
  }
}

/** Whether a time exists and is at most `maxTicks` away, on a 33-bit clock. */
function isNear(before: number | undefined, ticks: number, maxTicks: number): boolean {
  return before !== undefined && wrapTicks(before - ticks + maxTicks) <= 2 * maxTicks;
}

function listed(section: Uint8Array, ticks: number, origin: 'cue' | 'date', isGenerated: boolean): ListedSplice {
  const atTicks = Math.round(ticks);
  const timed = retimeSpliceSection(section, atTicks) ?? section;
  return { message: { sourceId: 0, section: timed, atTicks }, origin, isGenerated };
}

/** Splice of a section without a cue, at the time that the section states if this time is not too far ahead. */
function alone({ section }: Section, ptsTicks: number): ListedSplice {
  const info = readSpliceInfo(section);
  const spliceTicks = info && spliceTimeTicks(info);
  const aheadTicks = spliceTicks === undefined ? Infinity : wrapTicks(spliceTicks - ptsTicks);
  return aheadTicks > MAX_NOTICE_TICKS
    ? listed(section, ptsTicks, 'cue', false)
    : { message: { sourceId: 0, section, atTicks: ptsTicks }, origin: 'cue', isGenerated: false };
}

/** End of the break of a date range: as stated, or by its sections. */
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

/** Event id for a break without one, unique in the playlist. */
function idOf({ msn }: MediaItem): number {
  return msn % 2 ** 31;
}
