import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Any character, as unit of `fc.string`. The unit `binary`, and so `fc.webUrl`, first builds a table of a million
 * characters, which takes 0.8 s and 86 MB and slows down garbage collection.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: FIRST_SURROGATE - 1 }),
    fc.integer({ min: LAST_SURROGATE + 1, max: LAST_CODE_POINT }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
