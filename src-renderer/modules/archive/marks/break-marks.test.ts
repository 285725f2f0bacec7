import { expect, it } from 'vitest';
import { breakMarks } from './break-marks.ts';

it('reads splice points of a manifest, each once, and nothing of another text', () => {
  const ad = [
    { kind: 'out', at: 1000, duration: 30_000, cue_id: 7 },
    { kind: 'in', at: 31_000, duration: null, cue_id: 7 },
  ];
  const manifest = { periods: [{ segments: [{ ad }, {}, { ad: [ad[0]] }] }] };
  expect(breakMarks('cam', manifest).map(({ from, to, text }) => [from, to, text])).toEqual([
    [1000, 31_000, 'Break'],
    [31_000, null, 'End of the break'],
  ]);
  for (const other of [undefined, 'text', { periods: 7 }]) expect(breakMarks('cam', other)).toEqual([]);
});
