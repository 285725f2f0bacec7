import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAvcC, writeAvcC } from './avcc.ts';
import type { AvcC } from './avcc.ts';
import { madePps, madeSps } from '../../../../tests/helpers/made-h264-units.ts';
import { trackFromAvcC } from '../h264/track.ts';

const unit = fc.uint8Array({ minLength: 1, maxLength: 30 });
const byte = fc.integer({ min: 0, max: 255 });
const base = {
  constraints: byte,
  levelIdc: byte,
  lengthSize: fc.constantFrom(1 as const, 2 as const, 4 as const),
  sps: fc.array(unit, { maxLength: 31 }),
  pps: fc.array(unit, { maxLength: 40 }),
};
const depth = fc.integer({ min: 8, max: 15 });
const records: fc.Arbitrary<AvcC> = fc.oneof(
  fc.record({ profileIdc: fc.constantFrom(66, 77, 88, 100), ...base }),
  fc.record({
    profileIdc: fc.constantFrom(100, 110, 122, 244),
    ...base,
    chroma: fc.record({ formatIdc: fc.integer({ min: 0, max: 3 }), bitDepthLuma: depth, bitDepthChroma: depth }),
    spsExtensions: fc.array(unit, { minLength: 1, maxLength: 3 }),
  }),
);

describe('avcC', () => {
  it('is parsed as written', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(readAvcC(writeAvcC(record))).toEqual(record);
      }),
    );
  });

  it('is never read past its end', () => {
    fc.assert(
      fc.property(records, fc.nat(200), (record, cut) => {
        const bytes = writeAvcC(record).subarray(0, cut);
        const again = readAvcC(bytes);
        for (const set of [...(again?.sps ?? []), ...(again?.pps ?? [])])
          expect(set.byteOffset + set.length).toBeLessThanOrEqual(bytes.length);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(trackFromAvcC(Uint8Array.of(1, ...bytes), { trackId: 'v1' })?.width).not.toBe(0);
      }),
    );
  });

  it('is not written with more parameter sets than the format can count', () => {
    const record = { profileIdc: 77, constraints: 0, levelIdc: 30, lengthSize: 4, sps: [], pps: [] } as const;
    expect(() => writeAvcC({ ...record, sps: Array.from({ length: 32 }, () => madeSps()) })).toThrow(RangeError);
    expect(() => writeAvcC({ ...record, pps: [new Uint8Array(65536)] })).toThrow(RangeError);
  });

  it('is converted to a track with four-byte lengths and its own copies', () => {
    const sps = madeSps({ profileIdc: 100, constraints: 0, levelIdc: 40 });
    const record = Buffer.from(
      writeAvcC({ profileIdc: 100, constraints: 0, levelIdc: 40, lengthSize: 2, sps: [sps], pps: [madePps()] }),
    );
    const track = trackFromAvcC(record, { trackId: 'v1' });
    record.fill(0);
    expect(track).toMatchObject({
      codecString: 'avc1.640028',
      profile: 'High',
      level: '4.0',
      width: 320,
      height: 192,
      sarWidth: 1,
    });
    expect(track).not.toHaveProperty('fps');
    expect(track).not.toHaveProperty('language');
    const config = readAvcC(track?.decoderConfig ?? new Uint8Array(0));
    expect(config).toMatchObject({
      lengthSize: 4,
      sps: [sps],
      chroma: { formatIdc: 1, bitDepthLuma: 8, bitDepthChroma: 8 },
    });
  });
});
