import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHvcC, writeHvcC } from './hvcc.ts';
import type { HvcC } from './hvcc.ts';
import { hevcCodecString, levelName, profileName } from '../h265/profile-tier-level.ts';
import type { ProfileTierLevel } from './hvcc.ts';
import { readSps } from '../h265/sps.ts';
import { trackFromHvcC } from '../h265/track.ts';
import { readVps } from '../h265/vps.ts';

const bits = (count: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** count - 1 });
const byte = bits(8);
const depth = fc.integer({ min: 8, max: 15 });
const level: fc.Arbitrary<ProfileTierLevel> = fc.record({
  profileSpace: bits(2),
  isHighTier: fc.boolean(),
  profileIdc: bits(5),
  compatibility: bits(32),
  constraints: fc.tuple(byte, byte, byte, byte, byte, byte),
  levelIdc: byte,
});
const records: fc.Arbitrary<HvcC> = fc.record({
  profileTierLevel: level,
  minSpatialSegmentation: bits(12),
  parallelismType: bits(2),
  chromaFormatIdc: bits(2),
  bitDepthLuma: depth,
  bitDepthChroma: depth,
  averageFrameRate: bits(16),
  constantFrameRate: bits(2),
  temporalLayers: bits(3),
  isTemporalIdNested: fc.boolean(),
  lengthSize: fc.constantFrom(1 as const, 2 as const, 4 as const),
  arrays: fc.array(
    fc.record({
      nalType: bits(6),
      isComplete: fc.boolean(),
      units: fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 4 }),
    }),
    {
      maxLength: 6,
    },
  ),
});

describe('hvcC', () => {
  it('is parsed as written', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(readHvcC(writeHvcC(record))).toEqual(record);
      }),
    );
  });

  it('is never read past its end', () => {
    fc.assert(
      fc.property(records, fc.nat(120), (record, cut) => {
        const bytes = writeHvcC(record).subarray(0, cut);
        for (const array of readHvcC(bytes)?.arrays ?? []) {
          for (const unit of array.units) expect(unit.byteOffset + unit.length).toBeLessThanOrEqual(bytes.length);
        }
      }),
    );
    expect(readHvcC(new Uint8Array(70_000).fill(1))).toBeUndefined();
  });
});

describe('H.265 parameter sets', () => {
  it('terminate on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        const sps = readSps(Uint8Array.of(0x42, 1, 1, 1, 0x60, 0, 0, 0, ...bytes));
        expect(sps === undefined || (sps.width > 0 && sps.height > 0 && sps.height <= 16384)).toBe(true);
        const timing = readVps(Uint8Array.of(0x40, 1, ...bytes))?.timing;
        expect(timing === undefined || timing.unitsInTick > 0).toBe(true);
        expect(trackFromHvcC(bytes, { trackId: 'v1' })).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe('H.265 names', () => {
  const main: ProfileTierLevel = {
    profileSpace: 0,
    isHighTier: false,
    profileIdc: 1,
    compatibility: 0x60000000,
    constraints: [0xb0, 0, 0, 0, 0, 0],
    levelIdc: 93,
  };

  it('writes codec strings', () => {
    expect(hevcCodecString(main)).toBe('hvc1.1.6.L93.B0');
    expect(
      hevcCodecString({ ...main, profileIdc: 2, compatibility: 0x20000000, isHighTier: true, levelIdc: 153 }),
    ).toBe('hvc1.2.4.H153.B0');
    expect(hevcCodecString({ ...main, profileSpace: 1, constraints: [0x90, 0, 0x0a, 0, 0, 0] })).toBe(
      'hvc1.A1.6.L93.90.0.A',
    );
    expect(hevcCodecString({ ...main, constraints: [0, 0, 0, 0, 0, 0] })).toBe('hvc1.1.6.L93');
  });

  it('names profiles and levels', () => {
    expect([profileName(main), levelName(main)]).toEqual(['Main', '3.1']);
    expect(profileName({ ...main, profileIdc: 0, compatibility: 0x20000000 })).toBe('Main 10');
    expect(profileName({ ...main, profileIdc: 30 })).toBe('Profile 30');
    expect(levelName({ ...main, levelIdc: 120 })).toBe('4.0');
  });
});
