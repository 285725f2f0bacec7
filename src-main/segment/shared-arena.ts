import type { HeapPool } from './heap-pool.ts';
import type { PartHeap } from './part-heap.ts';
import type { SharedBytes } from './window-event.ts';

/** Address space of the first heap of a track in bytes: enough for a window of half a minute at 8 Mbit/s, or 1 Mbit/s of sound. */
const FIRST_CAPACITY = { video: 32 * 1024 * 1024, audio: 4 * 1024 * 1024 };

/** Where the samples of one track go: a heap that is replaced by a larger one when the window outgrows it. */
export class SharedArena {
  readonly #pool: HeapPool;
  #heap: PartHeap;
  /** Sliding mean of the length of a part. */
  #usualBytes: number;

  /** @param expectBytes first guess of the length of a part */
  constructor(pool: HeapPool, content: 'video' | 'audio', expectBytes: number) {
    this.#pool = pool;
    this.#heap = pool.take(FIRST_CAPACITY[content]);
    this.#usualBytes = expectBytes;
  }

  /** The memory of the open region, to write a header in front of its samples. */
  get bytes(): Uint8Array {
    return this.#heap.bytes;
  }

  /** Index in `bytes` at which the samples of the open region begin. */
  get samplesStart(): number {
    return this.#heap.samplesStart;
  }

  /** Opens a region with room for a header of `headBytes` before its samples. */
  open(headBytes: number): void {
    const expected = Math.ceil(this.#usualBytes * 1.25);
    while (!this.#heap.open(headBytes, expected)) this.#replace(this.#heap.capacityBytes * 2);
  }

  /** Copies one sample behind those that are there. */
  append(data: Uint8Array): void {
    while (!this.#heap.append(data)) {
      const outgrown = this.#heap;
      this.#replace(Math.max(outgrown.capacityBytes * 2, (outgrown.openBytes + data.length) * 4));
      this.#heap.adopt(outgrown);
    }
  }

  /** Closes the region; its bytes run from `from` (where the header really starts) to the last sample, and have one reader. */
  close(from: number): SharedBytes {
    const bytes = this.#heap.close(from);
    this.#usualBytes += (bytes.length - this.#usualBytes) / 8;
    if (bytes.length > this.#usualBytes * 2) this.#usualBytes = bytes.length / 2;
    return bytes;
  }

  /** Gives the memory back; nothing more is written. */
  dispose(): void {
    this.#pool.retire(this.#heap);
  }

  #replace(capacityBytes: number): void {
    this.#pool.retire(this.#heap);
    this.#heap = this.#pool.take(Math.ceil(capacityBytes / 4096) * 4096);
  }
}
