import { MAX_PES_HEADER_BYTES, PES_PREFIX_BYTES } from './pes-header.ts';

/** Largest access unit that is taken in; longer ones are a fault. */
export const MAX_UNIT_BYTES = 8 * 1024 * 1024;

const MAX_BUFFER_BYTES = MAX_UNIT_BYTES + MAX_PES_HEADER_BYTES;
const FIRST_BUFFER_BYTES = 16 * 1024;

/** Who receives the PES packets of one packet identifier. */
export interface PesSink {
  /** A PES packet with its header, `bytes[0..end)`. Borrowed until the call returns. */
  pes(bytes: Buffer, end: number): void;
  /** Packets were lost after the last PES packet. */
  interrupted(): void;
  /** A PES packet grew beyond `MAX_UNIT_BYTES`; the rest of it is dropped. */
  tooLarge(): void;
}

/**
 * Gathers PES packets in one buffer that is used again and again. A packet that states its length is handed on as soon
 * as it is whole, one that does not when the next one starts.
 */
export class PesCollector {
  readonly #sink: PesSink;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #length = 0;
  /** Bytes of the whole packet; 0 where it does not say. */
  #expected = 0;
  #isOpen = false;

  constructor(sink: PesSink) {
    this.#sink = sink;
  }

  /** A packet of the transport stream in which a PES packet starts. */
  begin(bytes: Buffer, start: number, end: number): void {
    if (this.#isOpen) this.#finish();
    this.#isOpen = true;
    this.#length = 0;
    this.#expected = 0;
    this.append(bytes, start, end);
  }

  /** A packet of the transport stream that goes on with the open PES packet. */
  append(bytes: Buffer, start: number, end: number): void {
    if (!this.#isOpen) return;
    const length = this.#length + end - start;
    if (length > this.#buffer.length && !this.#grow(length)) return;
    bytes.copy(this.#buffer, this.#length, start, end);
    this.#length = length;
    if (this.#expected === 0) {
      if (length < PES_PREFIX_BYTES) return;
      const stated = (this.#buffer[4]! << 8) | this.#buffer[5]!;
      this.#expected = stated === 0 ? Number.POSITIVE_INFINITY : PES_PREFIX_BYTES + stated;
    }
    if (length >= this.#expected) {
      this.#length = this.#expected;
      this.#finish();
    }
  }

  /** Packets were lost: what came before them is handed on, what follows is dropped up to the next start. */
  interrupt(): void {
    if (this.#isOpen) this.#finish();
    this.#sink.interrupted();
  }

  #finish(): void {
    this.#isOpen = false;
    this.#sink.pes(this.#buffer, this.#length);
  }

  #grow(needed: number): boolean {
    if (needed > MAX_BUFFER_BYTES) {
      this.#isOpen = false;
      this.#sink.tooLarge();
      return false;
    }
    const larger = Buffer.allocUnsafeSlow(Math.min(MAX_BUFFER_BYTES, Math.max(needed, this.#buffer.length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
    return true;
  }
}
