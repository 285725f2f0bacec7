import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LostRows } from './lost-rows.ts';

const FILE = { fromMs: 1000, gaps: [], gapCount: 0 };
const ROW_MS = 2000;

/** Adds consecutive rows; true for a row that was written. */
function rowsOf(written: readonly boolean[], lost = new LostRows(FILE)): LostRows {
  for (const [at, isWritten] of written.entries()) {
    const startMs = FILE.fromMs + at * ROW_MS;
    lost.add({ startMs, endMs: startMs + ROW_MS }, isWritten);
  }
  return lost;
}

describe('the lost rows of an exported file', () => {
  it('become one gap if they are consecutive', () => {
    expect(rowsOf([true, false, false, true, false]).gaps()).toEqual({
      gaps: [
        { atMs: 2000, durationMs: 4000 },
        { atMs: 8000, durationMs: 2000 },
      ],
      gapCount: 2,
    });
  });

  it('stand among the gaps of the recording in order of time', () => {
    const recorded = { ...FILE, gaps: [{ atMs: 500, durationMs: 7 }], gapCount: 1 };
    const { gaps, gapCount } = rowsOf([true, false], new LostRows(recorded)).gaps();
    expect(gaps.map(({ atMs }) => atMs)).toEqual([500, 2000]);
    expect(gapCount).toBe(2);
    const later = { ...FILE, gaps: [{ atMs: 9000, durationMs: 7 }], gapCount: 1 };
    expect(
      rowsOf([true, false], new LostRows(later))
        .gaps()
        .gaps.map(({ atMs }) => atMs),
    ).toEqual([2000, 9000]);
  });

  it('make the export fail only if no row was written', () => {
    expect(() => {
      rowsOf([false, false]).check();
    }).toThrow(expect.objectContaining({ code: 'media_unreadable' }));
    expect(() => {
      rowsOf([false, true, false]).check();
    }).not.toThrow();
  });

  it('report for each row whether the one before it was lost', () => {
    const lost = new LostRows(FILE);
    const row = { startMs: 1000, endMs: 3000 };
    expect([true, false, false, true, true].map((isWritten) => lost.add(row, isWritten))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('take as much time as their gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (written) => {
        const { gaps, gapCount } = rowsOf(written).gaps();
        const inGap = written.map((_, at) =>
          gaps.some(({ atMs, durationMs }) => at * ROW_MS >= atMs && at * ROW_MS < atMs + durationMs),
        );
        expect(inGap).toEqual(written.map((isWritten) => !isWritten));
        expect(gapCount).toBe(gaps.length);
      }),
    );
  });
});
