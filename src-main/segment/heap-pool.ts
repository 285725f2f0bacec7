import { PartHeap } from './part-heap.ts';

/** Heaps that are kept for the next tracks; further ones are left to the garbage collector. */
const MAX_KEPT = 128;

/** The heaps of one media thread: one for each track, used again by later tracks once their last reader is done. */
export class HeapPool {
  #retired: PartHeap[] = [];

  /** A heap with at least `capacityBytes` of address space. */
  take(capacityBytes: number): PartHeap {
    const index = this.#retired.findIndex((heap) => heap.bytes.length === capacityBytes && heap.isUnused);
    const [known] = index < 0 ? [] : this.#retired.splice(index, 1);
    return known ?? new PartHeap(capacityBytes);
  }

  /** Takes back a heap that gets no more media; it may still be read. */
  retire(heap: PartHeap): void {
    this.#retired.push(heap);
    if (this.#retired.length > MAX_KEPT) this.#retired.shift();
  }
}
