import type { HeapPool } from './heap-pool.ts';
import type { PartHeap } from './part-heap.ts';
import type { SharedBytes } from './window-event.ts';

/** Address space of the first heap of a track in bytes: 30 s at 8 Mbit/s, or at 1 Mbit/s for audio. */
const FIRST_CAPACITY = { video: 32 * 1024 * 1024, audio: 4 * 1024 * 1024 };

/** Memory for the samples of one track: a heap, which is replaced by a larger one when the window needs more memory. */
export class SharedArena {
  readonly #pool: HeapPool;
  #heap: PartHeap;
  /** Moving average of the length of a part, in bytes. */
  #usualBytes: number;

  /** @param expectedBytes assumed length of the first part */
  constructor(pool: HeapPool, content: 'video' | 'audio', expectedBytes: number) {
    this.#pool = pool;
    this.#heap = pool.take(FIRST_CAPACITY[content]);
    this.#usualBytes = expectedBytes;
  }

  /** Memory of the open region, to write a header before its samples. */
  get bytes(): Uint8Array {
    return this.#heap.bytes;
  }

  /** Index in `bytes` of the first sample of the open region. */
  get samplesStart(): number {
    return this.#heap.samplesStart;
  }

  /** Opens a region with room for a header of `headBytes` before the samples. */
  open(headBytes: number): void {
    const expected = Math.ceil(this.#usualBytes * 1.25);
    while (!this.#heap.open(headBytes, expected)) this.#replace(this.#heap.capacityBytes * 2);
  }

  /** Appends a copy of one sample. */
  append(data: Uint8Array): void {
    while (!this.#heap.append(data)) {
      const outgrown = this.#heap;
      this.#replace(Math.max(outgrown.capacityBytes * 2, (outgrown.openBytes + data.length) * 4));
      this.#heap.adopt(outgrown);
    }
  }

  /** Closes the region. Its bytes run from `from` (the actual start of the header) to the last sample, and have one reader. */
  close(from: number): SharedBytes {
    const bytes = this.#heap.close(from);
    this.#usualBytes += (bytes.length - this.#usualBytes) / 8;
    if (bytes.length > this.#usualBytes * 2) this.#usualBytes = bytes.length / 2;
    return bytes;
  }

  /** Releases the memory; nothing more is written. */
  dispose(): void {
    this.#pool.retire(this.#heap);
  }

  #replace(capacityBytes: number): void {
    this.#pool.retire(this.#heap);
    this.#heap = this.#pool.take(Math.ceil(capacityBytes / 4096) * 4096);
  }
}
