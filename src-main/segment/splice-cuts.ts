import { isSameEvent, type SplicePoint } from '../media/scte35/splice-point.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';

/** A time at which a segment has to start. */
interface SpliceCut {
  /** UTC in microseconds. */
  readonly us: number;
  readonly kind: StreamSplice['kind'];
  readonly splice: SplicePoint;
}

/** Cuts that are waited for, the nearest ones; encoders announce one or two ahead. */
const MOST_CUTS = 16;

/**
 * The splice points at which no segment has begun yet, and the announced ends of breaks, which are as good as splice points (`break_duration`, SCTE 35, 9.8.2). What
 * the media has not come to goes with its event where that is cancelled, and moves where it is announced for another time.
 */
export class SpliceCuts {
  #cuts: readonly SpliceCut[] = [];

  /** When the next one is, in microseconds; Infinity where there is none. */
  get nextUs(): number {
    return this.#cuts[0]?.us ?? Infinity;
  }

  /**
   * Takes what is announced, or taken back.
   *
   * @param cutUs start of the newest segment: nothing is cut before it any more
   * @param mediaUs how far the media has come: what lies before it has happened
   */
  announce(splice: StreamSplice, cutUs: number, mediaUs: number): void {
    const { kind, atMs, durationMs } = splice;
    const us = atMs * 1000;
    const announced: SpliceCut[] = kind === 'cancel' ? [] : [{ us, kind, splice }];
    if (kind === 'out' && durationMs !== null) announced.push({ us: us + durationMs * 1000, kind: 'in', splice });
    const isOver = (cut: SpliceCut): boolean =>
      isSameEvent(cut.splice, splice) &&
      cut.us > mediaUs &&
      (kind === 'cancel' || announced.some((other) => other.kind === cut.kind));
    const kept = this.#cuts.filter((cut) => !isOver(cut));
    const fresh = announced.filter((cut) => cut.us > cutUs && !kept.some((other) => other.us === cut.us));
    this.#cuts = [...kept, ...fresh].sort((a, b) => a.us - b.us).slice(0, MOST_CUTS);
  }

  clear(): void {
    this.#cuts = [];
  }

  /** A segment begins: forgets all up to a time in microseconds. */
  forgetUntil(us: number): void {
    if (this.nextUs <= us) this.#cuts = this.#cuts.filter((cut) => cut.us > us);
  }
}
