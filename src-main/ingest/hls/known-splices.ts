import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { SpliceMessage } from '../../media/access-unit.ts';
import { makeCancelSection } from '../../media/scte35/made-splice.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { readSplicePoint, spliceTimeOf } from '../../media/scte35/splice-point.ts';

/** Source of a splice message: a section in the media, a cue before a segment, a date range. */
export type SpliceOrigin = 'media' | 'cue' | 'date';

interface KnownSplice {
  readonly origin: SpliceOrigin;
  readonly kind: string;
  readonly eventId: number | null;
  readonly isMade: boolean;
  readonly atTicks: number;
}

/**
 * Maximum difference between the times that two sources state for one event: a segment starts with the key frame after its splice
 * point.
 */
const SAME_EVENT_TICKS = 5 * INPUT_TIMESCALE;
/** The same, for messages without comparable event ids: only their times show that they are one point. */
const SAME_TIME_TICKS = 1.5 * INPUT_TIMESCALE;
/** A nearer point is not cancelled any more: its segment may have started. */
const MIN_AHEAD_TICKS = INPUT_TIMESCALE / 5;
const MAX_KNOWN = 64;

/**
 * Recognizes a splice point stated by two sources: packagers repeat marks of the media in the playlist, in more than one dialect.
 */
export class KnownSplices {
  #known: KnownSplice[] = [];

  /**
   * Messages to emit for a message: none if another source has stated its point. If that was a mark without a section, announced
   * ahead, the section replaces it. Times are on the common timeline.
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
  const distance = Math.abs(a.atTicks - b.atTicks);
  if (a.eventId !== null && a.eventId === b.eventId) return distance <= SAME_EVENT_TICKS;
  return (a.isMade || b.isMade || a.eventId === b.eventId) && distance <= SAME_TIME_TICKS;
}
