import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoxWriter } from './box-writer.ts';
import { writeChunkHeader } from './chunk.ts';
import type { Chunk } from './chunk.ts';
import { chunkBytes, chunkHeaderBytes, shapeOf } from './chunk-shape.ts';
import { forEachSample, readChunk } from './chunk-reader.ts';
import { writeProducerReferenceTime } from './producer-reference-time.ts';
import { NON_SYNC_SAMPLE_FLAGS, SYNC_SAMPLE_FLAGS } from './sample-flags.ts';
import { createSampleTable, growSampleTable } from './sample-table.ts';
import type { SampleTable } from './sample-table.ts';
import { writeTrackFragmentDecodeTime } from './track-fragment-decode-time.ts';
import { writeTrackFragmentHeader } from './track-fragment-header.ts';
import { writeTrackRun } from './track-run.ts';

interface Sample {
  readonly size: number;
  readonly duration: number;
  readonly offset: number;
  readonly isSync: boolean;
}

function tableOf(samples: readonly Sample[]): SampleTable {
  const table = createSampleTable(samples.length + 3);
  for (const sample of samples) {
    const index = table.count++;
    table.sizes[index] = sample.size;
    table.durations[index] = sample.duration;
    table.compositionOffsets[index] = sample.offset;
    table.isSync[index] = sample.isSync ? 1 : 0;
  }
  return table;
}

/** Writes a chunk whose samples are each filled with their own number. */
function build(chunk: Chunk): Uint8Array {
  const { count, sizes } = chunk.samples;
  const headerBytes = chunkHeaderBytes(count, { content: chunk.content, hasWall: chunk.wall !== undefined });
  const total = sizes.subarray(0, count).reduce((sum, size) => sum + size, 0);
  const bytes = new Uint8Array(headerBytes + total);
  let at = headerBytes;
  for (let i = 0; i < count; i++) {
    bytes.fill(i, at, at + (sizes[i] ?? 0));
    at += sizes[i] ?? 0;
  }
  const start = writeChunkHeader(bytes, headerBytes, chunk);
  expect(start).toBeGreaterThanOrEqual(0);
  expect(bytes.subarray(0, start).every((byte) => byte === 0)).toBe(true);
  const shape = shapeOf(chunk.samples);
  expect(chunkBytes(shape, { content: chunk.content, hasWall: chunk.wall !== undefined })).toBe(bytes.length - start);
  return bytes.subarray(start);
}

const picture: fc.Arbitrary<Sample> = fc.record({
  size: fc.integer({ min: 1, max: 400 }),
  duration: fc.oneof(fc.constant(3600), fc.integer({ min: 1, max: 0xffff_ffff })),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff })),
  isSync: fc.boolean(),
});
const frame: fc.Arbitrary<Sample> = fc.record({
  size: fc.oneof(fc.constant(300), fc.integer({ min: 1, max: 400 })),
  duration: fc.constant(1024),
  offset: fc.constant(0),
  isSync: fc.constant(true),
});
const wall = fc.record({ epochMs: fc.integer({ min: 0, max: 4_000_000_000_000 }), mediaTicks: fc.maxSafeNat() });

