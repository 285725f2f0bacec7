import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { avcDecoderConfig, slicesWithLengths } from './annex-b.ts';

const SPS = [0x67, 100, 0, 31, 0xac];
const PPS = [0x68, 0xee];

/** A NAL unit as an encoder writes it: no start code inside, and no zero at its end (H.264 7.4.1). */
const anyUnit = fc
  .tuple(fc.integer({ min: 1, max: 31 }), fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 12 }))
  .map(([type, payload]) => [type, ...payload]);

const anyStream = fc.array(fc.tuple(anyUnit, fc.nat(3)), { maxLength: 12 });

/** NAL units after three-byte start codes, each preceded by some zeros. */
function annexB(units: readonly (readonly [unit: readonly number[], zeros: number])[]): Buffer {
  return Buffer.from(units.flatMap(([unit, zeros]) => [...Array.from({ length: zeros }, () => 0), 0, 0, 1, ...unit]));
}

describe('slicesWithLengths', () => {
  it('returns all units of types 1 to 5 in order, each after its length', () => {
    fc.assert(
      fc.property(anyStream, fc.nat(3), (units, trailing) => {
        const bytes = Buffer.concat([annexB(units), Buffer.alloc(units.length === 0 ? 0 : trailing)]);
        const slices = units.map(([unit]) => unit).filter(([type = 0]) => type <= 5);
        const expected = slices.flatMap((unit) => [0, 0, 0, unit.length, ...unit]);
        expect([...slicesWithLengths(bytes)]).toEqual(expected);
      }),
    );
  });

  it.each([
    ['nothing', []],
    ['zeros', [0, 0, 0, 0]],
    ['a start code alone', [0, 0, 1]],
    ['two start codes', [0, 0, 1, 0, 0, 1]],
    ['no start code', [5, 1, 2]],
  ])('returns no slices for %s', (_name, bytes) => {
    expect(slicesWithLengths(Buffer.from(bytes))).toHaveLength(0);
  });

  it('skips the bytes before the first start code', () => {
    expect([...slicesWithLengths(Buffer.from([9, 9, 0, 0, 1, 0x65, 7]))]).toEqual([0, 0, 0, 2, 0x65, 7]);
  });
});

describe('avcDecoderConfig', () => {
  it('contains profile, constraints and level of the SPS, four-byte lengths, and both parameter sets', () => {
    const sps = [0x67, 77, 0x40, 30, 1];
    const bytes = annexB([sps, PPS, [0x65, 1]].map((unit) => [unit, 1] as const));
    expect([...(avcDecoderConfig(bytes) ?? [])]).toEqual([
      1,
      77,
      0x40,
      30,
      0xff,
      0xe1,
      0,
      sps.length,
      ...sps,
      1,
      0,
      PPS.length,
      ...PPS,
    ]);
  });

  it.each([
    [66, false],
    [88, false],
    [100, true],
    [110, true],
    [122, true],
    [144, true],
  ])('adds chroma format and bit depths for profile %i: %s', (profile, hasMore) => {
    const sps = SPS.with(1, profile);
    const config = avcDecoderConfig(annexB([sps, PPS].map((unit) => [unit, 0] as const))) ?? Buffer.alloc(0);
    const end = 8 + sps.length + 3 + PPS.length;
    expect([...config.subarray(end)]).toEqual(hasMore ? [0xfd, 0xf8, 0xf8, 0] : []);
  });

  it.each([
    ['an SPS', [PPS]],
    ['a PPS', [SPS]],
    ['an SPS with a level', [SPS.slice(0, 3), PPS]],
  ])('is undefined without %s', (_name, units) => {
    expect(avcDecoderConfig(annexB(units.map((unit) => [unit, 1] as const)))).toBeUndefined();
  });
});
