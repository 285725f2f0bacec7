import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf, findBox, readBoxes } from '../../media/containers/isobmff/box.ts';
import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import { DESCRIPTION_EXTRA_BYTES, joinChunks, separateChunks, type JoinedChunks } from './joined-fragment.ts';
import { readFragments } from '../../media/containers/isobmff/movie-fragment.ts';
import { readTrackFragmentHeader } from '../../media/containers/isobmff/track-fragment-header.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';

interface MadeSample {
  readonly size: number;
  readonly ticks: number;
  readonly offset: number;
  readonly isSync: boolean;
}

/** A sample as stored in a fragment. */
interface StoredSample {
  readonly dts: number;
  readonly offset: number;
  readonly isSync: boolean;
  readonly bytes: string;
}

const PREFIX = Uint8Array.from([9, 9, 9, 9, 9, 9, 9, 9, 9]);

function chunkOf(samples: readonly MadeSample[], dts: number, trackNumber: number, hasWall: boolean): Uint8Array {
  const table = createSampleTable(samples.length);
  for (const [index, { size, ticks, offset, isSync }] of samples.entries()) {
    table.sizes[index] = size;
    table.durations[index] = ticks;
    table.compositionOffsets[index] = trackNumber === 1 ? offset : 0;
    table.isSync[index] = trackNumber !== 1 || isSync ? 1 : 0;
    table.count++;
  }
  const content = trackNumber === 1 ? 'video' : 'audio';
  const headerBytes = chunkHeaderBytes(samples.length, { content, hasWall });
  const bytes = new Uint8Array(headerBytes + samples.reduce((sum, { size }) => sum + size, 0)).map(
    (_, index) => index % 251,
  );
  const start = writeChunkHeader(bytes, headerBytes, {
    trackNumber,
    sequenceNumber: 7,
    baseDecodeTicks: dts,
    samples: table,
    content,
    wall: hasWall ? { epochMs: 1_795_230_000_000, mediaTicks: dts } : undefined,
  });
  return bytes.subarray(start);
}

/** Samples of a track in fragments. */
function samplesOf(bytes: Uint8Array, trackId: number): StoredSample[] {
  const found: StoredSample[] = [];
  for (const { type, start, end } of readBoxes(bytes)) {
    if (type !== 'moof') continue;
    const defaults = { trackId, sampleDescriptionIndex: 1, sampleDurationTicks: 0, sampleSizeBytes: 0, sampleFlags: 0 };
    const [cursor] = readFragments(bytes.subarray(start, end), start, [{ defaults, startTicks: 0 }]) ?? [];
    while (cursor?.next()) {
      const { dtsTicks: dts, compositionOffsetTicks: offset, isSync, offset: at, sizeBytes } = cursor;
      found.push({ dts, offset, isSync, bytes: Buffer.from(bytes.subarray(at, at + sizeBytes)).toString('hex') });
    }
  }
  return found;
}

const sample = fc.record({
  size: fc.integer({ min: 1, max: 40 }),
  ticks: fc.constantFrom(40, 40, 40, 41),
  offset: fc.constantFrom(0, 0, 40, -40),
  isSync: fc.boolean(),
});
const part = fc.record({
  samples: fc.array(sample, { minLength: 1, maxLength: 8 }),
  gap: fc.constantFrom(0, 0, 0, 30),
});
const made = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 5 }),
  hasWall: fc.boolean(),
  from: fc.nat(500),
});

function bytesOf(
  {
    parts,
    hasWall,
    from,
  }: {
    readonly parts: readonly { readonly samples: readonly MadeSample[]; readonly gap: number }[];
    readonly hasWall: boolean;
    readonly from: number;
  },
  trackNumber: number,
): Uint8Array {
  let dts = from;
  return Buffer.concat(
    parts.map(({ samples, gap }) => {
      const chunk = chunkOf(samples, dts, trackNumber, hasWall);
      dts += samples.reduce((sum, { ticks }) => sum + ticks, gap);
      return chunk;
    }),
  );
}

