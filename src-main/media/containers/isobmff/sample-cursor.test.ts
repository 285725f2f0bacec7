import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitWriter } from '../../codecs/nal/bit-writer.ts';
import { BoxWriter } from './box-writer.ts';
import { readBoxes } from './box.ts';
import { ByteReader } from './byte-reader.ts';
import { readEditStart } from './edit-list.ts';
import { findSampleTables, TableCursor } from './sample-cursor.ts';

interface Tables {
  readonly times: readonly (readonly [count: number, ticks: number])[];
  readonly offsets?: readonly (readonly [count: number, ticks: number])[];
  readonly sizes: readonly number[] | { readonly each: number; readonly count: number };
  /** Field size of `stz2`, which then replaces `stsz`. */
  readonly compactBits?: 4 | 8 | 16;
  readonly syncs?: readonly number[];
  readonly runs: readonly (readonly [firstChunk: number, samples: number])[];
  readonly chunks: readonly number[];
  readonly isLarge?: boolean;
}

function write(tables: Tables): Uint8Array {
  const out = new BoxWriter().open('stbl');
  const pairs = (type: string, entries: readonly (readonly [number, number])[]): void => {
    out.openFull(type, 1, 0).u32(entries.length);
    for (const [count, ticks] of entries) out.u32(count).u32(ticks);
    out.close();
  };
  pairs('stts', tables.times);
  if (tables.offsets) pairs('ctts', tables.offsets);
  if (tables.syncs) {
    out.openFull('stss', 0, 0).u32(tables.syncs.length);
    for (const number of tables.syncs) out.u32(number);
    out.close();
  }
  out.openFull(tables.compactBits === undefined ? 'stsz' : 'stz2', 0, 0);
  if (tables.compactBits !== undefined) writeCompact(out, tables.compactBits, tables.sizes as readonly number[]);
  else if ('each' in tables.sizes) out.u32(tables.sizes.each).u32(tables.sizes.count);
  else {
    out.u32(0).u32(tables.sizes.length);
    for (const size of tables.sizes) out.u32(size);
  }
  out.close().openFull('stsc', 0, 0).u32(tables.runs.length);
  for (const [firstChunk, samples] of tables.runs) out.u32(firstChunk).u32(samples).u32(1);
  out
    .close()
    .openFull(tables.isLarge ? 'co64' : 'stco', 0, 0)
    .u32(tables.chunks.length);
  for (const offset of tables.chunks) {
    if (tables.isLarge) out.u64(offset);
    else out.u32(offset);
  }
  return out.close().close().finish();
}

function writeCompact(out: BoxWriter, fieldBits: number, sizes: readonly number[]): void {
  const bits = new BitWriter();
  for (const size of sizes) bits.bits(fieldBits, size);
  out.u32(fieldBits).u32(sizes.length).bytes(bits.finish());
}

function cursorOf(bytes: Uint8Array): TableCursor {
  const [stbl] = readBoxes(bytes);
  if (!stbl) throw new Error('no stbl');
  return new TableCursor(findSampleTables(bytes, stbl));
}

function samplesOf(bytes: Uint8Array, maxSamples = 1000): number[][] {
  const cursor = cursorOf(bytes);
  const samples: number[][] = [];
  while (samples.length < maxSamples && cursor.next()) {
    samples.push([
      cursor.offset,
      cursor.sizeBytes,
      cursor.dtsTicks,
      cursor.compositionOffsetTicks,
      cursor.durationTicks,
      Number(cursor.isSync),
    ]);
  }
  return samples;
}

const FIVE_SAMPLES: Tables = {
  times: [
    [2, 10],
    [0, 99],
    [3, 20],
  ],
  offsets: [
    [1, 5],
    [4, -3],
  ],
  sizes: [100, 200, 300, 400, 500],
  syncs: [1, 4],
  runs: [
    [1, 1],
    [2, 2],
  ],
  chunks: [1000, 5000, 9000],
};

