import { INPUT_TIMESCALE } from '../../media/access-unit.ts';

/**
 * The times of the packets of one elementary stream where the container leaves some out: a packet without any follows the one before it. The
 * first packet of RTP often has none, because its time is not yet known; it waits for that of the second.
 */
export class UnitTimes {
  /** Times of the packet that `settle` was called for. */
  dtsTicks = Number.NaN;
  ptsTicks = Number.NaN;
  #last = Number.NaN;

  /** Settles the times of a packet; false where nothing is known yet. @param unitTicks usual duration of a packet */
  settle(dtsTicks: number, ptsTicks: number, unitTicks: number): boolean {
    this.dtsTicks = dtsTicks;
    this.ptsTicks = Number.isNaN(ptsTicks) ? dtsTicks : ptsTicks;
    if (Number.isNaN(this.ptsTicks)) this.ptsTicks = this.#last + unitTicks;
    this.#last = this.ptsTicks;
    return !Number.isNaN(this.ptsTicks);
  }

  /** The presentation time of the packet before the one that was settled: the start of the count, where that is near. */
  before(unitTicks: number): number {
    return this.ptsTicks > 0 && this.ptsTicks < INPUT_TIMESCALE ? 0 : this.ptsTicks - unitTicks;
  }
}
