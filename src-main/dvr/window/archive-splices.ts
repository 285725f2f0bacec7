import type { WindowSplice } from '../../segment/segment-window.ts';
import { mergeSplice } from '../../segment/splice-list.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import type { BlockTable } from './block-table.ts';
import type { BlockTables } from './block-tables.ts';

/** Time before a range in which announcements of its splice points are searched, in milliseconds. */
const ANNOUNCED_MS = 120_000;

/** Splice points of blocks in order, after announcements and cancellations. */
export function recordedSplices(tables: readonly BlockTable[]): readonly WindowSplice[] {
  let splices: readonly WindowSplice[] = [];
  for (const { startMs, splices: announced } of tables)
    for (const splice of announced) splices = mergeSplice(splices, splice, startMs);
  return splices;
}

/** Splice points in a time range of a stream, oldest first. @param live splice points of the live window */
export async function splicesOf(
  tables: Pick<BlockTables, 'of'>,
  stream: string,
  { startMs, endMs }: TimeRange,
  live: readonly WindowSplice[],
): Promise<readonly WindowSplice[]> {
  const found = await tables.of(stream, { startMs: startMs - ANNOUNCED_MS, endMs });
  const recorded = recordedSplices(found);
  const isNew = ({ atMs, section }: WindowSplice): boolean =>
    !recorded.some((other) => other.atMs === atMs && other.section === section);
  return [...recorded, ...live.filter(isNew)]
    .filter(({ atMs }) => atMs >= startMs && atMs < endMs)
    .sort((a, b) => a.atMs - b.atMs);
}
