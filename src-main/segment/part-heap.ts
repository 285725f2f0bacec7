import { copyIntoShared } from '../media/codecs/nal/native-bytes.ts';
import { firstUse, isUsed, USE_COUNT_BYTES } from './shared-use.ts';
import type { SharedBytes } from './window-event.ts';

interface Region {
  /** Position of the use count, which the media follows. */
  readonly start: number;
  readonly end: number;
}

const ALIGNMENT = 8;
/** Memory grows in steps of this many bytes. */
const STEP_BYTES = 128 * 1024;

/**
 * Shared memory for the parts of one track. Samples are appended to an open region as they arrive. A closed region does not
 * change until its last reader has released it; then its memory is reused, lowest address first. So the heap stays as small as
 * the window.
 */
export class PartHeap {
  readonly buffer: SharedArrayBuffer;
  /** Address space in bytes. */
  readonly capacityBytes: number;
  #bytes: Uint8Array;
  /** Use counts in the same memory. */
  #counts: Int32Array;
  /** Closed regions that may still be read, by address. */
  #regions: Region[] = [];
  #start = 0;
  #cursor = 0;
  /** End of the unused range around the open region. */
  #gapEnd = 0;
  #head = 0;

  /** @param capacityBytes address space; memory is only used for written bytes */
  constructor(capacityBytes: number) {
    this.capacityBytes = capacityBytes;
    // A growable buffer has its own pages, which the system gets back. For a fixed buffer the C library reuses memory
    // and clears all of it.
    this.buffer = new SharedArrayBuffer(Math.min(STEP_BYTES, capacityBytes), { maxByteLength: capacityBytes });
    this.#bytes = fullView(this.buffer);
    this.#counts = countsOf(this.buffer);
  }

  /** All memory of the heap, to write a header before the samples of the open region. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Index in `bytes` of the first sample of the open region. */
  get samplesStart(): number {
    return this.#start + this.#head;
  }

  /** Current size of the open region, in bytes. */
  get openBytes(): number {
    return this.#cursor - this.#start;
  }

  /** Whether every region was released. */
  get isUnused(): boolean {
    this.#reclaim();
    return this.#regions.length === 0;
  }

  /**
   * Opens a region with room for a header before its samples.
   * @returns false when there is no unused range of `expectBytes`
   */
  open(headBytes: number, expectBytes: number): boolean {
    this.#reclaim();
    this.#head = USE_COUNT_BYTES + headBytes;
    return this.#settle(this.#head + expectBytes);
  }

  /**
   * Appends a copy of one sample.
   * @returns false when the region has no room for the sample and cannot be moved to a larger unused range
   */
  append(data: Uint8Array): boolean {
    if (this.#cursor + data.length > this.#gapEnd && !this.#move(data.length)) return false;
    this.#grow(this.#cursor + data.length);
    copyIntoShared(data, this.bytes, this.#cursor);
    this.#cursor += data.length;
    return true;
  }

  /** Closes the region. Its bytes run from `from` (the actual start of the header) to the last sample, and have one reader. */
  close(from: number): SharedBytes {
    const region: Region = { start: this.#start, end: align(this.#cursor) };
    const index = this.#regions.findIndex((other) => other.start > region.start);
    if (index < 0) this.#regions.push(region);
    else this.#regions.splice(index, 0, region);
    const shared: SharedBytes = {
      buffer: this.buffer,
      offset: from,
      length: this.#cursor - from,
      useOffset: region.start,
    };
    firstUse(shared);
    return shared;
  }

  /** Moves the open region of a smaller heap here. */
  adopt(other: PartHeap): void {
    this.#head = other.#head;
    this.#settle(other.openBytes * 2);
    this.#grow(this.#start + other.openBytes);
    this.bytes.set(other.bytes.subarray(other.#start, other.#cursor), this.#start);
    this.#cursor = this.#start + other.openBytes;
  }

  #reclaim(): void {
    const regions = this.#regions;
    let live = 0;
    for (const region of regions) if (isUsed(this.#counts, region.start)) regions[live++] = region;
    regions.length = live;
  }

  /** Moves the empty open region into the lowest unused range that is large enough. */
  #settle(bytes: number): boolean {
    let from = 0;
    let at = 0;
    let end = this.#endOfGap(0);
    while (end - from < bytes) {
      const region = this.#regions[at++];
      if (!region) return false;
      from = region.end;
      end = this.#endOfGap(at);
    }
    this.#start = from;
    this.#cursor = from + this.#head;
    this.#gapEnd = end;
    this.#grow(this.#cursor);
    return true;
  }

  /** End of the unused range before a region; after the last region, the end of the memory. */
  #endOfGap(index: number): number {
    return this.#regions[index]?.start ?? this.capacityBytes;
  }

  #move(more: number): boolean {
    const from = this.#start;
    const length = this.openBytes;
    if (!this.#settle((length + more) * 2)) return false;
    this.#grow(this.#start + length);
    this.bytes.copyWithin(this.#start, from, from + length);
    this.#cursor = this.#start + length;
    return true;
  }

  /** Grows the memory up to `end`. */
  #grow(end: number): void {
    if (end <= this.#bytes.length) return;
    this.buffer.grow(Math.min(this.capacityBytes, Math.ceil(end / STEP_BYTES) * STEP_BYTES));
    this.#bytes = fullView(this.buffer);
    this.#counts = countsOf(this.buffer);
  }
}

/** View of the whole buffer with an explicit length: a length-tracking view is many times slower. */
function fullView(buffer: SharedArrayBuffer): Uint8Array {
  return new Uint8Array(buffer, 0, buffer.byteLength);
}

function countsOf(buffer: SharedArrayBuffer): Int32Array {
  return new Int32Array(buffer, 0, Math.floor(buffer.byteLength / Int32Array.BYTES_PER_ELEMENT));
}

function align(index: number): number {
  return Math.ceil(index / ALIGNMENT) * ALIGNMENT;
}
