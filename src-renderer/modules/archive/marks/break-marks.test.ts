import { expect, it } from 'vitest';
import type { ArchivedSplice } from '../../../../src-preload/contract/operations/archive-calls.ts';
import { breakMarks } from './break-marks.ts';

it('breakMarks returns each break of a stream up to its end', () => {
  const out = { name: 'cam', kind: 'out', at: 1000, duration: 30_000 } as const;
  const back = { name: 'cam', kind: 'in', at: 31_000, duration: null } as const;
  const shown = (splices: readonly ArchivedSplice[]): unknown =>
    breakMarks(splices).map(({ from, to, text }) => [from, to, text]);
  expect(shown([out, back])).toEqual([
    [1000, 31_000, 'Break'],
    [31_000, null, 'End of the break'],
  ]);
  expect(shown([out, { ...back, at: 4000 }, { ...out, at: 50_000 }, { ...back, name: 'b', at: 60_000 }])).toEqual([
    [1000, 4000, 'Break'],
    [4000, null, 'End of the break'],
    [50_000, 80_000, 'Break'],
    [60_000, null, 'End of the break'],
  ]);
});
