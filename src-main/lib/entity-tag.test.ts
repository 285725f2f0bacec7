import { describe, expect, it } from 'vitest';
import { isTagNamed } from './entity-tag.ts';

describe('isTagNamed', () => {
  it.each([
    ['"a"', true],
    ['*', true],
    ['"b", "a"', true],
    ['W/"a"', true],
    ['"b",W/"a"', true],
    [undefined, false],
    ['', false],
    ['"ab"', false],
    ['a', false],
  ])('finds "a" in %s: %s', (header, isNamed) => {
    expect(isTagNamed(header, '"a"')).toBe(isNamed);
  });
});
