import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../../tests/helpers/growth.ts';
import { align } from './align.ts';

const WORDS = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

/** Length of a longest common subsequence, according to its definition. */
function commonLength([first, ...rest]: readonly string[], other: readonly string[]): number {
  if (first === undefined || other.length === 0) return 0;
  const at = other.indexOf(first);
  const without = commonLength(rest, other);
  return at < 0 ? without : Math.max(without, 1 + commonLength(rest, other.slice(at + 1)));
}

describe('align', () => {
  it('visits both lists once and in order, and keeps as many items as possible', () => {
    fc.assert(
      fc.property(WORDS, WORDS, (before, after) => {
        const steps = align(before, after);
        expect(steps.flatMap(({ from }) => (from === undefined ? [] : [from]))).toEqual([...before.keys()]);
        expect(steps.flatMap(({ to }) => (to === undefined ? [] : [to]))).toEqual([...after.keys()]);
        const staying = steps.filter(
          ({ from, to }) => from !== undefined && to !== undefined && before[from] === after[to],
        );
        expect(staying.length).toBeGreaterThanOrEqual(commonLength(before, after));
      }),
    );
  });

  it('takes linear time for lists that have nothing in common', async () => {
    const make = (size: number): readonly [string[], string[]] => [
      Array.from({ length: size }, (_, index) => `old ${index}`),
      Array.from({ length: size }, (_, index) => `new ${index}`),
    ];
    // Up to 256 items, each is compared with each, so the growth is measured above that.
    await expectLinear({ make, run: ([before, after]) => align(before, after), sizes: [1_000, 8_000, 64_000] });
  });
});
