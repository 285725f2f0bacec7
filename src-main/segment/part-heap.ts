import { copyIntoShared } from '../media/codecs/nal/native-bytes.ts';
import { firstUse, isUsed, USE_COUNT_BYTES } from './shared-use.ts';
import type { SharedBytes } from './window-event.ts';

interface Region {
  /** First byte: the use count stands here, the media behind it. */
  readonly start: number;
  readonly end: number;
}

const ALIGNMENT = 8;
/** Memory is taken in steps of so many bytes. */
const STEP_BYTES = 128 * 1024;

/**
 * Shared memory for the parts of one track. Samples are appended to an open region as they come; a closed region is
 * handed over, and never touched again until its last reader has let go of it. Then its place is used again, the
 * lowest first: so the memory that is really touched stays as small as the window.
 */
export class PartHeap {
  readonly buffer: SharedArrayBuffer;
  /** Address space in bytes. */
  readonly capacityBytes: number;
  #bytes: Uint8Array;
  /** The same memory, to look at use counts. */
  #counts: Int32Array;
  /** Closed regions that may still be read, by address. */
  #regions: Region[] = [];
  #start = 0;
  #cursor = 0;
  /** Where the gap ends that the open region lies in. */
  #gapEnd = 0;
  #head = 0;

  /** @param capacityBytes address space; memory is only taken for what is written */
  constructor(capacityBytes: number) {
    this.capacityBytes = capacityBytes;
    // One that grows lies in pages of its own, which the system gets back. Of a fixed one the allocator of the C library makes
    // memory that was used before, and clears it from end to end.
    this.buffer = new SharedArrayBuffer(Math.min(STEP_BYTES, capacityBytes), { maxByteLength: capacityBytes });
    this.#bytes = wholeOf(this.buffer);
    this.#counts = countsOf(this.buffer);
  }

  /** All of the memory so far, to write a header in front of the samples of the open region. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Index in `bytes` at which the samples of the open region begin. */
  get samplesStart(): number {
    return this.#start + this.#head;
  }

  /** Bytes of the open region so far. */
  get openBytes(): number {
    return this.#cursor - this.#start;
  }

  /** Whether every region was let go of. */
  get isUnused(): boolean {
    this.#reclaim();
    return this.#regions.length === 0;
  }

  /**
   * Opens a region with room for a header before its samples.
   *
   * @returns false when there is no gap of `expectBytes`
   */
  open(headBytes: number, expectBytes: number): boolean {
    this.#reclaim();
    this.#head = USE_COUNT_BYTES + headBytes;
    return this.#settle(this.#head + expectBytes);
  }

  /**
   * Copies one sample behind those that are there.
   *
   * @returns false when the region has no room for it and cannot be moved to a larger gap
   */
  append(data: Uint8Array): boolean {
    if (this.#cursor + data.length > this.#gapEnd && !this.#move(data.length)) return false;
    this.#grow(this.#cursor + data.length);
    copyIntoShared(data, this.bytes, this.#cursor);
    this.#cursor += data.length;
    return true;
  }

  /** Closes the region; its bytes run from `from` (where the header really starts) to the last sample, and have one reader. */
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

  /** Takes over the open region of a heap that was too small. */
  adopt(other: PartHeap): void {
    this.#head = other.#head;
    this.#settle(other.openBytes * 2);
    this.#grow(this.#start + other.openBytes);
    this.bytes.set(other.bytes.subarray(other.#start, other.#cursor), this.#start);
    this.#cursor = this.#start + other.openBytes;
  }

  #reclaim(): void {
    const regions = this.#regions;
    let kept = 0;
    for (const region of regions) if (isUsed(this.#counts, region.start)) regions[kept++] = region;
    regions.length = kept;
  }

  /** Places an empty region into the lowest gap that is large enough. */
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

  /** Where the gap before a region ends; behind the last one, with the memory. */
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

  /** Takes memory up to `end`. */
  #grow(end: number): void {
    if (end <= this.#bytes.length) return;
    this.buffer.grow(Math.min(this.capacityBytes, Math.ceil(end / STEP_BYTES) * STEP_BYTES));
    this.#bytes = wholeOf(this.buffer);
    this.#counts = countsOf(this.buffer);
  }
}

/** With its length said: a view that follows the length of its buffer is many times slower. */
function wholeOf(buffer: SharedArrayBuffer): Uint8Array {
  return new Uint8Array(buffer, 0, buffer.byteLength);
}

function countsOf(buffer: SharedArrayBuffer): Int32Array {
  return new Int32Array(buffer, 0, Math.floor(buffer.byteLength / Int32Array.BYTES_PER_ELEMENT));
}

function align(index: number): number {
  return Math.ceil(index / ALIGNMENT) * ALIGNMENT;
}
