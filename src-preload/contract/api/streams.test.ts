import fc from 'fast-check';
import { expect, it } from 'vitest';
import { streamNameSchema } from './streams.ts';

const isName = (name: string): boolean => streamNameSchema.safeParse(name).success;
const FIRST = 'aZ0_éЖ字';
const LATER = `${FIRST}.-~@+`;
const anySegment = fc
  .tuple(fc.constantFrom(...FIRST), fc.array(fc.constantFrom(...LATER), { maxLength: 8 }))
  .map(([first, later]) => first + later.join(''));
const anyName = fc.array(anySegment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));

it('stream names can have segments that start with a letter, a digit or _', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(isName(name)).toBe(true);
    }),
  );
});

it('stream names are unchanged in the path of an address', () => {
  const anyText = fc.string({ unit: fc.constantFrom(...'a/.\\%?#:@ ~+\0\n-_é', '//', '..', '%2e'), maxLength: 12 });
  fc.assert(
    fc.property(fc.oneof(anyText, anyName), (name) => {
      fc.pre(isName(name));
      const { pathname, search, hash } = new URL(`http://localhost/${name}`);
      expect([decodeURIComponent(pathname), search, hash]).toEqual([`/${name}`, '', '']);
    }),
    { numRuns: 300 },
  );
});

it('stream names cannot have characters with a meaning in addresses or files', () => {
  for (const character of '\0\t\n\r "#%&*:;<=>?[\\]^`{|}!$\'(),\u00a0\u200b\u202e')
    for (const name of [character, `a${character}`, `a${character}b`, `a/${character}`])
      expect([name, isName(name)]).toEqual([name, false]);
});

it('stream names cannot start with a reserved segment, but can have one later', () => {
  for (const segment of ['-', 'mediaserver', 'streamer', 'tv-management', 'flussonic']) {
    expect([segment, isName(segment), isName(`${segment}/a`)]).toEqual([segment, false, false]);
    if (segment !== '-')
      expect([segment, isName(`${segment}x`), isName(`a/${segment}`)]).toEqual([segment, true, true]);
  }
});

it('stream names have at most 200 characters', () => {
  expect([isName('a'.repeat(200)), isName('a'.repeat(201)), isName('')]).toEqual([true, false, false]);
});
