import type { EventFields } from '../../src-preload/contract/events/catalogue.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';
import { isSameEvent } from '../media/scte35/splice-point.ts';
import type { WindowSplice } from '../segment/segment-window.ts';
import { spliceObjectOf } from './splice-object-of.ts';

/** Number of splice points that are reported at once, and the milliseconds until one more may be reported. */
const BURST = 16;
const EVERY_MS = 5000;
/** Maximum number of remembered splice points, the newest. */
const MAX_KNOWN = 64;
/** Maximum difference of two announcements of the same point, in milliseconds. */
const SAME_MS = 40;

/**
 * Reports of the splice points of one stream. Each splice point is reported once, however often it is announced, and
 * again when it is moved or cancelled. If there are too many, the first ones are reported, and later the number of
 * omitted ones.
 */
export class SpliceReports {
  readonly #bucket = new TokenBucket(BURST, EVERY_MS);
  #known: WindowSplice[] = [];
  #leftOut = 0;

  /**
   * Report of an announced splice point; undefined if it was reported before, or if there are too many.
   *
   * @param nowMs epoch milliseconds
   */
  take(media: string, splice: WindowSplice, nowMs: number): EventFields<'splice_point'> | undefined {
    const isKnown = this.#known.some(
      (other) =>
        other.kind === splice.kind &&
        (isSameEvent(other, splice) || (other.eventId === null && splice.eventId === null)) &&
        Math.abs(other.atMs - splice.atMs) < SAME_MS,
    );
    if (isKnown) return undefined;
    this.#known = [...this.#known.slice(1 - MAX_KNOWN), splice];
    if (!this.#bucket.take(nowMs)) {
      this.#leftOut++;
      return undefined;
    }
    const { segmentation, at, event_id: spliceEventId, ...shown } = spliceObjectOf(splice);
    const [first] = segmentation;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return {
      media,
      ...shown,
      at,
      // Named differently, because every event has its own `event_id`.
      splice_event_id: spliceEventId,
      segmentation_type: first?.type ?? null,
      upid_type: first?.upid_type ?? null,
      upid: first?.upid ?? null,
      left_out: leftOut,
    };
  }
}
