import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BitWriter } from '../nal/bit-writer.ts';
import { madeSps } from '../../../../tests/helpers/made-h264-units.ts';
import type { MadeSps } from '../../../../tests/helpers/made-h264-units.ts';
import { readPps } from './pps.ts';
import { levelName, profileName } from './profile.ts';
import { readSps } from './sps.ts';

/** VUI with all its parts: aspect ratio, colours, chroma location, timing, both HRDs, bitstream restriction. */
function fullVui(writer: BitWriter): void {
  writer.flag(true).bits(8, 255).bits(16, 12).bits(16, 7);
  writer.flag(true).flag(true);
  writer.flag(true).bits(3, 5).flag(true).flag(true).bits(8, 9).bits(8, 16).bits(8, 9);
  writer.flag(true).ue(0).ue(0);
  writer.flag(true).bits(32, 1001).bits(32, 120_000).flag(true);
  for (let hrd = 0; hrd < 2; hrd++) {
    writer.flag(true).ue(1).bits(8, 0);
    for (let i = 0; i < 2; i++) writer.ue(5000).ue(9000).flag(false);
    writer.bits(20, 0);
  }
  writer.flag(false).flag(true);
  writer.flag(true).flag(true).ue(2).ue(1).ue(9).ue(9).ue(3).ue(4);
}

describe('readSps', () => {
  const cases: readonly [string, MadeSps, Partial<Record<keyof NonNullable<ReturnType<typeof readSps>>, unknown>>][] = [
    [
      'a plain SPS',
      {},
      { profileIdc: 77, levelIdc: 31, width: 320, height: 192, isInterlaced: false, bitDepthLuma: 8 },
    ],
    ['cropping 4:2:0', { crop: [1, 2, 0, 6] }, { width: 314, height: 180 }],
    [
      'cropping of fields',
      { isInterlaced: true, heightInMapUnits: 9, crop: [0, 0, 0, 2] },
      { height: 280, isInterlaced: true },
    ],
    [
      'cropping 4:2:2',
      { profileIdc: 122, chromaFormatIdc: 2, crop: [1, 0, 3, 0] },
      { width: 318, height: 189, chromaFormatIdc: 2 },
    ],
    ['cropping 4:4:4', { profileIdc: 244, chromaFormatIdc: 3, crop: [1, 0, 3, 0] }, { width: 319, height: 189 }],
    [
      'separate planes',
      { profileIdc: 244, chromaFormatIdc: 3, isSeparate: true, crop: [1, 0, 0, 1] },
      { width: 319, height: 191 },
    ],
    [
      'monochrome',
      { profileIdc: 100, chromaFormatIdc: 0, crop: [1, 0, 0, 1] },
      { width: 319, height: 191, chromaFormatIdc: 0 },
    ],
    [
      'ten bits and scaling lists',
      { profileIdc: 110, bitDepth: 10, hasScalingLists: true },
      { bitDepthLuma: 10, bitDepthChroma: 10, width: 320 },
    ],
    [
      'twelve scaling lists',
      { profileIdc: 244, chromaFormatIdc: 3, hasScalingLists: true },
      { width: 320, height: 192 },
    ],
    ['picture order by a cycle', { pocType: 1, id: 31 }, { width: 320, id: 31 }],
    ['picture order by decoding', { pocType: 2 }, { width: 320 }],
    ['timing', { vui: fullVui }, { fps: 120_000 / 2002 }],
  ];

  it.each(cases)('reads %s', (_name, made, expected) => {
    expect(readSps(madeSps(made))).toMatchObject(expected);
  });

  it('reads the complete VUI', () => {
    expect(readSps(madeSps({ vui: fullVui }))?.vui).toEqual({
      sampleAspectRatio: { width: 12, height: 7 },
      isFullRange: true,
      colourPrimaries: 9,
      transferCharacteristics: 16,
      matrixCoefficients: 9,
      timing: { unitsInTick: 1001, timeScale: 120_000, isFixedFrameRate: true },
      maxReorderFrames: 3,
    });
  });

  it('assumes square samples for unspecified, reserved and empty aspect ratios', () => {
    for (const idc of [0, 17, 200]) {
      const sps = readSps(madeSps({ vui: (writer) => writer.flag(true).bits(8, idc).bits(8, 0) }));
      expect(sps?.vui.sampleAspectRatio).toEqual({ width: 1, height: 1 });
    }
    const empty = readSps(madeSps({ vui: (writer) => writer.flag(true).bits(8, 255).bits(32, 0).bits(8, 0) }));
    expect(empty?.vui.sampleAspectRatio).toEqual({ width: 1, height: 1 });
  });

  it('keeps the size if the VUI is truncated', () => {
    expect(readSps(madeSps({ vui: (writer) => writer.flag(true) }))).toMatchObject({ width: 320, height: 192 });
  });

  it('refuses damaged and impossible parameter sets', () => {
    expect(readSps(Uint8Array.of(0x67))).toBeUndefined();
    expect(readSps(madeSps().subarray(0, 6))).toBeUndefined();
    expect(readSps(madeSps({ crop: [100, 100, 0, 0] }))).toBeUndefined();
    expect(readSps(madeSps({ widthInMbs: 2000 }))).toBeUndefined();
    expect(readSps(madeSps({ id: 32 }))).toBeUndefined();
  });

  it('terminates on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.constantFrom(66, 100, 244), (bytes, profileIdc) => {
        const sps = readSps(Uint8Array.of(0x67, profileIdc, ...bytes));
        if (!sps) return;
        expect(sps.width).toBeGreaterThan(0);
        expect(sps.width).toBeLessThanOrEqual(16384);
        expect(sps.fps === undefined || (Number.isFinite(sps.fps) && sps.fps > 0)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('readPps', () => {
  it('terminates on any bytes, with ids in range', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const pps = readPps(bytes);
        expect(pps === undefined || (pps.id <= 255 && pps.spsId <= 31)).toBe(true);
      }),
    );
  });
});

describe('H.264 names', () => {
  it.each([
    [66, 0xc0, 'Constrained Baseline'],
    [66, 0x00, 'Baseline'],
    [77, 0x40, 'Main'],
    [77, 0xc0, 'Constrained Baseline'],
    [88, 0, 'Extended'],
    [100, 0, 'High'],
    [100, 0x0c, 'Constrained High'],
    [100, 0x08, 'Progressive High'],
    [110, 0x10, 'High 10 Intra'],
    [122, 0, 'High 4:2:2'],
    [244, 0, 'High 4:4:4 Predictive'],
    [99, 0, 'Profile 99'],
  ])('include profile %i with constraints %i as %s', (idc, constraints, name) => {
    expect(profileName(idc, constraints)).toBe(name);
  });

  it.each([
    [66, 0x10, 11, '1b'],
    [100, 0x00, 9, '1b'],
    [100, 0x10, 11, '1.1'],
    [100, 0x00, 40, '4.0'],
    [77, 0x00, 31, '3.1'],
  ])('include the level of profile %i, constraints %i and level_idc %i as %s', (idc, constraints, level, name) => {
    expect(levelName(idc, constraints, level)).toBe(name);
  });
});
