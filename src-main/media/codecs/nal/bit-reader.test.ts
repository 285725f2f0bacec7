import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import { addEmulation, removeEmulation } from './emulation.ts';

const field = fc.oneof(
  fc
    .integer({ min: 1, max: 32 })
    .chain((count) =>
      fc.tuple(fc.constant('bits' as const), fc.constant(count), fc.integer({ min: 0, max: 2 ** count - 1 })),
    ),
  fc.tuple(fc.constant('ue' as const), fc.constant(0), fc.integer({ min: 0, max: 2 ** 32 - 2 })),
  fc.tuple(fc.constant('se' as const), fc.constant(0), fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 })),
);

describe('BitReader and BitWriter', () => {
  it('read and write the same fields in any order', () => {
    fc.assert(
      fc.property(fc.array(field), (fields) => {
        const writer = new BitWriter();
        for (const [kind, count, value] of fields) {
          if (kind === 'bits') writer.bits(count, value);
          else writer[kind](value);
        }
        const bits = writer.lengthBits;
        const reader = new BitReader(writer.trailing().finish());
        for (const [kind, count, value] of fields) {
          expect(reader.hasMoreRbspData()).toBe(true);
          expect(kind === 'bits' ? reader.bits(count) : reader[kind]()).toBe(value);
        }
        expect(reader.positionBits).toBe(bits);
        expect(reader.hasMoreRbspData()).toBe(false);
        expect(reader.isBad).toBe(false);
      }),
    );
  });

  it('reads the codes of the table in H.264 9.1', () => {
    const reader = new BitReader(Buffer.from('a6429880', 'hex')); // 1 010 011 00100 00101 00110 …
    expect([reader.ue(), reader.ue(), reader.ue(), reader.ue(), reader.ue(), reader.ue()]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('returns zeros past the end, and sets isBad', () => {
    const reader = new BitReader(Uint8Array.of(0xff));
    expect(reader.bits(8)).toBe(255);
    expect(reader.isBad).toBe(false);
    expect([reader.bits(1), reader.ue(), reader.flag()]).toEqual([0, 0, false]);
    expect(reader.isBad).toBe(true);
  });

  it('terminates on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.array(fc.integer({ min: 0, max: 40 })), (bytes, steps) => {
        const reader = new BitReader(bytes);
        for (const step of steps) {
          if (step > 32) reader.ue();
          else reader.bits(step);
        }
        expect(reader.bitsLeft).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('emulation prevention bytes', () => {
  it('are added and removed without loss', () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 4, maxLength: 200 }), (rbsp) => {
        const unit = addEmulation(rbsp);
        expect(Buffer.from(unit).indexOf(Buffer.from([0, 0, 1]))).toBe(-1);
        expect([...removeEmulation(unit)]).toEqual([...rbsp]);
      }),
    );
  });

  it('are removed from consecutive 00 00 03', () => {
    expect([...removeEmulation(Uint8Array.of(0, 0, 3, 0, 0, 3, 1))]).toEqual([0, 0, 0, 0, 1]);
  });
});