describe('sample tables', () => {
  it('list samples across runs of chunks, with times, offsets and sync flags', () => {
    expect(samplesOf(write(FIVE_SAMPLES))).toEqual([
      [1000, 100, 0, 5, 10, 1],
      [5000, 200, 10, -3, 10, 0],
      [5200, 300, 20, -3, 20, 0],
      [9000, 400, 40, -3, 20, 1],
      [9400, 500, 60, -3, 20, 0],
    ]);
    expect(cursorOf(write(FIVE_SAMPLES)).minOffsetTicks).toBe(-3);
  });

  it('list samples of constant size beyond 4 GiB, all of them sync samples', () => {
    const far = 6 * 2 ** 32;
    expect(
      samplesOf(
        write({ times: [[3, 1024]], sizes: { each: 50, count: 3 }, runs: [[1, 3]], chunks: [far], isLarge: true }),
      ),
    ).toEqual([
      [far, 50, 0, 0, 1024, 1],
      [far + 50, 50, 1024, 0, 1024, 1],
      [far + 100, 50, 2048, 0, 1024, 1],
    ]);
  });

  it('list the same samples for compact and plain sizes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(4 as const, 8 as const, 16 as const).chain((compactBits) =>
          fc.record({
            compactBits: fc.constant(compactBits),
            sizes: fc.array(fc.nat(2 ** compactBits - 1), { minLength: 1, maxLength: 40 }),
          }),
        ),
        ({ compactBits, sizes }) => {
          const plain: Tables = { ...FIVE_SAMPLES, times: [[sizes.length, 10]], runs: [[1, sizes.length]], sizes };
          expect(samplesOf(write({ ...plain, compactBits }))).toEqual(samplesOf(write(plain)));
        },
      ),
      { seed: 1 },
    );
  });

  it('end if compact sizes are truncated, or have an unknown field size', () => {
    const withFieldBits = (bytes: Uint8Array, fieldBits: number): Uint8Array => {
      const [stbl] = readBoxes(bytes);
      const box = readBoxes(bytes, stbl?.bodyStart, stbl?.end).find(({ type }) => type === 'stz2');
      bytes[(box?.bodyStart ?? 0) + 7] = fieldBits;
      return bytes;
    };
    const five = (): Uint8Array => write({ ...FIVE_SAMPLES, sizes: [1, 2, 3, 4, 5], compactBits: 8 });
    expect(samplesOf(five())).toHaveLength(5);
    expect(samplesOf(withFieldBits(five(), 16))).toHaveLength(2);
    expect(samplesOf(withFieldBits(five(), 0))).toHaveLength(0);
    expect(samplesOf(withFieldBits(five(), 12))).toHaveLength(0);
  });

  it('end where their shortest table ends', () => {
    expect(samplesOf(write({ ...FIVE_SAMPLES, times: [[2, 10]] }))).toHaveLength(2);
    expect(samplesOf(write({ ...FIVE_SAMPLES, chunks: [1000] }))).toHaveLength(1);
    expect(samplesOf(write({ ...FIVE_SAMPLES, sizes: [1, 2, 3] }))).toHaveLength(3);
    expect(samplesOf(write({ ...FIVE_SAMPLES, runs: [] }))).toHaveLength(0);
    expect(
      samplesOf(
        write({
          ...FIVE_SAMPLES,
          sizes: { each: 8, count: 0xffff_ffff },
          times: [[0xffff_ffff, 1]],
          runs: [[1, 0xffff_ffff]],
        }),
        5000,
      ),
    ).toHaveLength(5000);
  });

  it('are never read outside damaged tables', () => {
    const good = write(FIVE_SAMPLES);
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.integer({ min: 8, max: good.length - 1 }), byte: fc.nat(255) }), {
          minLength: 1,
          maxLength: 5,
        }),
        (changes) => {
          const bytes = good.slice();
          for (const { at, byte } of changes) bytes[at] = byte;
          expect(samplesOf(bytes, 100).length).toBeLessThanOrEqual(100);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the edit list', () => {
  const edits = (version: 0 | 1, entries: readonly (readonly [duration: number, media: number])[]): ByteReader => {
    const out = new BoxWriter().u8(version).u24(0).u32(entries.length);
    for (const [duration, media] of entries)
      (version === 1 ? out.u64(duration).u64(media) : out.u32(duration).u32(media)).u32(0x1_0000);
    return new ByteReader(out.finish());
  };

  it.each([0, 1] as const)('of version %i gives the delay of empty edits and the first media time', (version) => {
    expect(readEditStart(edits(version, [[0, 1024]]))).toEqual({ delayTicks: 0, mediaTicks: 1024 });
    expect(
      readEditStart(
        edits(version, [
          [500, -1],
          [20, -1],
          [9, 7],
          [9, 800],
        ]),
      ),
    ).toEqual({ delayTicks: 520, mediaTicks: 7 });
    expect(readEditStart(edits(version, []))).toEqual({ delayTicks: 0, mediaTicks: 0 });
  });
});
