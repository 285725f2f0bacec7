import { PACKET_BYTES } from '../../media/containers/mpegts/packet.ts';

/** Time of one sum, and number of sums that are kept. */
const SUM_MS = 1000;
const MAX_SUMS = 10;
/** Payload of a packet, and the header of a unit. */
const PAYLOAD_BYTES = PACKET_BYTES - 4;
const UNIT_HEADER_BYTES = 30;
/** Packets per second for tables and clock references. */
const EXTRA_PACKETS = 50;
/** Reserve, and unit of the result in kbit/s. */
const RESERVE = 1.05;
const STEP_KBIT = 50;

/** Rate that a stream needs: its largest second of the last ten. */
export class NeededRate {
  /** Packets of each second. */
  readonly #sums: number[] = [0];
  #startMs = Number.NaN;

  /** Adds a unit. @param nowMs milliseconds of a monotonic clock */
  add(bytes: number, nowMs: number): void {
    if (!(nowMs - this.#startMs < SUM_MS)) {
      this.#startMs = nowMs;
      this.#sums.push(0);
      if (this.#sums.length > MAX_SUMS) this.#sums.shift();
    }
    this.#sums.push((this.#sums.pop() ?? 0) + Math.ceil((bytes + UNIT_HEADER_BYTES) / PAYLOAD_BYTES));
  }

  /** Rate in kbit/s, rounded up. */
  get kbit(): number {
    const packets = Math.max(...this.#sums) + EXTRA_PACKETS;
    return Math.ceil((packets * PACKET_BYTES * 8 * RESERVE) / 1000 / STEP_KBIT) * STEP_KBIT;
  }
}
