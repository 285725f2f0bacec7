import { firstIndex } from '../../segment/segment-list.ts';
import { mostSegments } from '../archive-numbers.ts';
import type { BlockTable } from './block-table.ts';
import type { FirstNumbers, LiveNumber } from './placed-table.ts';

/** So many numbers without a segment may lie between two blocks at most. */
const MAX_BETWEEN = 5000;

/**
 * The blocks whose recorded numbers fit to what comes behind them, from the newest on up to the first that does not: one of another server, or one behind which
 * more numbers were left out than there can have been segments.
 *
 * @param next what comes behind all of them; undefined where nothing does
 */
export function numberedTables(
  tables: readonly BlockTable[],
  next: { readonly msn: number; readonly startMs: number } | undefined,
): ReadonlySet<BlockTable> {
  const found = new Set<BlockTable>();
  let after = next;
  for (const table of tables.toReversed()) {
    const { numbers, startMs } = table;
    if (!numbers || (after && !fits(table, numbers.msn, after))) break;
    found.add(table);
    after = { msn: numbers.msn, startMs };
  }
  return found;
}

/** The numbers that were recorded with a row. */
export function recordedNumber({ numbers, cuts }: BlockTable, row: number): LiveNumber | undefined {
  if (!numbers) return undefined;
  const recordedSequence = numbers.discontinuitySequence + cuts.filter((cut) => cut < row).length;
  return { msn: numbers.msn + row, recordedSequence };
}

/** How a window of these blocks is numbered without what is live; by itself where no numbers were recorded with the newest. */
export function recordedNumbers(tables: readonly BlockTable[]): Pick<FirstNumbers, 'liveNumber'> {
  const numbered = numberedTables(tables, undefined);
  if (numbered.size === 0) return {};
  return { liveNumber: (table, row) => (numbered.has(table) ? recordedNumber(table, row) : undefined) };
}

function fits(
  { leader, count, endMs }: BlockTable,
  firstMsn: number,
  next: { readonly msn: number; readonly startMs: number },
): boolean {
  const row = firstIndex(count, (index) => (leader.startMs[index] ?? Infinity) >= next.startMs);
  const between = next.msn - firstMsn - row;
  if (row < count) return between === 0;
  return between >= 0 && between <= Math.min(MAX_BETWEEN, 2 * mostSegments(next.startMs - endMs) + 10);
}
