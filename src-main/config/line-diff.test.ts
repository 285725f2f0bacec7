import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../lib/turns.ts';
import { diffLinesInSteps } from './line-diff.ts';

/** Applies a difference to the old text. */
function patch(before: string, after: string): string[] {
  const lines = before.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const { oldLine, removed, added } of runAtOnce(diffLinesInSteps(before, after)).toReversed()) {
    expect(lines.slice(oldLine - 1, oldLine - 1 + removed.length)).toEqual(removed);
    lines.splice(oldLine - 1, removed.length, ...added);
  }
  return lines;
}

describe('diffLinesInSteps', () => {
  it.each([
    ['', '', []],
    ['a\nb\n', 'a\nb', []],
    ['a\nb\nc\n', 'a\nx\nc\n', [{ oldLine: 2, newLine: 2, removed: ['b'], added: ['x'] }]],
    ['a\nc\n', 'a\nb\nc\n', [{ oldLine: 2, newLine: 2, removed: [], added: ['b'] }]],
    [
      'a\nb\nc\nd\ne',
      'b\nc\nx\nd',
      [
        { oldLine: 1, newLine: 1, removed: ['a'], added: [] },
        { oldLine: 4, newLine: 3, removed: [], added: ['x'] },
        { oldLine: 5, newLine: 5, removed: ['e'], added: [] },
      ],
    ],
  ])('finds the differences of %j and %j', (before, after, hunks) => {
    expect(runAtOnce(diffLinesInSteps(before, after))).toEqual(hunks);
  });

  it('returns few differences that change any text into any other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = after.split('\n');
        if (lines.at(-1) === '') lines.pop();
        expect(patch(before, after)).toEqual(lines);
      }),
      { numRuns: 500 },
    );
  });

  it('returns a single hunk if nearly all lines differ', () => {
    const before = Array.from({ length: 4000 }, (_, n) => `a${n}`).join('\n');
    const after = Array.from({ length: 4000 }, (_, n) => `b${n}`).join('\n');
    expect(runAtOnce(diffLinesInSteps(before, after))).toHaveLength(1);
  });
});
