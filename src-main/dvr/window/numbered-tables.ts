import { firstIndex } from '../../segment/segment-list.ts';
import { maxSegments } from '../archive-numbers.ts';
import type { BlockTable } from './block-table.ts';
import type { Numbering, LiveNumber } from './window-table.ts';

/** Maximum number of numbers skipped between two blocks. */
const MAX_SKIPPED = 5000;

/**
 * Blocks whose recorded numbers are consistent with later blocks, from the newest back to the first inconsistent block.
 * A block is inconsistent if another server recorded it, or if more numbers are skipped after it than segments are
 * possible.
 *
 * @param next first segment after all blocks; undefined if unknown
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

/** Recorded numbers of a row. */
export function recordedNumber({ numbers, cuts }: BlockTable, row: number): LiveNumber | undefined {
  if (!numbers) return undefined;
  const recordedSequence = numbers.discontinuitySequence + cuts.filter((cut) => cut < row).length;
  return { msn: numbers.msn + row, recordedSequence };
}

/** Numbering of a window without a live window: the recorded numbers, or separate ones if the newest block has none. */
export function recordedNumbers(tables: readonly BlockTable[]): Pick<Numbering, 'liveNumber'> {
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
  const skipped = next.msn - firstMsn - row;
  if (row < count) return skipped === 0;
  return skipped >= 0 && skipped <= Math.min(MAX_SKIPPED, 2 * maxSegments(next.startMs - endMs) + 10);
}
