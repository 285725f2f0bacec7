import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { HeapPool } from './heap-pool.ts';

const MIB = 1024 * 1024;

describe('HeapPool', () => {
  it('reuses a heap without readers, and keeps a limited amount of memory', () => {
    const pool = new HeapPool();
    const heap = pool.take(8 * MIB);
    heap.open(0, 1000);
    heap.append(new Uint8Array(1000));
    heap.close(heap.samplesStart);
    pool.retire(heap);
    expect(pool.take(8 * MIB)).not.toBe(heap);
    const other = pool.take(8 * MIB);
    pool.retire(other);
    expect(pool.take(8 * MIB)).toBe(other);
    const large = Array.from({ length: 12 }, () => {
      const heap = pool.take(32 * MIB);
      heap.open(0, 8 * MIB);
      for (let written = 0; written < 8; written++) heap.append(new Uint8Array(MIB - 100));
      return heap;
    });
    for (const heap of large) pool.retire(heap);
    const again = new Set(large.map(() => pool.take(32 * MIB)));
    expect(large.filter((heap) => again.has(heap)).length).toBeLessThanOrEqual(8);
  });

  it('occupies memory for written bytes only, and returns it to the system', () => {
    // Runs in a separate process, so that the memory of other tests does not count. The process prints the memory after
    // each round in MiB.
    const rounds = JSON.parse(
      execFileSync(process.execPath, [new URL('../../tests/helpers/heap-rounds.ts', import.meta.url).pathname], {
        encoding: 'utf8',
      }),
    ) as number[];
    const [start = 0, ...after] = rounds;
    expect(after).toHaveLength(5);
    // 500 streams with little media: 18 GiB of address space, and at least 125 MiB of memory while they exist.
    expect(Math.max(...after) - start).toBeLessThan(200);
  });
});
