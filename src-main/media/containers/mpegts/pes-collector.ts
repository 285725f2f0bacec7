import { grownBytes } from '../grown-bytes.ts';
import { MAX_PES_HEADER_BYTES, PES_PREFIX_BYTES } from './pes-header.ts';

/** Maximum payload of a PES packet; a longer one is a fault. */
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

const MAX_BUFFER_BYTES = MAX_PAYLOAD_BYTES + MAX_PES_HEADER_BYTES;
const FIRST_BUFFER_BYTES = 16 * 1024;

/** Maximum memory for the PES packets of all streams of one input. */
export const MAX_PES_BYTES = 32 * 1024 * 1024;

/** Number of PES packets after which the buffer is compared with the largest of them. */
const REVIEW_PACKETS = 256;

/** Memory that the PES collectors of one input share. */
export class PesMemory {
  bytes = 0;

  /** Reserves more bytes; false if there is no room. */
  take(bytes: number): boolean {
    if (this.bytes + bytes > MAX_PES_BYTES) return false;
    this.bytes += bytes;
    return true;
  }
}

/** Receives the PES packets of one packet identifier. */
export interface PesSink {
  /** Complete PES packet with its header, `bytes[0..end)`. Borrowed until `release`, or until the call returns without it. */
  pes(bytes: Buffer, end: number): void;
  /** Bytes of a PES packet after lost packets, `bytes[0..end)`, borrowed in the same way; absent if they are of no use. */
  readonly rest?: ((bytes: Buffer, end: number) => void) | undefined;
  /** First bytes of a PES packet, `bytes[start..end)`. Called until it returns true or the packet is complete. */
  readonly started?: ((bytes: Buffer, start: number, end: number) => boolean) | undefined;
  /** Called before the memory of the last PES packet changes. */
  readonly release?: (() => void) | undefined;
  /** Called when packets were lost after the last PES packet. */
  interrupted(): void;
  /** Called when a PES packet exceeds `MAX_PAYLOAD_BYTES` or the memory of the input. Its remaining bytes are dropped. */
  tooLarge(): void;
}

/**
 * Collects PES packets in one reused buffer. A packet with a stated length is emitted as soon as it is complete, and a packet
 * without a stated length when the next one starts.
 */
export class PesCollector {
  readonly #sink: PesSink;
  readonly #memory: PesMemory;
  #buffer = EMPTY;
  #largest = 0;
  #packets = 0;
  #length = 0;
  /** Total size of the packet; 0 if not stated. */
  #expected = 0;
  #isOpen = false;
  /** Whether the bytes follow lost ones. */
  #isRest = false;
  #isClosed = false;
  #isPeeking = false;

  constructor(sink: PesSink, memory: PesMemory) {
    this.#sink = sink;
    this.#memory = memory;
  }

  /** Whether a started PES packet was not emitted yet. */
  get isOpen(): boolean {
    return this.#isOpen && !(this.#isRest && this.#length === 0);
  }

  /** Releases its memory; later packets are ignored. */
  close(): void {
    this.#isClosed = true;
    this.#isOpen = false;
    this.#releaseMemory();
  }

  /** Starts a PES packet with the payload of a transport packet. */
  start(bytes: Buffer, start: number, end: number): void {
    if (this.#isOpen) this.#finish();
    // The emitted packet may have ended the stream.
    if (this.#isClosed) return;
    this.#isPeeking = this.#sink.started?.(bytes, start, end) === false;
    this.#sink.release?.();
    this.#isOpen = !this.#isClosed;
    if (++this.#packets >= REVIEW_PACKETS) this.#review();
    this.#length = 0;
    this.#expected = 0;
    this.#isRest = false;
    this.append(bytes, start, end);
  }

  /** Continues the open PES packet with the payload of a transport packet. */
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
    if (this.#isPeeking)
      this.#isPeeking = this.#sink.started?.(this.#buffer, 0, Math.min(length, this.#expected)) === false;
    if (length >= this.#expected) {
      this.#length = this.#expected;
      this.#finish();
    }
  }

  /** Emits the open PES packet, which is complete. */
  finish(): void {
    if (this.#isOpen) this.#finish();
  }

  /**
   * Emits the bytes before lost packets.
   * @param goesOn whether the bytes up to the next start belong to the same PES packet or a later one: the sink gets them as
   * `rest`
   */
  interrupt(goesOn = false): void {
    const hasRest = goesOn && this.#isOpen && this.#sink.rest !== undefined;
    this.finish();
    this.#sink.interrupted();
    if (!hasRest || this.#isClosed) return;
    this.#sink.release?.();
    this.#isOpen = true;
    this.#isRest = true;
    this.#isPeeking = false;
    this.#length = 0;
    this.#expected = Number.POSITIVE_INFINITY;
  }

  #finish(): void {
    this.#isOpen = false;
    this.#largest = Math.max(this.#largest, this.#length);
    if (!this.#isRest) this.#sink.pes(this.#buffer, this.#length);
    else if (this.#length > 0) this.#sink.rest?.(this.#buffer, this.#length);
  }

  #grow(needed: number): boolean {
    const before = this.#buffer.length;
    const bytes = Math.min(MAX_BUFFER_BYTES, Math.max(needed, before * 2, FIRST_BUFFER_BYTES));
    if (needed > MAX_BUFFER_BYTES || !this.#memory.take(bytes - before)) {
      this.#isOpen = false;
      this.#releaseMemory();
      this.#sink.tooLarge();
      return false;
    }
    this.#buffer = grownBytes(this.#buffer, this.#length, bytes, MAX_BUFFER_BYTES);
    return true;
  }

  /** Releases a buffer that is much too large. */
  #review(): void {
    if (this.#buffer.length > Math.max(FIRST_BUFFER_BYTES, 4 * this.#largest)) this.#releaseMemory();
    this.#largest = 0;
    this.#packets = 0;
  }

  #releaseMemory(): void {
    this.#memory.bytes -= this.#buffer.length;
    this.#buffer = EMPTY;
    this.#length = 0;
  }
}

const EMPTY = Buffer.alloc(0);
