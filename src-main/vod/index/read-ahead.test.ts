import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import { ReadAhead } from './read-ahead.ts';

const MEGABYTE = 1 << 20;

/** In-memory file that records the offsets of reads. */
function fileOf(bytes: Uint8Array): FileBytes & { readonly reads: [offset: number, length: number][] } {
  const reads: [number, number][] = [];
  return {
    sizeBytes: bytes.length,
    reads,
    read: async (target, position) => {
      await Promise.resolve();
      const found = bytes.subarray(position, position + target.length);
      reads.push([position, target.length]);
      target.set(found);
      return found.length;
    },
  };
}

const content = Uint8Array.from({ length: 5 * MEGABYTE }, (_, index) => (index * 7 + (index >> 8)) & 0xff);

describe('ReadAhead', () => {
  it('returns the bytes at any offset, near or far', async () => {
    const steps = fc.array(fc.tuple(fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: MEGABYTE })), fc.nat({ max: 9000 })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (places) => {
        const ahead = new ReadAhead(fileOf(content));
        let at = 0;
        for (const [gap, length] of places) {
          at += gap;
          const found = await ahead.view(at, length);
          const expected = at + length > content.length ? undefined : content.subarray(at, at + length);
          expect(found && Buffer.from(found).equals(expected ?? Buffer.alloc(0))).toBe(expected && true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('reads a file about once from start to end', async () => {
    const file = fileOf(content);
    const ahead = new ReadAhead(file);
    for (let at = 0; at < content.length; at += 4096) await ahead.view(at, 4096);
    expect(file.reads.reduce((sum, [, length]) => sum + length, 0)).toBeLessThan(content.length + 2 * MEGABYTE);
    expect(file.reads.length).toBeLessThan(8);
  });

  it('reads little of a file that is mostly skipped', async () => {
    const file = fileOf(content);
    const ahead = new ReadAhead(file);
    for (let at = 0; at + 24 < content.length; at += 900_000) await ahead.view(at, 24);
    expect(file.reads.slice(2).every(([, length]) => length === 16 * 1024)).toBe(true);
  });

  it('returns more than one block, and nothing after the end', async () => {
    const ahead = new ReadAhead(fileOf(content));
    await ahead.view(0, 10);
    expect(await ahead.view(100, 3 * MEGABYTE)).toHaveLength(3 * MEGABYTE);
    expect(await ahead.view(content.length - 5, 5)).toHaveLength(5);
    expect(await ahead.view(content.length - 5, 6)).toBeUndefined();
  });

  it('throws the error of a prefetched block only when that block is requested', async () => {
    const file = fileOf(content);
    const ahead = new ReadAhead({
      ...file,
      read: async (target, position) =>
        position > 0 ? Promise.reject(new Error('the disk is gone')) : file.read(target, position),
    });
    expect(await ahead.view(0, 24)).toHaveLength(24);
    await expect(ahead.view(MEGABYTE, 24)).rejects.toThrow('the disk is gone');
  });
});
