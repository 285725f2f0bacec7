import { isSameEvent, type SplicePoint } from '../media/scte35/splice-point.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';

/** Time at which a segment must start. */
interface SpliceCut {
  /** UTC in microseconds. */
  readonly us: number;
  readonly kind: StreamSplice['kind'];
  readonly splice: SplicePoint;
}

/** Maximum number of pending cuts; the nearest are kept. Encoders announce one or two ahead. */
const MAX_CUTS = 16;

/**
 * Pending cuts: splice points, and announced ends of breaks (`break_duration`, SCTE 35, 9.8.2). A cut that the media has not reached
 * is removed when its event is cancelled, and moves when the event is announced for another time.
 */
export class SpliceCuts {
  #cuts: readonly SpliceCut[] = [];

  /** Time of the next cut in microseconds; Infinity if none. */
  get nextUs(): number {
    return this.#cuts[0]?.us ?? Infinity;
  }

  /**
   * Processes an announcement or a cancellation.
   * @param segmentStartUs start of the newest segment, before which no cut is possible
   * @param mediaUs newest media time: earlier cuts were made
   */
  announce(splice: StreamSplice, segmentStartUs: number, mediaUs: number): void {
    const { kind, atMs, durationMs } = splice;
    const us = atMs * 1000;
    const announced: SpliceCut[] = kind === 'cancel' ? [] : [{ us, kind, splice }];
    if (kind === 'out' && durationMs !== null) announced.push({ us: us + durationMs * 1000, kind: 'in', splice });
    const isReplaced = (cut: SpliceCut): boolean =>
      isSameEvent(cut.splice, splice) &&
      cut.us > mediaUs &&
      (kind === 'cancel' || announced.some((other) => other.kind === cut.kind));
    const current = this.#cuts.filter((cut) => !isReplaced(cut));
    const fresh = announced.filter((cut) => cut.us > segmentStartUs && !current.some((other) => other.us === cut.us));
    this.#cuts = [...current, ...fresh].sort((a, b) => a.us - b.us).slice(0, MAX_CUTS);
  }

  clear(): void {
    this.#cuts = [];
  }

  /** Forgets cuts up to the start of a segment, in microseconds. */
  forgetUntil(us: number): void {
    if (this.nextUs <= us) this.#cuts = this.#cuts.filter((cut) => cut.us > us);
  }
}
