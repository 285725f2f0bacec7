import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { SpliceMessage } from '../../media/access-unit.ts';
import { makeCancelSection } from '../../media/scte35/made-splice.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { readSplicePoint, spliceTimeOf } from '../../media/scte35/splice-point.ts';

/** Where a splice message came from: a section of the media, a cue before a segment, a date range. */
export type SpliceOrigin = 'media' | 'cue' | 'date';

interface KnownSplice {
  readonly origin: SpliceOrigin;
  readonly kind: string;
  readonly eventId: number | null;
  readonly isMade: boolean;
  readonly atTicks: number;
}

/** Times that two origins state of one event may differ by so much: a segment begins with the key frame behind its splice point. */
const SAME_EVENT_TICKS = 5 * INPUT_TIMESCALE;
/** The same, where nothing but the time says that it is one point. */
const SAME_TIME_TICKS = 1.5 * INPUT_TIMESCALE;
/** What is nearer is not taken back any more: its segment may begin. */
const MIN_AHEAD_TICKS = INPUT_TIMESCALE / 5;
const MAX_KNOWN = 64;

/** Recognizes a splice point that two origins state: packagers write into the playlist what stands in the media too, in more than one dialect. */
export class KnownSplices {
  #known: KnownSplice[] = [];

  /**
   * What is to be passed on for a message: nothing where another origin has stated its point. Where that was by a mark without a section, which was announced
   * ahead, the section takes its place. Times are those of the common timeline.
   */
  take(message: SpliceMessage, origin: SpliceOrigin, isMade: boolean): readonly SpliceMessage[] {
    const info = readSpliceInfo(message.section);
    if (!info) return [message];
    const { kind, eventId } = readSplicePoint(info);
    const splice: KnownSplice = { origin, kind, eventId, isMade, atTicks: spliceTimeOf(info, message) };
    if (kind === 'cancel') return [message];
    const other = this.#known.findIndex((one) => one.origin !== origin && isOnePoint(splice, one));
    const stated = this.#known[other];
    if (!stated) {
      this.#known.push(splice);
      if (this.#known.length > MAX_KNOWN) this.#known.shift();
      return [message];
    }
    const isAhead = stated.atTicks - message.atTicks > MIN_AHEAD_TICKS;
    if (!stated.isMade || isMade || stated.eventId === null || eventId === stated.eventId || !isAhead) return [];
    this.#known[other] = splice;
    return [{ ...message, section: makeCancelSection(stated.eventId) }, message];
  }
}

function isOnePoint(a: KnownSplice, b: KnownSplice): boolean {
  if (a.kind !== b.kind) return false;
  const apart = Math.abs(a.atTicks - b.atTicks);
  if (a.eventId !== null && a.eventId === b.eventId) return apart <= SAME_EVENT_TICKS;
  return (a.isMade || b.isMade || a.eventId === b.eventId) && apart <= SAME_TIME_TICKS;
}