describe('a CMAF chunk', () => {
  it('is parsed as written', () => {
    const chunks = fc.record({
      trackNumber: fc.integer({ min: 1, max: 0xffff_ffff }),
      sequenceNumber: fc.nat(0xffff_ffff),
      baseDecodeTicks: fc.maxSafeNat().map((ticks) => Math.floor(ticks / 2)),
      content: fc.constantFrom('video' as const, 'audio' as const),
      wall: fc.option(wall, { nil: undefined }),
    });
    const both = chunks.chain((chunk) =>
      fc
        .array(chunk.content === 'video' ? picture : frame, { minLength: 1, maxLength: 40 })
        .map((samples) => ({ chunk, samples })),
    );
    fc.assert(
      fc.property(both, ({ chunk, samples }) => {
        const bytes = build({ ...chunk, samples: tableOf(samples) });
        const read = readChunk(bytes);
        expect(read?.sequenceNumber).toBe(chunk.sequenceNumber);
        expect(read?.baseDecodeTicks).toBe(chunk.baseDecodeTicks);
        expect(read?.wall).toEqual(chunk.wall);
        expect(read?.end).toBe(bytes.length);
        let at = read?.dataStart ?? -1;
        let dts = chunk.baseDecodeTicks;
        let index = 0;
        const end = forEachSample(bytes, (start, size, dtsTicks, ptsTicks, duration, isSync) => {
          const sample = samples[index];
          expect({ start, size, dtsTicks, ptsTicks, duration, isSync }).toEqual({
            start: at,
            size: sample?.size,
            dtsTicks: dts,
            ptsTicks: dts + (sample?.offset ?? NaN),
            duration: sample?.duration,
            isSync: sample?.isSync,
          });
          expect([bytes[start], bytes[start + size - 1]]).toEqual([index, index]);
          at += size;
          dts += duration;
          index++;
        });
        expect([index, end]).toEqual([samples.length, bytes.length]);
      }),
    );
  });

  it('has the same bytes as its separate boxes', () => {
    const samples = [
      { size: 900, duration: 3600, offset: 7200, isSync: true },
      { size: 40, duration: 3600, offset: -3600, isSync: false },
      { size: 60, duration: 3600, offset: 0, isSync: false },
    ];
    const epochMs = 1_800_000_000_123;
    const bytes = build({
      trackNumber: 3,
      sequenceNumber: 7,
      baseDecodeTicks: 162_000_000_000_000,
      samples: tableOf(samples),
      content: 'video',
      wall: { epochMs, mediaTicks: 5 },
    });
    const out = new BoxWriter();
    writeProducerReferenceTime(out, { referenceTrackId: 3, epochMs, mediaTicks: 5, flags: 1 });
    const moofBytes = 8 + 16 + 8 + 24 + 20 + 24 + 3 * 8;
    out.open('moof');
    out.openFull('mfhd', 0, 0).u32(7).close();
    out.open('traf');
    writeTrackFragmentHeader(out, {
      trackId: 3,
      isBaseMoof: true,
      sampleDurationTicks: 3600,
      sampleFlags: NON_SYNC_SAMPLE_FLAGS,
    });
    writeTrackFragmentDecodeTime(out, { baseDecodeTicks: 162_000_000_000_000 });
    writeTrackRun(out, {
      dataOffset: moofBytes + 8,
      firstSampleFlags: SYNC_SAMPLE_FLAGS,
      samples: samples.map(({ size, offset }) => ({ sizeBytes: size, compositionOffsetTicks: offset })),
    });
    out.close().close().open('mdat');
    for (const [index, { size }] of samples.entries()) out.bytes(new Uint8Array(size).fill(index));
    expect(Buffer.from(bytes).equals(out.close().finish())).toBe(true);
  });

  it('stores only sizes for audio, and no sizes if they are equal', () => {
    const frames = [200, 210, 220].map((size) => ({ size, duration: 1024, offset: 0, isSync: true }));
    const chunk = { trackNumber: 3, sequenceNumber: 1, baseDecodeTicks: 0, content: 'audio' } as const;
    const headerBytes = (samples: Sample[]) => readChunk(build({ ...chunk, samples: tableOf(samples) }))?.dataStart;
    expect(headerBytes(frames)).toBe(8 + 16 + 8 + 24 + 20 + 20 + 3 * 4 + 8);
    expect(headerBytes(frames.map((sample) => ({ ...sample, size: 200 })))).toBe(8 + 16 + 8 + 28 + 20 + 20 + 8);
  });

  it('is found after the previous chunk', () => {
    const samples = tableOf([{ size: 10, duration: 1024, offset: 0, isSync: true }]);
    const bytes = Buffer.concat(
      [1, 2, 3].map((sequenceNumber) =>
        build({ trackNumber: 3, sequenceNumber, baseDecodeTicks: sequenceNumber * 1024, samples, content: 'audio' }),
      ),
    );
    const times: number[] = [];
    let at = 0;
    while (at < bytes.length) at = forEachSample(bytes, (_start, _size, dts) => times.push(dts), at);
    expect(times).toEqual([1024, 2048, 3072]);
    expect(at).toBe(bytes.length);
  });

  it('is never read outside damaged bytes', () => {
    const samples = tableOf([1, 2, 3, 4].map((size) => ({ size, duration: 3600, offset: size, isSync: size === 1 })));
    const good = build({
      trackNumber: 3,
      sequenceNumber: 1,
      baseDecodeTicks: 9,
      samples,
      content: 'video',
      wall: { epochMs: 1, mediaTicks: 1 },
    });
    const damage = fc.array(fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(damage, fc.nat(good.length), (changes, length) => {
        const bytes = good.slice(0, Math.max(length, good.length - 40));
        for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte;
        forEachSample(bytes, (start, size) => {
          expect(start).toBeGreaterThanOrEqual(8);
          expect(start + size).toBeLessThanOrEqual(bytes.length);
        });
        expect(readChunk(bytes)?.samples.count ?? 0).toBeLessThanOrEqual(64);
      }),
      { numRuns: 700 },
    );
  });

  it('keeps its samples when its sample table grows', () => {
    const table = tableOf([{ size: 10, duration: 20, offset: -30, isSync: true }]);
    growSampleTable(table, 100);
    expect([
      table.sizes.length,
      table.sizes[0],
      table.durations[0],
      table.compositionOffsets[0],
      table.isSync[0],
    ]).toEqual([100, 10, 20, -30, 1]);
  });
});
