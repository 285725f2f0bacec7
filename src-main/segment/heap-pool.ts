import { PartHeap } from './part-heap.ts';

/** Maximum number of unused heaps. The garbage collector gets further heaps. */
const MAX_UNUSED = 128;
const MAX_UNUSED_BYTES = 64 * 1024 * 1024;

/** Heaps of one media thread, one for each track. Later tracks reuse a heap once its last reader is done. */
export class HeapPool {
  #retired: PartHeap[] = [];
  #retiredBytes = 0;

  /** Takes an unused heap, or creates one, with at least `capacityBytes` of address space. */
  take(capacityBytes: number): PartHeap {
    const index = this.#retired.findIndex((heap) => heap.capacityBytes === capacityBytes && heap.isUnused);
    const [heap] = index < 0 ? [] : this.#retired.splice(index, 1);
    if (heap) this.#retiredBytes -= heap.bytes.length;
    return heap ?? new PartHeap(capacityBytes);
  }

  /** Returns a heap that gets no more media. It may still have readers. */
  retire(heap: PartHeap): void {
    this.#retired.push(heap);
    this.#retiredBytes += heap.bytes.length;
    while (this.#retired.length > MAX_UNUSED || this.#retiredBytes > MAX_UNUSED_BYTES)
      this.#retiredBytes -= this.#retired.shift()?.bytes.length ?? 0;
  }
}
