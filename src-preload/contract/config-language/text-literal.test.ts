import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../tests/helpers/any-character.ts';
import { parseConfigText } from './parse.ts';
import { isOptionKey, parseTextLiteral, printOptionValue, printTextLiteral, printWord } from './text-literal.ts';

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string(),
  fc
    .array(fc.constantFrom('"', '\\', ';', '{', '}', '\n', '\r', ' ', '#', '=', 'a', 'k=', '\ud800', '\u2028', '\0'))
    .map((parts) => parts.join('')),
);

describe('printed values', () => {
  it.each([
    ['udp://239.0.0.1:1234', 'udp://239.0.0.1:1234'],
    ['Camera 1', '"Camera 1"'],
    ['', '""'],
    ['a;b', '"a;b"'],
    ['#1', '"#1"'],
    ['a#1', 'a#1'],
    ['key=value', '"key=value"'],
    ['http://h/?key=value', 'http://h/?key=value'],
    ['say "hi"\\', '"say \\"hi\\"\\\\"'],
    ['two\nlines', '"two\\nlines"'],
  ])('have for %j the form %s', (value, printed) => {
    expect(printWord(value)).toBe(printed);
  });

  it('are parsed as written', () => {
    fc.assert(
      fc.property(anyText, anyText, (word, value) => {
        const { directives, problems } = parseConfigText(`a ${printWord(word)} k=${printOptionValue(value)};b;`);
        expect(problems).toEqual([]);
        expect(directives).toHaveLength(2);
        expect(directives[0]?.args.map((arg) => arg.value)).toEqual([word]);
        expect(directives[0]?.options.map((option) => [option.key, option.value])).toEqual([['k', value]]);
      }),
      { numRuns: 500 },
    );
  });

  it('stay on one line', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(printTextLiteral(value)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

describe('a text literal', () => {
  it('reports its first invalid escape', () => {
    expect(parseTextLiteral('a\\qb\\z')).toEqual({ value: 'a\\qb\\z', badEscapeAt: 1 });
    expect(parseTextLiteral('\\u{110000}').badEscapeAt).toBe(0);
  });
});

describe('isOptionKey', () => {
  it.each([
    ['a', true],
    ['_a-b.c1', true],
    ['1a', false],
    ['', false],
    ['a b', false],
    ['a=b', false],
    ['é', false],
  ])('returns for %j: %s', (key, expected) => {
    expect(isOptionKey(key)).toBe(expected);
  });
});
