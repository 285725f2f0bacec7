import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findStartCode, NalCursor, splitAnnexB } from './annexb.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** A NAL unit as encoders write it: never empty, no start code inside, no zero byte at the end. */
const unit = fc.uint8Array({ minLength: 1, maxLength: 80, max: 5 }).map((bytes) => {
  const safe = bytes.slice();
  for (let i = 0; i < safe.length; i++)
    if (i > 1 && safe[i - 1] === 0 && safe[i - 2] === 0 && safe[i]! < 4) safe[i] = 9;
  if (safe.at(-1) === 0) safe[safe.length - 1] = 7;
  return safe;
});

describe('NalCursor', () => {
  it('finds units after start codes of three and four bytes', () => {
    const units = splitAnnexB(hex('00000001 09f0 000001 6742 00000001 68ce 0000000001 65888000 0000'));
    expect(units.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(['09f0', '6742', '68ce', '658880']);
  });

  it('skips bytes before the first start code, and skips empty units', () => {
    expect(splitAnnexB(hex('aabb 000001 000001 41'))).toEqual([hex('41')]);
    expect(splitAnnexB(hex('aabbcc'))).toEqual([]);
    expect(splitAnnexB(hex(''))).toEqual([]);
    expect(splitAnnexB(hex('000001'))).toEqual([]);
  });

  it('returns all units, with any number of zero bytes between them', () => {
    const piece = fc.tuple(unit, fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const stream = Buffer.concat(
          pieces.flatMap(([bytes, zeros]) => [Buffer.alloc(zeros), Buffer.from([0, 0, 1]), bytes]),
        );
        expect(splitAnnexB(stream).map((bytes) => [...bytes])).toEqual(pieces.map(([bytes]) => [...bytes]));
      }),
    );
  });

  it('finds only units inside the given bytes, for any bytes', () => {
    const cursor = new NalCursor();
    fc.assert(
      fc.property(fc.uint8Array({ max: 2, maxLength: 300 }), (bytes) => {
        let before = 0;
        cursor.reset(bytes);
        while (cursor.next()) {
          expect(cursor.start).toBeGreaterThanOrEqual(before + 3);
          expect(cursor.end).toBeGreaterThan(cursor.start);
          expect(cursor.end).toBeLessThanOrEqual(bytes.length);
          expect(findStartCode(bytes.subarray(cursor.start, cursor.end), 0)).toBe(-1);
          before = cursor.end;
        }
      }),
    );
  });
});
