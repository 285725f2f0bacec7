import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaFile } from '../../segment/media-bytes.ts';
import { SharedReads } from './shared-reads.ts';

const LONGEST = 100_000;

/** Bytes that identify their file and offset. */
function byteAt(file: number, offset: number): number {
  return (file * 31 + offset * 7 + (offset >> 8)) & 0xff;
}

class TestFile implements MediaFile {
  readonly number: number;
  reads = 0;
  isBroken = false;

  constructor(number: number) {
    this.number = number;
  }

  async read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    this.reads++;
    await Promise.resolve();
    if (this.isBroken) throw new Error('no disk');
    return Uint8Array.from({ length: sizeBytes }, (_, at) => byteAt(this.number, offset + at));
  }
}

describe('SharedReads', () => {
  it('reads requested bytes once, and again after they left the cache', async () => {
    const shared = new SharedReads(LONGEST, 2 * LONGEST);
    const file = new TestFile(1);
    const [first, second] = await Promise.all([shared.read(file, 0, 80_000), shared.read(file, 0, 80_000)]);
    expect(second?.bytes.buffer).toBe(first?.bytes.buffer);
    expect(file.reads).toBe(1);
    first?.done();
    second?.done();
    (await shared.read(file, 0, 80_000)).done();
    expect(file.reads).toBe(1);
    for (const offset of [1, 2]) (await shared.read(file, offset, 80_000)).done();
    (await shared.read(file, 0, 80_000)).done();
    expect(file.reads).toBe(4);
  });

  it('returns cached bytes at once, and only for exactly the same range', async () => {
    const shared = new SharedReads(LONGEST, 2 * LONGEST);
    const file = new TestFile(1);
    expect(shared.cached(file, 0, 80_000)).toBeUndefined();
    const reading = shared.read(file, 0, 80_000);
    expect(shared.cached(file, 0, 80_000)).toBeUndefined();
    const { bytes, done } = await reading;
    const cached = shared.cached(file, 0, 80_000);
    expect(cached?.bytes).toEqual(bytes);
    expect(shared.cached(file, 0, 79_999)).toBeUndefined();
    done();
    // The memory of a read in use is not reused, although the read has left the cache.
    for (const offset of [1, 2]) (await shared.read(file, offset, 80_000)).done();
    expect(shared.cached(file, 0, 80_000)).toBeUndefined();
    expect(cached?.bytes[100]).toBe(byteAt(1, 100));
    cached?.done();
  });

  it('does not cache failed reads', async () => {
    const shared = new SharedReads(LONGEST);
    const file = new TestFile(1);
    file.isBroken = true;
    await expect(shared.read(file, 0, 10)).rejects.toThrow('no disk');
    file.isBroken = false;
    expect((await shared.read(file, 0, 10)).bytes[9]).toBe(byteAt(1, 9));
  });

  it('never changes bytes in use, whatever other readers read', async () => {
    const steps = fc.array(
      fc.record({
        file: fc.nat(1),
        offset: fc.nat(5),
        sizeBytes: fc.constantFrom(10, 70_000, LONGEST),
        holds: fc.nat(4),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const shared = new SharedReads(LONGEST, 2 * LONGEST);
        const files = [new TestFile(0), new TestFile(1)];
        const references: { ends: number; check: () => void }[] = [];
        for (const [step, { file, offset, sizeBytes, holds }] of all.entries()) {
          const { bytes, done } = await shared.read(files[file] as TestFile, offset, sizeBytes);
          const check = (): void => {
            for (const at of [0, sizeBytes >> 1, sizeBytes - 1]) expect(bytes[at]).toBe(byteAt(file, offset + at));
          };
          check();
          references.push({
            ends: step + holds,
            check() {
              check();
              done();
            },
          });
          for (const one of references.filter(({ ends }) => ends === step)) one.check();
        }
      }),
      { numRuns: 30 },
    );
  });
});
