import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkStartTicks, moveChunk, MOVED_HEAD_BYTES } from './move-chunk.ts';
import { chunkHeaderBytes } from './chunk-shape.ts';
import { readChunk } from './chunk-reader.ts';
import { writeChunkHeader } from './chunk.ts';
import { createSampleTable } from './sample-table.ts';

const MAX_HEADER = 400;

function chunk(baseDecodeTicks: number, wallTicks?: number, trackNumber = 1): Uint8Array {
  const samples = createSampleTable(4);
  for (const size of [30, 40, 50]) {
    const index = samples.count++;
    samples.sizes[index] = size;
    samples.durations[index] = 3600;
    samples.isSync[index] = index === 0 ? 1 : 0;
  }
  expect(chunkHeaderBytes(3, { content: 'video', hasWall: true })).toBeLessThan(MAX_HEADER);
  const bytes = new Uint8Array(MAX_HEADER + 120).fill(7);
  const wall = wallTicks === undefined ? undefined : { epochMs: 1_800_000_000_000, mediaTicks: wallTicks };
  const header = { trackNumber, sequenceNumber: 9, baseDecodeTicks, samples, content: 'video', wall } as const;
  return bytes.subarray(writeChunkHeader(bytes, MAX_HEADER, header));
}

/** Complete chunk moved to another time and track. */
function placed(bytes: Uint8Array, shiftTicks: number, trackNumber: number): Buffer | undefined {
  const head = moveChunk(bytes.subarray(0, MOVED_HEAD_BYTES), { shiftTicks, trackNumber });
  return head && Buffer.concat([head, bytes.subarray(head.length)]);
}

describe('a moved chunk', () => {
  it('equals the chunk written at that time', () => {
    const ticks = fc.nat(2 ** 52);
    fc.assert(
      fc.property(ticks, ticks, fc.integer({ min: 1, max: 2000 }), fc.boolean(), (from, to, trackNumber, hasWall) => {
        const wall = hasWall ? from + 3600 : undefined;
        const moved = hasWall ? to + 3600 : undefined;
        const expected = Buffer.from(chunk(to, moved, trackNumber));
        expect(placed(chunk(from, wall), to - from, trackNumber)?.equals(expected)).toBe(true);
      }),
    );
  });

  it('leaves its source bytes unchanged', () => {
    for (const bytes of [chunk(90_000), Buffer.from(chunk(90_000))]) {
      const before = Uint8Array.from(bytes);
      expect(chunkStartTicks(bytes.subarray(0, MOVED_HEAD_BYTES))).toBe(90_000);
      expect(readChunk(placed(bytes, 90_000, 4) ?? new Uint8Array())?.baseDecodeTicks).toBe(180_000);
      expect(Buffer.compare(before, bytes)).toBe(0);
    }
  });

  it('is undefined if a time does not fit, and is never read outside missing or damaged bytes', () => {
    const bytes = chunk(90_000);
    expect(placed(bytes, -90_001, 1)).toBeUndefined();
    expect(placed(bytes, 2 ** 53, 1)).toBeUndefined();
    expect(moveChunk(new Uint8Array(), { shiftTicks: 0, trackNumber: 1 })).toBeUndefined();
    const end = moveChunk(bytes, { shiftTicks: 0, trackNumber: 1 })?.length ?? 0;
    for (let length = 0; length < end; length++)
      expect(moveChunk(bytes.subarray(0, length), { shiftTicks: 0, trackNumber: 1 })).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(end - 1), fc.nat(255), (at, byte) => {
        const damaged = bytes.slice();
        damaged[at] = byte;
        const found = moveChunk(damaged.subarray(0, MOVED_HEAD_BYTES), { shiftTicks: 5, trackNumber: 1 });
        expect(found === undefined || found.length <= MOVED_HEAD_BYTES).toBe(true);
      }),
      // A `tfdt` box that is only a header.
      { examples: [[59, 8]] },
    );
  });
});
