import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amfFields, amfObject, readAmf0, writeAmf0 } from './amf0.ts';
import type { AmfValue } from './amf0.ts';

const { value: anyValue } = fc.letrec<{ value: AmfValue; fields: Map<string, AmfValue> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.double(),
    fc.boolean(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(null, undefined),
    fc.double().map((epochMs) => ({ kind: 'date' as const, epochMs })),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('fields').map((fields) => ({ kind: 'object' as const, fields })),
    tie('fields').map((fields) => ({ kind: 'ecma-array' as const, fields })),
    fc
      .tuple(fc.string({ maxLength: 9 }), tie('fields'))
      .map(([className, fields]) => ({ kind: 'object' as const, className, fields })),
  ),
  fields: fc
    .array(fc.tuple(fc.string({ minLength: 1, maxLength: 9 }), tie('value')), { maxLength: 4 })
    .map((entries) => new Map(entries)),
}));

describe('AMF 0', () => {
  it('is read as written', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 5 }), (values) => {
        expect(readAmf0(writeAmf0(values))).toEqual({ values, isComplete: true });
      }),
    );
  });

  it('writes the bytes of the standard', () => {
    const bytes = writeAmf0(['connect', 1, amfObject({ app: 'live', audio: true }), null, [2]]);
    expect(Buffer.from(bytes).toString('hex').replace(/(..)/g, '$1 ').trim()).toBe(
      [
        '02 00 07 63 6f 6e 6e 65 63 74', // string "connect"
        '00 3f f0 00 00 00 00 00 00', // number 1
        '03 00 03 61 70 70 02 00 04 6c 69 76 65', // object, "app": "live"
        '00 05 61 75 64 69 6f 01 01 00 00 09', // "audio": true, end
        '05', // null
        '0a 00 00 00 01 00 40 00 00 00 00 00 00 00', // array of the number 2
      ].join(' '),
    );
  });

  it('keeps strings longer than 64 KiB', () => {
    const text = 'x'.repeat(70_000);
    expect(readAmf0(writeAmf0([text])).values).toEqual([text]);
  });

  it('ends an associative array at its end marker, whatever its count says', () => {
    const bytes = Buffer.from('08 0000ffff 0001 61 05 000009 05'.replace(/ /g, ''), 'hex');
    const { values, isComplete } = readAmf0(bytes);
    expect(isComplete).toBe(true);
    expect(values).toHaveLength(2);
    expect(amfFields(values[0])?.get('a')).toBeNull();
  });

  it('keeps fields with names that are special in JavaScript', () => {
    const fields = new Map<string, AmfValue>([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
    expect(amfFields(readAmf0(writeAmf0([{ kind: 'object', fields }])).values[0])).toEqual(fields);
  });

  it.each([
    ['ends inside a string', '02 0005 6162'],
    ['is an array with too large a length', '0a ffffffff 05'],
    ['is nested too deep', '0a00000001'.repeat(40) + '05'],
    ['has an unsupported marker', '07 0000'],
  ])('stops at a value that %s', (_, hex) => {
    const { values, isComplete } = readAmf0(Buffer.from(`05${hex}`.replace(/ /g, ''), 'hex'));
    expect(isComplete).toBe(false);
    expect(values).toEqual([null]);
  });

  it('accepts any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readAmf0(bytes).values.length).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 500 },
    );
  });

  it('limits the number of values in a message', () => {
    const { values, isComplete } = readAmf0(new Uint8Array(1_000_000).fill(5));
    expect(isComplete).toBe(false);
    expect(values).toHaveLength(10_000);
  });
});
