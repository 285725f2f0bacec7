import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { SpliceMessage } from '../../media/access-unit.ts';
import { makeCancelSection } from '../../media/scte35/splice-section.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { readSplicePoint, spliceTimeOf } from '../../media/scte35/splice-point.ts';

/** Source of a splice message: a section in the media, a cue before a segment, a date range. */
export type SpliceOrigin = 'media' | 'cue' | 'date';

interface StatedSplice {
  readonly origin: SpliceOrigin;
  readonly kind: string;
  readonly eventId: number | null;
  readonly isGenerated: boolean;
  readonly atTicks: number;
}

/**
 * Maximum difference between the times of one event in two sources. A segment starts with the key frame after its
 * splice point.
 */
const SAME_EVENT_TICKS = 5 * INPUT_TIMESCALE;
/** Maximum difference between the times of one splice point in two sources without comparable event ids. */
const SAME_TIME_TICKS = 1.5 * INPUT_TIMESCALE;
/**
 * Minimum time before a splice point at which a cancellation is accepted. Later, the segment of the splice point may
 * have started.
 */
const MIN_AHEAD_TICKS = INPUT_TIMESCALE / 5;
const MAX_STATED = 64;

/** Recognizes splice points that two sources state: packagers repeat marks of the media in the playlist, in several dialects. */
export class StatedSplices {
  #stated: StatedSplice[] = [];

  /**
   * Returns the messages to emit for a message: none if another source has already stated its splice point. An announced mark
   * without a section is replaced by the section. Times are on the common timeline.
   */
  take(message: SpliceMessage, origin: SpliceOrigin, isGenerated: boolean): readonly SpliceMessage[] {
    const info = readSpliceInfo(message.section);
    if (!info) return [message];
    const { kind, eventId } = readSplicePoint(info);
    const splice: StatedSplice = { origin, kind, eventId, isGenerated, atTicks: spliceTimeOf(info, message) };
    if (kind === 'cancel') return [message];
    const other = this.#stated.findIndex((one) => one.origin !== origin && isOnePoint(splice, one));
    const stated = this.#stated[other];
    if (!stated) {
      this.#stated.push(splice);
      if (this.#stated.length > MAX_STATED) this.#stated.shift();
      return [message];
    }
    const isAhead = stated.atTicks - message.atTicks > MIN_AHEAD_TICKS;
    if (!stated.isGenerated || isGenerated || stated.eventId === null || eventId === stated.eventId || !isAhead)
      return [];
    this.#stated[other] = splice;
    return [{ ...message, section: makeCancelSection(stated.eventId) }, message];
  }
}

function isOnePoint(a: StatedSplice, b: StatedSplice): boolean {
  if (a.kind !== b.kind) return false;
  const distance = Math.abs(a.atTicks - b.atTicks);
  if (a.eventId !== null && a.eventId === b.eventId) return distance <= SAME_EVENT_TICKS;
  return (a.isGenerated || b.isGenerated || a.eventId === b.eventId) && distance <= SAME_TIME_TICKS;
}
