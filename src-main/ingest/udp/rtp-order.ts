import type { RtpPacket } from './rtp-packet.ts';

/** Maximum packets held while an earlier one is missing. */
export const REORDER_PACKETS = 16;

/** A sequence number farther away than this is a restart of the sender, not a loss. */
const RESTART_DISTANCE = 1024;

/** Receives packets in order. */
export interface RtpOrderSink {
  payload(bytes: Uint8Array): void;
  lost(packets: number): void;
}

/** Restores the order of RTP packets by sequence number within a small window; later packets are lost. */
export class RtpOrder {
  readonly #sink: RtpOrderSink;
  readonly #early = new Map<number, Uint8Array>();
  #next: number | undefined;
  #ssrc = 0;

  constructor(sink: RtpOrderSink) {
    this.#sink = sink;
  }

  /** Adds a packet. Its payload is kept while an earlier one is missing, so it must not be overwritten. */
  push({ sequence, ssrc, payload }: RtpPacket): void {
    if (this.#next === undefined || ssrc !== this.#ssrc) this.#restart(sequence, ssrc);
    const ahead = (sequence - (this.#next ?? sequence)) & 0xffff;
    if (ahead === 0) {
      this.#give(payload);
      this.#drain();
      return;
    }
    const isBehind = ahead > 0x8000;
    if ((isBehind ? 0x10000 - ahead : ahead) > RESTART_DISTANCE) {
      this.#restart(sequence, ssrc);
      this.#give(payload);
      return;
    }
    // An earlier packet is a duplicate, or too late.
    if (isBehind) return;
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

  /** Gives up the packets missing before the first held one. */
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
