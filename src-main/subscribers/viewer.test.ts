import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewerAccess } from './viewer.ts';

const FACTS = { subscriberId: 's', isDisabled: false, isPortalDisabled: false };
const word = fc.constantFrom('a', 'b', 'live');
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('/'));
const entry = fc.tuple(name, fc.boolean()).map(([text, isPrefix]) => (isPrefix ? `${text}/` : text));

describe('viewerAccess', () => {
  it('covers the stream names in a package, and names that start with one of its prefixes', () => {
    const packages = fc.array(
      fc.record({ streams: fc.array(entry, { maxLength: 3 }), maxSessions: fc.constant(null) }),
    );
    fc.assert(
      fc.property(packages, fc.array(name), (assigned, names) => {
        const entries = assigned.flatMap(({ streams }) => streams);
        const expected = names.filter((one) =>
          entries.some((known) => known === one || (known.endsWith('/') && one.startsWith(known))),
        );
        expect(viewerAccess({ ...FACTS, packages: assigned }, names).names).toEqual(expected);
      }),
    );
  });

  it.each([
    ['the largest of its packages', [1, 3, 2], 3],
    ['none if one package has none', [1, null], null],
    ['none without packages', [], null],
  ])('has as its session limit %s', (_what, limits, expected) => {
    const packages = limits.map((maxSessions) => ({ streams: ['a'], maxSessions }));
    expect(viewerAccess({ ...FACTS, packages }, ['a']).maxSessions).toBe(expected);
  });

  it.each([
    [{ isDisabled: true }, 'disabled'],
    [{ isPortalDisabled: true }, 'portal_disabled'],
  ])('is empty with %o', (facts, refusal) => {
    const access = viewerAccess({ ...FACTS, ...facts, packages: [{ streams: ['a'], maxSessions: null }] }, ['a']);
    expect(access).toMatchObject({ refusal, names: [] });
  });
});
