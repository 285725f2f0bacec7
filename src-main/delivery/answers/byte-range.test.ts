import { describe, expect, it } from 'vitest';
import { readByteRange } from './byte-range.ts';

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
    // Unsupported forms get the complete body, as the standard allows.
    ['bytes=9-3', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['pages=1-2', 'all'],
    ['bytes=-', 'all'],
  ])('reads %s of 100 bytes', (header, expected) => {
    expect(readByteRange(header, 100)).toEqual(expected);
  });
});
