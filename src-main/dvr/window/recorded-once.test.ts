import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trackNumber } from '../../media/track.ts';
import type { BlockTrack } from '../block/block-head.ts';
import type { BlockSegment } from '../block/block-index.ts';
import { endMsOf, piecesOf, tableOf, type BlockTable } from './block-table.ts';
import { numberTables } from './window-table.ts';
import { recordedOnce } from './recorded-once.ts';

/** Number of random recordings per run. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 60);
const EVER = { fromMs: -Infinity, toMs: Infinity };
const SCALES = { v1: 90_000, a1: 48_000 } as const;

/** Recording of one server run, in blocks of segments. */
interface Run {
  readonly startMs: number;
  /** Durations of segments in milliseconds, block by block. */
  readonly blocks: readonly (readonly number[])[];
  readonly isNumbered: boolean;
}

function segmentsOf(id: keyof typeof SCALES, startMs: number, lengths: readonly number[]): BlockSegment[] {
  let atMs = startMs;
  return lengths.map((ms, row) => {
    const startTicks = (atMs * SCALES[id]) / 1000;
    atMs += ms;
    return {
      trackNumber: trackNumber(id),
      startTicks,
      durationTicks: (ms * SCALES[id]) / 1000,
      isIndependent: true,
      hasCaptions: false,
      isGap: false,
      isComplete: true,
      isDiscontinuity: false,
      pieces: [{ offset: startTicks, sizeBytes: 100 + row }],
    };
  });
}

/** Blocks of several consecutive runs, in order of their start. */
function tablesOf(runs: readonly Run[]): BlockTable[] {
  let msn = 0;
  const found: BlockTable[] = [];
  for (const [number, { startMs, blocks, isNumbered }] of runs.entries()) {
    let atMs = startMs;
    for (const [index, lengths] of blocks.entries()) {
      const segments = [
        ...segmentsOf('v1', atMs, lengths).map((one, row) => ({ ...one, isDiscontinuity: index + row === 0 })),
        // The audio starts and ends slightly later.
        ...segmentsOf('a1', atMs + 20, lengths),
      ];
      const tracks = Object.entries(SCALES).map(([id, timescale]) => ({ id, timescale, initId: number }) as BlockTrack);
      const numbers = { msn, discontinuitySequence: 0 };
      const content = {
        disk: '/disk',
        path: `${number}/${index}.mp4`,
        tracks,
        isFinished: true,
        index: { segments, splices: [], ...(isNumbered ? { numbers } : {}) },
      };
      const table = tableOf(content, { read: () => Promise.reject(new Error('not read')) });
      if (table) found.push(table);
      msn += lengths.length;
      atMs += lengths.reduce((sum, ms) => sum + ms, 0);
    }
  }
  return found.sort((a, b) => a.startMs - b.startMs);
}

interface Row {
  readonly name: string;
  readonly run: number;
  readonly times: readonly (readonly [string, number, number])[];
}

/** Rows of tables, each named by its file and the position of its media. */
function rowsOf(tables: readonly BlockTable[]): Row[] {
  return tables.flatMap((table) =>
    Array.from({ length: table.count }, (_, row) => ({
      name: `${table.path} ${JSON.stringify(piecesOf(table.leader, row))}`,
      run: Number.parseInt(table.path, 10),
      times: [...table.tracks]
        .filter(([, rows]) => row < rows.count)
        .map(([id, rows]) => [id, rows.startMs[row] ?? NaN, endMsOf(rows, row)] as const),
    })),
  );
}

const isOverlap = (a: Row, b: Row): boolean =>
  a.times.some(([id, from, to]) => b.times.some((one) => one[0] === id && one[1] < to - 1 && one[2] > from + 1));

const anyRun = fc.record({
  startMs: fc.integer({ min: 1_000_000, max: 1_060_000 }),
  blocks: fc.array(fc.array(fc.integer({ min: 40, max: 6000 }), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 6,
  }),
});

it('recordedOnce plays no time twice, keeps the newest recording complete, and drops only overlapping segments', () => {
  fc.assert(
    fc.property(fc.array(anyRun, { minLength: 1, maxLength: 5 }), (runs) => {
      const all = tablesOf(runs.map((run) => ({ ...run, isNumbered: true })));
      const once = recordedOnce(all);
      const kept = rowsOf(once);
      const [names, before] = [new Set(kept.map(({ name }) => name)), rowsOf(all)];
      expect(names.size).toBe(kept.length);
      // Media times of a track never go back, except for the last frames of a block that the next block continues.
      for (const id of Object.keys(SCALES)) {
        let endMs = -Infinity;
        for (const { times } of kept)
          for (const [track, fromMs, toMs] of times) {
            if (track !== id) continue;
            expect(fromMs).toBeGreaterThanOrEqual(endMs - 500);
            endMs = toMs;
          }
      }
      for (const row of before) {
        const isKept = names.has(row.name);
        if (row.run === runs.length - 1) expect(isKept).toBe(true);
        if (!isKept) expect(kept.some((other) => other.run > row.run && isOverlap(other, row))).toBe(true);
      }
      // Every row has one number in a window, and a different recording starts with a discontinuity.
      const { placed } = numberTables(once, EVER, { msn: 0, earlier: [] });
      expect(placed.reduce((sum, { firstMsn, endMsn }) => sum + endMsn - firstMsn, 0)).toBe(kept.length);
      for (const [index, { table, firstMsn, cuts, from }] of placed.entries()) {
        const previous = placed[index - 1];
        if (previous) expect(firstMsn).toBe(previous.endMsn);
        const isOther = previous && Number.parseInt(previous.table.path, 10) !== Number.parseInt(table.path, 10);
        if (isOther === true) expect(cuts).toContain(from);
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

it.each([
  ['in the same minute, by their files', [1_000_000, 1_000_000]],
  ['by their start', [1_000_000, 1_010_000]],
])('recordedOnce prefers the later of two blocks without numbers %s', (_, starts) => {
  const runs = starts.map((startMs) => ({
    startMs,
    blocks: [[2000, 2000, 2000, 2000, 2000, 2000]],
    isNumbered: false,
  }));
  expect(rowsOf(recordedOnce(tablesOf(runs))).filter(({ run }) => run === 1)).toHaveLength(6);
});

it('recordedOnce returns consecutive blocks unchanged', () => {
  const tables = tablesOf([{ startMs: 1_000_000, blocks: [[2000, 2000], [2000], [2000, 40]], isNumbered: true }]);
  expect(recordedOnce(tables)).toEqual(tables);
  expect(recordedOnce(tables)[0]).toBe(tables[0]);
});

it('recordedOnce keeps consecutive blocks whose last frames overlap the next block', () => {
  const [first, second] = tablesOf([
    { startMs: 1_000_000, blocks: [[2000, 2000]], isNumbered: true },
    { startMs: 1_003_960, blocks: [[2000]], isNumbered: true },
  ]);
  if (!first || !second) throw new Error('no tables');
  expect(recordedOnce([first, second])).toEqual([first, second]);
});
