import { PACKET_BYTES, SYNC_BYTE } from './packet.ts';

/** Receives the packets of the grid. */
export interface PacketGridSink {
  /** Called for each packet; its 188 bytes start at `at`. Borrowed until the call returns. */
  packet(bytes: Buffer, at: number): void;
  /** Called when the grid is lost. Packets follow again when a grid is found. */
  syncLost(): void;
}

/** Supported packet distances: plain, with the time stamp of M2TS, with Reed-Solomon bytes. */
const STRIDES = [188, 192, 204] as const;
const LONGEST_STRIDE = 204;

/** Number of consecutive sync bytes that prove a grid. */
const SYNCS_TO_LOCK = 5;
const WINDOW_BYTES = LONGEST_STRIDE * (SYNCS_TO_LOCK - 1) + 1;
const SEARCH_BYTES = 16 * 1024;

/**
 * Finds the grid of transport packets in bytes that come in chunks of any size. Packets inside one chunk are emitted in place;
 * only a packet across two chunks, and the bytes searched for a grid, are copied.
 */
export class PacketGrid {
  readonly #sink: PacketGridSink;
  /** Distance from packet to packet in bytes; 0 while the grid is searched. */
  #stride = 0;
  /** Bytes to skip before the next packet. */
  #toSkip = 0;
  readonly #partial = Buffer.alloc(PACKET_BYTES);
  #partialBytes = 0;
  #search: Buffer | undefined;
  #searchBytes = 0;
  #skippedBytes = 0;
  #unlockedBytes = 0;

  constructor(sink: PacketGridSink) {
    this.#sink = sink;
  }

  /** Distance from packet to packet in bytes: 188, 192 or 204; 0 while there is no grid. */
  get strideBytes(): number {
    return this.#stride;
  }

  /** Bytes outside any grid since the start. */
  get skippedBytes(): number {
    return this.#skippedBytes;
  }

  /** Consecutive bytes without a grid; 0 while there is one. */
  get bytesWithoutGrid(): number {
    return this.#stride > 0 ? 0 : this.#unlockedBytes + this.#searchBytes;
  }

  push(bytes: Uint8Array): void {
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = buffer.length;
    let at = 0;
    while (at < end) at = this.#stride > 0 ? this.#walk(buffer, at, end) : this.#seek(buffer, at, end);
  }

  /**
   * Processes the end of the stream: in the remaining bytes, fewer packets are enough for a grid. After that, the search
   * restarts.
   */
  flush(): void {
    if (this.#stride === 0) this.#scan(true);
    this.#skippedBytes += this.#searchBytes + this.#partialBytes;
    this.#stride = 0;
    this.#toSkip = 0;
    this.#partialBytes = 0;
    this.#searchBytes = 0;
    this.#unlockedBytes = 0;
  }

  /** Emits packets from `at`; returns `end`, or the position at which the grid is lost. */
  #walk(buffer: Buffer, at: number, end: number): number {
    const stride = this.#stride;
    if (this.#partialBytes > 0) {
      const taken = Math.min(PACKET_BYTES - this.#partialBytes, end - at);
      buffer.copy(this.#partial, this.#partialBytes, at, at + taken);
      this.#partialBytes += taken;
      at += taken;
      if (this.#partialBytes < PACKET_BYTES) return end;
      this.#partialBytes = 0;
      this.#toSkip = stride - PACKET_BYTES;
      this.#sink.packet(this.#partial, 0);
    }
    at += this.#toSkip;
    const sink = this.#sink;
    while (at + PACKET_BYTES <= end) {
      if (buffer[at] !== SYNC_BYTE) return this.#lose(at);
      sink.packet(buffer, at);
      at += stride;
    }
    if (at >= end) {
      this.#toSkip = at - end;
      return end;
    }
    if (buffer[at] !== SYNC_BYTE) return this.#lose(at);
    this.#toSkip = 0;
    this.#partialBytes = buffer.copy(this.#partial, 0, at, end);
    return end;
  }

  #lose(at: number): number {
    this.#stride = 0;
    this.#toSkip = 0;
    this.#sink.syncLost();
    return at;
  }

  /** Collects bytes for the search; returns the number of bytes consumed. */
  #seek(buffer: Buffer, at: number, end: number): number {
    this.#search ??= Buffer.allocUnsafe(SEARCH_BYTES);
    const taken = Math.min(SEARCH_BYTES - this.#searchBytes, end - at);
    buffer.copy(this.#search, this.#searchBytes, at, at + taken);
    this.#searchBytes += taken;
    this.#scan(false);
    return at + taken;
  }

  /** Searches the collected bytes for a grid and emits its packets, until they are used up or too few. */
  #scan(isLast: boolean): void {
    const search = this.#search;
    if (!search) return;
    for (;;) {
      const end = this.#searchBytes;
      const start = this.#findGrid(search, end, isLast);
      const next = this.#stride > 0 ? this.#walk(search, start, end) : start;
      if (this.#stride === 0) this.#unlockedBytes += start;
      else this.#unlockedBytes = 0;
      this.#skippedBytes += start;
      search.copyWithin(0, next, end);
      this.#searchBytes = end - next;
      if (this.#stride > 0 || next === 0 || (next === start && !isLast)) return;
    }
  }

  /** Sets the stride and returns the start of the first packet; or returns the number of bytes that cannot be a start. */
  #findGrid(search: Buffer, end: number, isLast: boolean): number {
    for (let at = 0; ; at++) {
      at = search.subarray(0, end).indexOf(SYNC_BYTE, at);
      if (at < 0) return end;
      if (!isLast && at + WINDOW_BYTES > end) return at;
      for (const stride of STRIDES) {
        if (isGrid(search, at, end, stride)) {
          this.#stride = stride;
          return at;
        }
      }
    }
  }
}

/** Whether packets of this distance start at `at`; near the end of the bytes two packets are enough. */
function isGrid(bytes: Buffer, at: number, end: number, stride: number): boolean {
  if (at + stride + PACKET_BYTES > end) return false;
  for (let n = 1; n < SYNCS_TO_LOCK; n++) {
    const next = at + n * stride;
    if (next >= end) break;
    if (bytes[next] !== SYNC_BYTE) return false;
  }
  return true;
}
