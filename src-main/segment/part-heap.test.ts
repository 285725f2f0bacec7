import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartHeap } from './part-heap.ts';
import { release } from './shared-use.ts';
import type { SharedBytes } from './window-event.ts';

const HEAD_BYTES = 100;

function write(heap: PartHeap, fill: number, sizes: readonly number[]): SharedBytes | undefined {
  if (!heap.open(HEAD_BYTES, 1000)) return undefined;
  for (const size of sizes) if (!heap.append(new Uint8Array(size).fill(fill))) return undefined;
  return heap.close(heap.samplesStart);
}

describe('PartHeap', () => {
  it('reuses memory only when it has no readers', () => {
    const heap = new PartHeap(64 * 1024);
    const first = write(heap, 1, [2000]);
    const second = write(heap, 2, [2000]);
    if (!first || !second) throw new Error('the heap has room');
    release(first);
    const third = write(heap, 3, [2000]);
    expect(third?.offset).toBe(first.offset);
    // The new part reuses the memory of old media. Its reader count must not come from the old bytes.
    if (third) release(third);
    release(second);
    expect(heap.isUnused).toBe(true);
  });

  it('refuses a part when it is full', () => {
    const heap = new PartHeap(8192);
    expect(write(heap, 1, [4000])).toBeDefined();
    expect(write(heap, 2, [4000])).toBeUndefined();
  });

  it('never overwrites a part that has readers', () => {
    const step = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 6 }),
      releases: fc.array(fc.nat(), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = new PartHeap(128 * 1024);
        const live: { bytes: SharedBytes; fill: number }[] = [];
        for (const [index, { sizes, releases }] of steps.entries()) {
          const fill = (index % 250) + 1;
          const bytes = write(heap, fill, sizes);
          if (bytes) live.push({ bytes, fill });
          for (const pick of releases) {
            const [removed] = live.splice(pick % Math.max(1, live.length), 1);
            if (removed) release(removed.bytes);
          }
          for (const { bytes: memory, fill: expected } of live) {
            const view = new Uint8Array(memory.buffer, memory.offset, memory.length);
            expect(view.every((byte) => byte === expected)).toBe(true);
          }
        }
        for (const { bytes } of live) release(bytes);
        expect(heap.isUnused).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
