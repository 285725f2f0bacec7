import { PartHeap } from './part-heap.ts';

/** Maximum number of unused heaps, and of their bytes; more are left to the garbage collector. */
const MAX_KEPT = 128;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Heaps of one media thread, one for each track. Later tracks reuse a heap once its last reader is done. */
export class HeapPool {
  #retired: PartHeap[] = [];
  #retiredBytes = 0;

  /** Returns a heap with at least `capacityBytes` of address space. */
  take(capacityBytes: number): PartHeap {
    const index = this.#retired.findIndex((heap) => heap.capacityBytes === capacityBytes && heap.isUnused);
    const [known] = index < 0 ? [] : this.#retired.splice(index, 1);
    if (known) this.#retiredBytes -= known.bytes.length;
    return known ?? new PartHeap(capacityBytes);
  }

  /** Takes back a heap that gets no more media. It may still have readers. */
  retire(heap: PartHeap): void {
    this.#retired.push(heap);
    this.#retiredBytes += heap.bytes.length;
    while (this.#retired.length > MAX_KEPT || this.#retiredBytes > MAX_KEPT_BYTES)
      this.#retiredBytes -= this.#retired.shift()?.bytes.length ?? 0;
  }
}
