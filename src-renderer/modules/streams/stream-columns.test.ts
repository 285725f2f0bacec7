import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STREAM_COLUMNS } from './stream-columns.ts';

/** Selection box, scroll bar and padding of a row. */
const AROUND_REM = 1.4 + 1 + 1.6;
const GAP_REM = 0.8;

it('each layout of the stream table starts where all its columns have room', () => {
  const css = readFileSync(join(import.meta.dirname, 'stream-table.css'), 'utf8');
  const starts = [...css.matchAll(/@container \(max-width: (\d+)rem\)/g)].map(([, rem]) => Number(rem));
  const needed = starts.map((_, layout) => {
    const widths = STREAM_COLUMNS.flatMap(({ sizes }) => {
      const [rem] = /[\d.]+(?=rem)/.exec(sizes[layout] ?? '') ?? [];
      return rem === undefined ? [] : [Number(rem)];
    });
    return widths.reduce((sum, rem) => sum + rem + GAP_REM, AROUND_REM);
  });
  expect(starts).toHaveLength(3);
  expect(needed.filter((rem, layout) => rem > (starts[layout] ?? 0))).toEqual([]);
});
