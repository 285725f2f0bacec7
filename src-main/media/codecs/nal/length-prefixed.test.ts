import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitAnnexB } from './annexb.ts';
import {
  annexBSize,
  LengthPrefixedCursor,
  lengthPrefixedToAnnexB,
  lengthPrefixedToFourByte,
} from './length-prefixed.ts';
import type { LengthSize } from './length-prefixed.ts';
import { SampleScratch } from './sample-scratch.ts';

const unit = fc.uint8Array({ minLength: 1, maxLength: 200, min: 1 });
const lengthSize = fc.constantFrom<LengthSize>(1, 2, 4);

function sampleOf(units: readonly Uint8Array[], size: LengthSize): Buffer {
  return Buffer.concat(
    units.flatMap((bytes) => {
      const length = Buffer.alloc(size);
      length.writeUIntBE(bytes.length, 0, size);
      return [length, bytes];
    }),
  );
}

describe('length-prefixed samples', () => {
  it('are converted to byte streams with the same units, of the computed size', () => {
    fc.assert(
      fc.property(fc.array(unit), lengthSize, fc.nat(9), (units, size, offset) => {
        const sample = sampleOf(units, size);
        const target = Buffer.alloc(offset + annexBSize(sample, size));
        expect(lengthPrefixedToAnnexB(target, offset, sample, size)).toBe(target.length);
        expect(splitAnnexB(target.subarray(offset)).map((bytes) => [...bytes])).toEqual(
          units.map((bytes) => [...bytes]),
        );
      }),
    );
  });

  it('are converted to four-byte lengths, as SampleScratch builds them', () => {
    const scratch = new SampleScratch();
    fc.assert(
      fc.property(fc.array(unit), lengthSize, (units, size) => {
        const sample = sampleOf(units, size);
        const target = Buffer.alloc(annexBSize(sample, size));
        expect(lengthPrefixedToFourByte(target, 0, sample, size)).toBe(target.length);
        scratch.start(0);
        for (const bytes of units) scratch.append(bytes, 0, bytes.length);
        expect(target.equals(scratch.view())).toBe(true);
        expect(target.equals(sampleOf(units, 4))).toBe(true);
      }),
    );
  });

  it('are never read outside damaged bytes', () => {
    const cursor = new LengthPrefixedCursor();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60, max: 9 }), lengthSize, (bytes, size) => {
        const target = Buffer.alloc(annexBSize(bytes, size));
        expect(lengthPrefixedToAnnexB(target, 0, bytes, size)).toBeLessThanOrEqual(target.length);
        cursor.reset(bytes, size);
        let last = 0;
        while (cursor.next()) {
          expect(cursor.start).toBeGreaterThanOrEqual(last + size);
          expect(cursor.end).toBeLessThanOrEqual(bytes.length);
          last = cursor.end;
        }
        expect(cursor.isBad || cursor.end === bytes.length).toBe(true);
      }),
    );
  });

  it('report a length that does not fit', () => {
    const cursor = new LengthPrefixedCursor();
    cursor.reset(Uint8Array.of(0, 0, 0, 1, 0x65, 0, 0, 0, 9, 0x41));
    expect(cursor.next()).toBe(true);
    expect(cursor.next()).toBe(false);
    expect(cursor.isBad).toBe(true);
  });
});
