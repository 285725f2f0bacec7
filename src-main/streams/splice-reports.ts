import type { EventFields } from '../../src-preload/contract/events/catalogue.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';
import { isSameEvent } from '../media/scte35/splice-point.ts';
import type { WindowSplice } from '../segment/segment-window.ts';
import { spliceObjectOf } from './splice-object-of.ts';

/** Splice points that are reported at once, and after how many milliseconds there is one more. */
const BURST = 16;
const EVERY_MS = 5000;
/** Splice points that are remembered, the newest. */
const MOST_KNOWN = 64;
/** An announcement that differs by less is the same one, in milliseconds. */
const SAME_MS = 40;

/**
 * Which splice points of one stream are reported: each once, however often it is announced, and again when it is moved or taken back. Of a flood the
 * first ones; how many were left out is said with the next.
 */
export class SpliceReports {
  readonly #bucket = new TokenBucket(BURST, EVERY_MS);
  #known: WindowSplice[] = [];
  #leftOut = 0;

  /** What to report of a splice point that was announced now; undefined where it is known, or where there are too many. @param nowMs epoch milliseconds */
  take(media: string, splice: WindowSplice, nowMs: number): EventFields<'splice_point'> | undefined {
    const isKnown = this.#known.some(
      (other) =>
        other.kind === splice.kind &&
        (isSameEvent(other, splice) || (other.eventId === null && splice.eventId === null)) &&
        Math.abs(other.atMs - splice.atMs) < SAME_MS,
    );
    if (isKnown) return undefined;
    this.#known = [...this.#known.slice(1 - MOST_KNOWN), splice];
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
      // An event has a number of its own, which is `event_id`.
      splice_event_id: spliceEventId,
      segmentation_type: first?.type ?? null,
      upid_type: first?.upid_type ?? null,
      upid: first?.upid ?? null,
      left_out: leftOut,
    };
  }
}
