import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readByteRange, sliceRange } from './byte-range.ts';

describe('readByteRange', () => {
  it.each([
    [undefined, 'all'],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-200', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    // Forms that are not for us get the whole body, as the standard allows.
    ['bytes=9-3', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['pages=1-2', 'all'],
    ['bytes=-', 'all'],
  ])('reads %s of 100 bytes', (header, expected) => {
    expect(readByteRange(header, 100)).toEqual(expected);
  });
});

describe('sliceRange', () => {
  it('cuts a body in pieces as if it were one', () => {
    const body = fc.array(fc.uint8Array({ maxLength: 20 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(body, fc.nat(200), fc.nat(200), (pieces, a, b) => {
        const whole = Buffer.concat(pieces);
        const first = Math.min(a, b);
        const last = Math.max(a, b);
        const cut = Buffer.concat(sliceRange(pieces, { first, last }));
        expect(cut.equals(whole.subarray(first, last + 1))).toBe(true);
      }),
    );
  });
});
