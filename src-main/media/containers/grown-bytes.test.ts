import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grownBytes } from './grown-bytes.ts';

const MAX_BYTES = 4 * 1024 * 1024;

describe('grownBytes', () => {
  it('keeps the bytes already written at any size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: MAX_BYTES }), { maxLength: 6 }), (sizes) => {
        let bytes: Uint8Array = new Uint8Array(0);
        for (const size of sizes.toSorted((a, b) => a - b)) {
          const used = bytes.length;
          bytes = grownBytes(bytes, used, size, MAX_BYTES);
          expect(bytes.length).toBe(size);
          expect(bytes.subarray(0, used).every((value) => value === 7)).toBe(true);
          bytes.fill(7, used);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('grows a large buffer in place', () => {
    const first = grownBytes(new Uint8Array(0), 0, 2 * 1024 * 1024, MAX_BYTES);
    const second = grownBytes(first, 10, MAX_BYTES, MAX_BYTES);
    expect(second.buffer).toBe(first.buffer);
    expect(grownBytes(second, 10, 2 * MAX_BYTES, MAX_BYTES).buffer).not.toBe(first.buffer);
  });

  it('returns the memory of large buffers to the system', () => {
    // A separate process, so that the memory of other tests does not count. It prints the memory after each round in
    // MiB.
    const rounds = JSON.parse(
      execFileSync(process.execPath, [new URL('../../../tests/helpers/gather-rounds.ts', import.meta.url).pathname], {
        encoding: 'utf8',
      }),
    ) as number[];
    const [start = 0, ...after] = rounds;
    expect(after).toHaveLength(5);
    // Buffers from the heap of the C library would keep 50 to 70 MiB.
    expect(Math.max(...after) - start).toBeLessThan(32);
  });
});
