import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutPiece, type MediaFile, type Piece } from '../../segment/media-bytes.ts';
import { piecesInReads, READ_BYTES, readNext } from './file-reads.ts';

const BYTES = Uint8Array.from({ length: 1_300_000 }, (_, index) => index * 7 + (index >> 8));

it('reads the bytes of any pieces once and in order, and adjacent ones in one read', async () => {
  const gaps = fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 1, max: 300_000 })), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(gaps, fc.boolean(), async (places, hasMemoryPiece) => {
      const reads: [number, number][] = [];
      const file: MediaFile = {
        read: async (offset, sizeBytes) => {
          reads.push([offset, offset + sizeBytes]);
          return Promise.resolve(BYTES.subarray(offset, offset + sizeBytes));
        },
      };
      const wholeFile = { file, offset: 0, sizeBytes: BYTES.length };
      const pieces: Piece[] = [];
      let at = 0;
      for (const [gap, sizeBytes] of places) {
        const from = at + gap;
        at = Math.min(BYTES.length, from + sizeBytes);
        if (from < at) pieces.push(cutPiece(wholeFile, from, at));
      }
      if (hasMemoryPiece) pieces.splice(1, 0, { bytes: Buffer.from('head') });
      const found: Uint8Array[] = [];
      for (const next of piecesInReads(pieces)) {
        const { bytes, done } = await readNext(next);
        for (const one of bytes) found.push(Uint8Array.from(one));
        done();
      }
      const expected = pieces.map((one) =>
        'file' in one ? BYTES.subarray(one.offset, one.offset + one.sizeBytes) : one.bytes,
      );
      expect(Buffer.concat(found).equals(Buffer.concat(expected))).toBe(true);
      for (const [index, [from, end]] of reads.entries()) {
        expect(end - from).toBeLessThanOrEqual(READ_BYTES);
        const next = reads[index + 1];
        // Two consecutive reads are either too large to be one read, or too far apart.
        if (next && !hasMemoryPiece) expect(next[1] - from > READ_BYTES || next[0] - end > 32 * 1024).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
