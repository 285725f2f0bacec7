import type { FileBytes } from '../../media/containers/file-bytes.ts';

/** Bytes per read: first for a pass over the whole file, then for a pass that skips most of it. */
const LARGE_BYTES = 1 << 20;
const SMALL_BYTES = 16 * 1024;
/** Maximum gap that is read and discarded, which is as fast as a separate read. */
const MAX_GAP_BYTES = 128 * 1024;
/** Overlap of consecutive blocks, so that a structure cut at the end of a block is complete in the next one. */
const OVERLAP_BYTES = 16 * 1024;

/** Read of the next block in progress. */
interface NextBlock {
  readonly start: number;
  readonly memory: Uint8Array;
  readonly length: Promise<number>;
}

/** Sequential reader: reads the next block while the caller processes the current one, unless the caller jumps far. */
export class ReadAhead {
  /** Current block; valid until another one is requested. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Offset of the current block in the file. */
  start = 0;
  readonly #file: FileBytes;
  /** Buffers of the current block and the next one. */
  #memory: Uint8Array = new Uint8Array(0);
  #spare: Uint8Array = new Uint8Array(0);
  #next: NextBlock | undefined;

  constructor(file: FileBytes) {
    this.#file = file;
  }

  has(offset: number, length: number): boolean {
    return offset >= this.start && offset + length <= this.start + this.bytes.length;
  }

  /**
   * Returns the bytes at an offset and makes them part of the current block; undefined if they extend past the end of the file.
   */
  async view(offset: number, length: number): Promise<Uint8Array | undefined> {
    if (offset + length > this.#file.sizeBytes) return undefined;
    if (!this.has(offset, length)) await this.#goTo(offset, length);
    const from = offset - this.start;
    return this.has(offset, length) ? this.bytes.subarray(from, from + length) : undefined;
  }

  async #goTo(offset: number, length: number): Promise<void> {
    const isNear = offset >= this.start && offset <= this.start + this.bytes.length + MAX_GAP_BYTES;
    const next = this.#next;
    this.#next = undefined;
    // Waits for the read even if its bytes are not needed: its buffer is reused.
    const nextLength = (await next?.length) ?? 0;
    if (next && offset >= next.start && offset + length <= next.start + nextLength) {
      this.start = next.start;
      this.bytes = next.memory.subarray(0, nextLength);
      [this.#memory, this.#spare] = [this.#spare, this.#memory];
    } else await this.#read(offset, Math.max(length, isNear ? LARGE_BYTES : SMALL_BYTES));
    if (isNear) this.#readNext();
  }

  async #read(offset: number, limitBytes: number): Promise<void> {
    const sizeBytes = Math.min(limitBytes, this.#file.sizeBytes - offset);
    if (this.#memory.length < sizeBytes) this.#memory = new Uint8Array(sizeBytes);
    const length = await this.#file.read(this.#memory.subarray(0, sizeBytes), offset);
    this.start = offset;
    this.bytes = this.#memory.subarray(0, length);
  }

  #readNext(): void {
    const end = this.start + this.bytes.length;
    if (end >= this.#file.sizeBytes || this.bytes.length < LARGE_BYTES) return;
    if (this.#spare.length < LARGE_BYTES) this.#spare = new Uint8Array(LARGE_BYTES);
    const memory = this.#spare.subarray(0, LARGE_BYTES);
    const start = end - OVERLAP_BYTES;
    const length = this.#file.read(memory, start);
    // The error is thrown when the block is requested.
    length.catch(() => undefined);
    this.#next = { start, memory, length };
  }
}
