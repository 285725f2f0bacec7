import type { SharedBytes } from './window-event.ts';

const MIN_SLAB_BYTES = 32 * 1024;
const MAX_SLAB_BYTES = 4 * 1024 * 1024;
/** How many regions of the usual size one slab should hold: the memory that trimmed parts keep alive stays small. */
const REGIONS_PER_SLAB = 4.3;

/**
 * Shared memory for the parts of one track. Samples are appended to an open region as they come; a closed region is
 * handed over and never touched again. Regions lie in slabs; a slab is freed by the garbage collector when the last
 * region in it has left every window.
 */
export class SharedArena {
  #buffer: SharedArrayBuffer = new SharedArrayBuffer(0);
  #bytes: Uint8Array = new Uint8Array(this.#buffer);
  #start = 0;
  #cursor = 0;
  /** Sliding mean of the length of a region. */
  #usualBytes: number;
  #head = 0;

  /** @param expectBytes first guess of the length of a region */
  constructor(expectBytes: number) {
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

  /** Closes the region; its bytes run from `from` (where the header really starts) to the last sample. */
  close(from: number): SharedBytes {
    const length = this.#cursor - from;
    this.#usualBytes += (length - this.#usualBytes) / 8;
    if (length > this.#usualBytes * 2) this.#usualBytes = length / 2;
    return { buffer: this.#buffer, offset: from, length };
  }

  #newSlab(atLeast: number): void {
    const wanted = Math.min(MAX_SLAB_BYTES, Math.max(MIN_SLAB_BYTES, this.#usualBytes * REGIONS_PER_SLAB));
    this.#buffer = new SharedArrayBuffer(roundUp(Math.max(wanted, atLeast)));
    this.#bytes = new Uint8Array(this.#buffer);
    this.#start = 0;
    this.#cursor = 0;
  }

  /** Moves the open region to a larger slab. */
  #move(more: number): void {
    const open = this.#bytes.subarray(this.#start, this.#cursor);
    this.#newSlab((open.length + more) * 2);
    this.#bytes.set(open, 0);
    this.#cursor = open.length;
  }
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / 4096) * 4096;
}
