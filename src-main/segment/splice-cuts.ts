import type { StreamSplice } from '../stream/stream-splice.ts';

/** A place at which a segment is to begin. */
interface SpliceCut {
  /** UTC in microseconds. */
  readonly us: number;
  readonly kind: StreamSplice['kind'];
  readonly eventId: number | null;
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
  announce({ kind, eventId, atMs, durationMs }: StreamSplice, cutUs: number, mediaUs: number): void {
    const us = atMs * 1000;
    const announced: SpliceCut[] = kind === 'cancel' ? [] : [{ us, kind, eventId }];
    if (kind === 'out' && durationMs !== null) announced.push({ us: us + durationMs * 1000, kind: 'in', eventId });
    const isOver = (cut: SpliceCut): boolean =>
      eventId !== null &&
      cut.eventId === eventId &&
      cut.us > mediaUs &&
      (kind === 'cancel' || announced.some((other) => other.kind === cut.kind));
    const kept = this.#cuts.filter((cut) => !isOver(cut));
    const fresh = announced.filter((cut) => cut.us > cutUs && !kept.some((other) => other.us === cut.us));
    this.#cuts = [...kept, ...fresh].sort((a, b) => a.us - b.us).slice(0, MOST_CUTS);
  }

  /** A segment begins: forgets all up to a time in microseconds. */
  forgetUntil(us: number): void {
    if (this.nextUs <= us) this.#cuts = this.#cuts.filter((cut) => cut.us > us);
  }
}
