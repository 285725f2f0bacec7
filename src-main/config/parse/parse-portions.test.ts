import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfigText } from '../../../src-preload/contract/config-language/parse.ts';
import { runAtOnce } from '../../lib/turns.ts';
import { parseInPortions } from './parse-portions.ts';

function expectSame(text: string): void {
  const { directives, problems } = parseConfigText(text);
  const found = runAtOnce(parseInPortions(text));
  // With many thousand directives the comparison of the test library takes longer than the parsers; it is used only to
  // show a difference.
  const [is, expected] = [
    [found.directives, found.problems],
    [directives, problems],
  ];
  if (!isDeepStrictEqual(is, expected)) expect(is).toStrictEqual(expected);
  // A text without errors was parsed in portions, so there is no syntax tree of the complete text.
  expect('tree' in found).toBe(problems.length > 0);
}

const WORDS = [
  'a',
  'a1;',
  'k=v',
  'k="v {"',
  '"x } ; #"',
  'udp://h:1',
  '{',
  '}',
  ';',
  '# c } "\n',
  '\r\n',
  '\n',
  '"',
  'b"c',
  '=',
  '\\',
];
const pieces = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' '));
/** Well-formed statements, some of them blocks, and the text between them. */
const statement = fc.letrec((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('input udp://h:1 k="v {" x;', 'title "} # \\" ;";', ';', '# a comment { "\n', 'on;\r\n', 'a#b;\n'),
    fc.array(tie('one'), { maxLength: 4 }).map((inner) => `block "n {" {\n${inner.join(' ')}}\n`),
  ),
})).one;

/** Lengthens a text without changing whether it is well-formed. */
function long(before: string, after: string): string {
  return `${before}\nstream s {\n${`${before} ${'input publish://; # } {\n'.repeat(700)} inner {${'x y="{";\n'.repeat(2500)}}${before}`}\n}\n${after}`;
}

describe('a long text that is parsed in portions', () => {
  it('has the same settings as when it is parsed at once', () => {
    fc.assert(
      fc.property(statement, statement, (before, behind) => {
        expectSame(long(before, behind));
      }),
      { numRuns: 10 },
    );
  });

  it('has the same errors as when it is parsed at once', () => {
    fc.assert(
      fc.property(pieces, pieces, (before, behind) => {
        expectSame(long(before, behind));
      }),
      { numRuns: 10 },
    );
  });

  it('is split at every allowed depth of blocks', () => {
    for (const depth of [30, 31, 32, 33])
      expectSame(`${'a { '.repeat(depth)}${'b;\n'.repeat(20_000)}${'} '.repeat(depth)}`);
  });

  it('is parsed in several steps within a block', () => {
    const text = `stream s {\n${'input publish://;\n'.repeat(20_000)}}\n`;
    expect([...parseInPortions(text)].length).toBeGreaterThan(text.length / 20_000);
  });
});