describe('joined chunks of several tracks', () => {
  it('contain each sample of each track once, at its time, in one run per track, and are as large as the chunks', () => {
    let joinedCount = 0;
    fc.assert(
      fc.property(made, made, fc.boolean(), (picture, sound, hasPrefix) => {
        const tracks: JoinedChunks[] = [
          { bytes: bytesOf(picture, 1), trackNumber: 1, shiftTicks: 1000, prefix: hasPrefix ? PREFIX : undefined },
          { bytes: bytesOf(sound, 5), trackNumber: 2, shiftTicks: 0 },
        ];
        const pieces = joinChunks(tracks);
        if (!pieces) return;
        joinedCount++;
        const bytes = Buffer.concat(pieces);
        const total = tracks.reduce((sum, one) => sum + one.bytes.length + (one.prefix?.length ?? 0), 0);
        expect(bytes).toHaveLength(total);
        expect(readBoxes(bytes)[0]?.type).toBe('moof');
        const moof = findBox(bytes, ['moof']);
        const trafs = readBoxes(bytes, moof?.bodyStart, moof?.end).filter(({ type }) => type === 'traf');
        const runs = trafs.map((traf) => readBoxes(bytes, traf.bodyStart, traf.end).map(({ type }) => type));
        expect(runs).toEqual([
          ['tfhd', 'tfdt', 'trun'],
          ['tfhd', 'tfdt', 'trun'],
        ]);
        const prefix = hasPrefix ? Buffer.from(PREFIX).toString('hex') : '';
        const expected = samplesOf(tracks[0]?.bytes ?? bytes, 1).map((one, index) => ({
          ...one,
          dts: one.dts + 1000,
          bytes: index === 0 ? prefix + one.bytes : one.bytes,
          isSync: one.isSync && (index === 0 || !hasPrefix),
        }));
        expect(samplesOf(bytes, 1)).toEqual(expected);
        expect(samplesOf(bytes, 2)).toEqual(samplesOf(tracks[1]?.bytes ?? bytes, 5));
      }),
      { numRuns: 200 },
    );
    // Only a few cases cannot be joined within the size of their chunks.
    expect(joinedCount).toBeGreaterThan(150);
  });

  it('are kept as one fragment per chunk if chunks overlap, with the sample description and the prefix', () => {
    const one: MadeSample = { size: 10, ticks: 40, offset: 0, isSync: true };
    const chunks = [100, 120, 400].map((dts) => chunkOf([one, one], dts, 1, false));
    const bytes = Buffer.concat(chunks);
    const track: JoinedChunks = { bytes, trackNumber: 3, shiftTicks: 5, prefix: PREFIX, descriptionIndex: 2 };
    expect(joinChunks([track])).toBeUndefined();
    const pieces = Buffer.concat(separateChunks([track]) ?? []);
    expect(pieces).toHaveLength(bytes.length + PREFIX.length + DESCRIPTION_EXTRA_BYTES);
    const headers = readBoxes(pieces).flatMap(({ type, start, end }) => {
      const moof = pieces.subarray(start, end);
      const tfhd = type === 'moof' && findBox(moof, ['moof', 'traf', 'tfhd']);
      return tfhd ? [readTrackFragmentHeader(bodyOf(moof, tfhd))?.sampleDescriptionIndex] : [];
    });
    expect(headers).toEqual([2, 2, 2]);
    const samples = samplesOf(pieces, 3);
    expect(samples.map(({ dts }) => dts)).toEqual([105, 145, 125, 165, 405, 445]);
    expect(samples[0]?.bytes.startsWith(Buffer.from(PREFIX).toString('hex'))).toBe(true);
    expect(separateChunks([{ ...track, bytes: bytes.subarray(0, bytes.length - 1) }])).toBeUndefined();
  });

  it('are undefined for damaged or overlapping chunks, and for chunks that start before the file', () => {
    const one: MadeSample = { size: 10, ticks: 40, offset: 0, isSync: true };
    const chunk = chunkOf([one, one], 100, 1, false);
    const place = { trackNumber: 1, shiftTicks: 0 };
    expect(joinChunks([{ ...place, bytes: chunk }])).toBeDefined();
    expect(joinChunks([{ ...place, bytes: chunk.subarray(0, chunk.length - 1) }])).toBeUndefined();
    expect(joinChunks([{ ...place, bytes: Buffer.concat([chunk, chunk]) }])).toBeUndefined();
    expect(joinChunks([{ ...place, bytes: chunk, shiftTicks: -101 }])).toBeUndefined();
    expect(joinChunks([])).toBeUndefined();
  });
});
