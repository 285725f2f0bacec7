import { INPUT_TIMESCALE } from '../../media/access-unit.ts';

/**
 * Times of the packets of one elementary stream whose container omits some times. A packet without a time follows the
 * previous packet. The first RTP packet often has no time; it gets a time when the second packet arrives.
 */
export class PacketTimes {
  /** Times of the packet last passed to `settle`. */
  dtsTicks = Number.NaN;
  ptsTicks = Number.NaN;
  #last = Number.NaN;

  /** Determines the times of a packet; false if no time was stated yet. @param unitTicks usual duration of a packet */
  settle(dtsTicks: number, ptsTicks: number, unitTicks: number): boolean {
    this.dtsTicks = dtsTicks;
    this.ptsTicks = Number.isNaN(ptsTicks) ? dtsTicks : ptsTicks;
    if (Number.isNaN(this.ptsTicks)) this.ptsTicks = this.#last + unitTicks;
    this.#last = this.ptsTicks;
    return !Number.isNaN(this.ptsTicks);
  }

  /**
   * Presentation time of the packet before the last settled packet: one packet earlier, or 0 if the last one is within 1 s of 0.
   */
  before(unitTicks: number): number {
    return this.ptsTicks > 0 && this.ptsTicks < INPUT_TIMESCALE ? 0 : this.ptsTicks - unitTicks;
  }
}
