import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../../tests/helpers/growth.ts';
import { runAtOnce } from '../../lib/turns.ts';
import { JSON_STEP_CHARS, parseJsonInSteps } from './parse-json.ts';

const parseJson = (text: string): unknown => runAtOnce(parseJsonInSteps(text));

function attempt(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Result of JSON.parse, or the fact that it throws. */
function expected(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'no JSON';
  }
}

function parsed(text: string): unknown {
  try {
    return { value: parseJson(text) };
  } catch {
    return 'no JSON';
  }
}

/** Values with members that are too long for one step. */
const long = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.tuple(fc.string(), fc.nat(40_000)).map(([text, count]) => (text + '\\"\u2028{[,').repeat(count / 8)),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), fc.nat(20_000))
      .map(([items, count]) => [...items, ...Array.from({ length: count }, (_, index) => index), ...items]),
    fc
      .tuple(fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }), fc.nat(2000), fc.nat(40_000))
      .map(([object, count, length]) => ({
        ...object,
        ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, { index }])),
        ['name'.repeat(length / 4)]: object,
      })),
  ),
})).value;

describe('parseJsonInSteps', () => {
  it('limits the nesting, and ignores brackets in strings', () => {
    const nested = (depth: number, inner: string): string => '['.repeat(depth) + inner + ']'.repeat(depth);
    expect(parseJson(nested(64, `"${'['.repeat(100)}\\"${'{'.repeat(100)}\\\\"`))).toBeDefined();
    expect(() => parseJson(nested(65, '1'))).toThrow('nested deeper');
    expect(() => parseJson(`"${'\\'.repeat(3)}`)).toThrow('not JSON');
  });

  it('returns the same value as JSON.parse for texts of any length', () => {
    fc.assert(
      fc.property(long, fc.boolean(), (value, isIndented) => {
        const text = JSON.stringify(value, null, isIndented ? 1 : 0);
        expect(parsed(text)).toEqual(expected(text));
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['a quote alone', '"'],
    ['a text that ends in an escaped quote', '"\\"'],
    ['a bracket and a quote', '["'],
    ['an object that ends in a name', '{"a'],
    ['a member that is not closed', '{"a":"'],
    ['a space that JSON does not have before a value', '\u00a0[]'],
    ['a byte order mark after a value', '[]\ufeff'],
    ['a long text that ends in an escaped quote', `"${'x'.repeat(40_000)}\\"`],
    ['a space that JSON does not have after a long value', `["${'x'.repeat(40_000)}"]\u00a0`],
  ])('rejects %s', (_name, text) => {
    expect([parsed(text), expected(text)]).toEqual(['no JSON', 'no JSON']);
  });

  it('rejects the same texts as JSON.parse', () => {
    const damage = fc.constantFrom('', ',', '"', ']', '}', '[', ':', '1', '\\', ' ');
    fc.assert(
      fc.property(long, damage, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), (value, text, at, cut) => {
        const right = JSON.stringify(value);
        const from = Math.floor(at * right.length);
        const wrong = right.slice(0, from) + text + right.slice(from + cut);
        expect(parsed(wrong)).toEqual(expected(wrong));
      }),
      { numRuns: 60 },
    );
  });

  const members = `"a": ${'['.padEnd(40_000, '1,')}1]`;
  it.each([
    `{${members},}`,
    `{${members} ${members}}`,
    `{"a": 1${members.slice(5)}}`,
    `{${members.slice(4)}}`,
    `[${members.slice(5)},]`,
    `[,${members.slice(5)}]`,
    `[${members.slice(5)}}`,
    `{${members}`,
    `{"${'n'.repeat(40_000)}"}`,
    `{"${'n'.repeat(40_000)}" 1}`,
    `["${'n'.repeat(40_000)}\\"]`,
    `[${members.slice(5)}]]`,
    `["${'n'.repeat(40_000)}\\u12"]`,
    `["${'n'.repeat(40_000)}\n"]`,
  ])('rejects a long text that is not JSON (%#)', (text) => {
    expect(expected(text)).toBe('no JSON');
    expect(() => parseJson(text)).toThrow('not JSON');
  });

  it('keeps a key named __proto__ as a plain key', () => {
    const text = `{"__proto__": {"a": 1}, ${members}, "b": 2}`;
    expect(Object.keys(parseJson(text) as object)).toEqual(['__proto__', 'a', 'b']);
  });

  it('yields at regular intervals', () => {
    const texts = [
      JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index)),
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, [index]]))),
      JSON.stringify({ text: 'a\\b'.repeat(100_000) }),
    ];
    for (const text of texts) {
      const steps = [...parseJsonInSteps(text)].length;
      // One pass scans the text and one parses it.
      expect(steps).toBeGreaterThan((1.5 * text.length) / JSON_STEP_CHARS);
      expect(steps).toBeLessThan((4 * text.length) / JSON_STEP_CHARS);
    }
  });

  it.each(['"', '\\"', '"\\"', '\\', '[', '{"a":', '"\\\\', ' ', '[],', '"a":1,'])(
    'takes time proportional to the size of a text of %j',
    async (piece) => {
      await expectLinear({ make: (size) => piece.repeat(size / piece.length), run: attempt });
    },
  );
});
