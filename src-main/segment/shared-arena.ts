import { retain, USE_HEADER_BYTES } from './shared-use.ts';
import type { SlabPool } from './slab-pool.ts';
import type { SharedBytes } from './window-event.ts';

/** How many regions of the usual size one slab should hold: the memory that trimmed parts keep alive stays small. */
const REGIONS_PER_SLAB = 4.3;

/**
 * Shared memory for the parts of one track. Samples are appended to an open region as they come; a closed region is
 * handed over and never touched again. Regions lie in slabs; a slab goes back to its pool when the last region
 * in it has left every window.
 */
export class SharedArena {
  #buffer: SharedArrayBuffer = new SharedArrayBuffer(0);
  #bytes: Uint8Array = new Uint8Array(this.#buffer);
  #start = 0;
  #cursor = 0;
  /** Sliding mean of the length of a region. */
  #usualBytes: number;
  #head = 0;
  readonly #pool: SlabPool;

  /** @param expectBytes first guess of the length of a region */
  constructor(pool: SlabPool, expectBytes: number) {
    this.#pool = pool;
    this.#usualBytes = expectBytes;
  }

  /** The memory of the open region, to write a header in front of its samples. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Index in `bytes` at which the samples of the open region begin. */
  get samplesStart(): number {
    return this.#start + this.#head;
  }

  /** Length of the samples in the open region so far. */
  get samplesBytes(): number {
    return this.#cursor - this.#start - this.#head;
  }

  /** Opens a region with room for a header of `headBytes` before its samples. */
  open(headBytes: number): void {
    this.#head = headBytes;
    const expected = headBytes + Math.ceil(this.#usualBytes * 1.25);
    if (this.#cursor + expected > this.#bytes.length) this.#newSlab(expected);
    this.#start = this.#cursor;
    this.#cursor += headBytes;
  }

  /** Copies one sample behind those that are there. */
  append(data: Uint8Array): void {
    const end = this.#cursor + data.length;
    if (end > this.#bytes.length) this.#move(data.length);
    this.#bytes.set(data, this.#cursor);
    this.#cursor += data.length;
  }

  /** Closes the region; its bytes run from `from` (where the header really starts) to the last sample, and have one reader. */
  close(from: number): SharedBytes {
    const length = this.#cursor - from;
    this.#usualBytes += (length - this.#usualBytes) / 8;
    if (length > this.#usualBytes * 2) this.#usualBytes = length / 2;
    retain(this.#buffer);
    return { buffer: this.#buffer, offset: from, length };
  }

  /** Gives the slab back; nothing more is written. */
  dispose(): void {
    this.#pool.retire(this.#buffer);
    this.#buffer = new SharedArrayBuffer(0);
    this.#bytes = new Uint8Array(this.#buffer);
    this.#start = 0;
    this.#cursor = 0;
  }

  #newSlab(atLeast: number): void {
    this.#pool.retire(this.#buffer);
    const wanted = USE_HEADER_BYTES + this.#usualBytes * REGIONS_PER_SLAB;
    this.#buffer = this.#pool.take(wanted, USE_HEADER_BYTES + atLeast);
    this.#bytes = new Uint8Array(this.#buffer);
    this.#start = USE_HEADER_BYTES;
    this.#cursor = USE_HEADER_BYTES;
  }

  /** Moves the open region to a larger slab. */
  #move(more: number): void {
    const open = this.#bytes.subarray(this.#start, this.#cursor);
    this.#newSlab((open.length + more) * 2);
    this.#bytes.set(open, this.#start);
    this.#cursor = this.#start + open.length;
  }
}
