import { HeapPool } from '../../src-main/segment/heap-pool.ts';
import type { PartHeap } from '../../src-main/segment/part-heap.ts';
import type { SegmentWindow } from '../../src-main/segment/segment-window.ts';
import type { SharedBytes, WindowEvent } from '../../src-main/segment/window-event.ts';

/**
 * Checks the allocation of parts in shared memory: no memory must be reused while a window or a reply still reads it.
 */
export class MemoryModel {
  readonly faults: string[] = [];
  /** Allocated ranges of memory that are not reused yet. */
  readonly #places = new Map<SharedArrayBuffer, SharedBytes[]>();
  /** Parts that replies or jobs read. */
  readonly #retained = new Set<SharedBytes>();

  /** Marks a part that a reply or a job reads. */
  hold(bytes: SharedBytes): void {
    this.#retained.add(bytes);
  }

  release(bytes: SharedBytes): void {
    this.#retained.delete(bytes);
  }

  /** Processes events before the window does. */
  take(events: readonly WindowEvent[], window: SegmentWindow): void {
    const read = new Set<SharedBytes>(this.#retained);
    const parts = window.tracks.flatMap(({ track }) =>
      window.segments(track.id).flatMap(({ segment }) => segment.parts),
    );
    for (const { pieces } of parts)
      for (const piece of pieces) if ('memory' in piece && piece.memory) read.add(piece.memory);
    for (const event of events) {
      if (event.type !== 'part') continue;
      const { bytes } = event;
      const places = this.#places.get(bytes.buffer) ?? [];
      for (const other of places) {
        if (overlaps(other, bytes) && read.has(other))
          this.faults.push(`${event.trackId} ${event.msn}.${event.index} overlaps a part that is still read`);
      }
      this.#places.set(bytes.buffer, [...places.filter((other) => !overlaps(other, bytes)), bytes]);
      read.add(bytes);
    }
  }
}

/** Pool that records its allocations. */
export class WatchedPool extends HeapPool {
  readonly #heaps = new Set<PartHeap>();

  override take(capacityBytes: number): PartHeap {
    const heap = super.take(capacityBytes);
    this.#heaps.add(heap);
    return heap;
  }

  /** Number of heaps with regions that are not released yet. */
  get inUse(): number {
    return [...this.#heaps].filter((heap) => !heap.isUnused).length;
  }
}

function overlaps(a: SharedBytes, b: SharedBytes): boolean {
  return a.useOffset < b.offset + b.length && b.useOffset < a.offset + a.length;
}
