import type { RtpPacket } from '../../media/containers/mpegts/rtp-packet.ts';

/** Maximum number of packets stored while an earlier one is missing. */
export const REORDER_PACKETS = 16;

/** Maximum distance of sequence numbers that counts as a loss; a larger distance is a restart of the sender. */
const RESTART_DISTANCE = 1024;

/** Receives packets in order. */
export interface RtpOrderSink {
  payload(bytes: Uint8Array): void;
  lost(packets: number): void;
}

/**
 * Restores the order of RTP packets by sequence number within a small window. Packets that arrive after it count as
 * lost.
 */
export class RtpOrder {
  readonly #sink: RtpOrderSink;
  readonly #early = new Map<number, Uint8Array>();
  #next: number | undefined;
  #ssrc = 0;

  constructor(sink: RtpOrderSink) {
    this.#sink = sink;
  }

  /** Adds a packet. Its payload is stored while an earlier packet is missing, so it must not be overwritten. */
  push({ sequence, ssrc, payload }: RtpPacket): void {
    if (this.#next === undefined || ssrc !== this.#ssrc) this.#restart(sequence, ssrc);
    const ahead = (sequence - (this.#next ?? sequence)) & 0xffff;
    if (ahead === 0) {
      this.#give(payload);
      this.#drain();
      return;
    }
    const isLate = ahead > 0x8000;
    if ((isLate ? 0x10000 - ahead : ahead) > RESTART_DISTANCE) {
      this.#restart(sequence, ssrc);
      this.#give(payload);
      return;
    }
    // An earlier packet is a duplicate, or too late.
    if (isLate) return;
    this.#early.set(sequence, payload);
    if (this.#early.size >= REORDER_PACKETS) this.#skip();
  }

  #give(payload: Uint8Array): void {
    this.#next = ((this.#next ?? 0) + 1) & 0xffff;
    this.#sink.payload(payload);
  }

  #drain(): void {
    while (this.#early.size > 0) {
      const next = this.#next ?? 0;
      const payload = this.#early.get(next);
      if (!payload) return;
      this.#early.delete(next);
      this.#give(payload);
    }
  }

  /** Skips the packets missing before the first stored one. */
  #skip(): void {
    const next = this.#next ?? 0;
    let lost = 0xffff;
    for (const sequence of this.#early.keys()) lost = Math.min(lost, (sequence - next) & 0xffff);
    this.#sink.lost(lost);
    this.#next = (next + lost) & 0xffff;
    this.#drain();
  }

  #restart(sequence: number, ssrc: number): void {
    while (this.#early.size > 0) {
      this.#skip();
    }
    this.#ssrc = ssrc;
    this.#next = sequence;
  }
}
