import type { TimeRange, WindowPeriod, WindowTrack } from '../../segment/segment-window.ts';
import { firstIndex } from '../../segment/segment-list.ts';
import { groupOf } from '../../segment/track-facts.ts';
import { CAPTIONS, endMsOf, GAP, type BlockTable, type TrackRows } from './block-table.ts';

/** A block as it stands in a window: rows `from` on have the numbers `firstMsn` up to `endMsn`. */
export interface PlacedTable {
  readonly table: BlockTable;
  readonly from: number;
  readonly firstMsn: number;
  readonly endMsn: number;
  /** Whether its first row is no continuation of the block before it, whatever the row says. */
  readonly isCut: boolean;
  /** Number of discontinuities of the window before its first row. */
  readonly discontinuitiesBefore: number;
}

/** What follows within this, in milliseconds, is a continuation: tracks do not end and begin at the same moment. */
export const HOLE_MS = 500;

/** Where the numbers of a window begin. */
export interface FirstNumbers {
  /** Of the first segment that it ever had: nothing comes before that, so it is no discontinuity. */
  readonly msn: number;
  /** Tables as they were placed before: they keep their numbers. */
  readonly known: readonly PlacedTable[];
}

/** Numbers the rows of tables that begin in a time. */
export function placeTables(
  tables: readonly BlockTable[],
  range: TimeRange,
  { msn: firstMsn, known }: FirstNumbers,
): { readonly placed: readonly PlacedTable[]; readonly periods: readonly WindowPeriod[] } {
  const placed: PlacedTable[] = [];
  const periods: WindowPeriod[] = [];
  let msn = firstMsn;
  let discontinuities = 0;
  let before: BlockTable | undefined;
  for (const table of tables) {
    const { leader, count } = table;
    const from = firstIndex(count, (row) => leaderStart(leader, row) >= range.fromMs);
    const to = firstIndex(count, (row) => leaderStart(leader, row) >= range.toMs);
    if (to <= from) continue;
    if (!before) {
      const start = startIn({ msn: firstMsn, known }, table, from);
      msn = start.msn;
      discontinuities = start.discontinuities;
    }
    const startMs = leaderStart(leader, from);
    const isCut = before !== undefined && !isContinued(before, table, from);
    const one = { table, from, firstMsn: msn, endMsn: msn + to - from, isCut, discontinuitiesBefore: discontinuities };
    const cuts = table.cuts.filter((row) => row >= from && row < to && one.firstMsn + row - from !== firstMsn);
    if (isCut && cuts[0] !== from) cuts.unshift(from);
    if (cuts[0] !== from && (!before || !isSameTracks(before, table))) periods.push(periodAt(msn, startMs));
    for (const row of cuts) periods.push(periodAt(msn + row - from, leaderStart(leader, row)));
    placed.push(one);
    discontinuities += cuts.length;
    msn = one.endMsn;
    before = table;
  }
  return { placed, periods };
}

/** The discontinuities of a placed block before one of its rows, that row not among them. */
export function discontinuitiesBefore(placed: PlacedTable, row: number, firstMsn: number): number {
  const { table, from, isCut } = placed;
  let count = placed.discontinuitiesBefore;
  if (row > from && (isCut || (table.cuts.includes(from) && placed.firstMsn !== firstMsn))) count++;
  for (const cut of table.cuts) if (cut > from && cut < row) count++;
  return count;
}

/** What is summed up of a track. */
interface TrackSum {
  rows: TrackRows;
  readonly firstMsn: number;
  bytes: number;
  ticks: number;
  peak: number;
  hasCaptions: boolean;
}

/** What is known of the tracks without reading media. */
export function trackFacts(placed: readonly PlacedTable[]): {
  readonly tracks: readonly WindowTrack[];
  readonly longestSegmentMs: number;
} {
  const sums = new Map<string, TrackSum>();
  let longestSegmentMs = 0;
  for (const { table, from, firstMsn, endMsn } of placed)
    for (const [id, rows] of table.tracks) {
      const sum = sums.get(id) ?? { rows, firstMsn, bytes: 0, ticks: 0, peak: 0, hasCaptions: false };
      sum.rows = rows;
      const { timescale } = rows.track;
      for (let row = from; row < Math.min(rows.count, from + endMsn - firstMsn); row++) {
        const ticks = rows.durationTicks[row] ?? 0;
        longestSegmentMs = Math.max(longestSegmentMs, (ticks * 1000) / timescale);
        const flags = rows.flags[row] ?? 0;
        if (flags & CAPTIONS) sum.hasCaptions = true;
        if (ticks <= 0 || flags & GAP) continue;
        const bytes = rows.sizeBytes[row] ?? 0;
        sum.bytes += bytes;
        sum.ticks += ticks / timescale;
        sum.peak = Math.max(sum.peak, (bytes * 8 * timescale) / ticks);
      }
      sums.set(id, sum);
    }
  const firstOfAll = placed[0]?.firstMsn ?? 0;
  const tracks = [...sums.values()].map(({ rows: { track }, firstMsn, bytes, ticks, peak, hasCaptions }) => ({
    track,
    group: groupOf(track),
    rate: { peak: Math.ceil(peak), average: ticks > 0 ? Math.ceil((bytes * 8) / ticks) : 0 },
    hasCaptions,
    ...(firstMsn > firstOfAll ? { firstMsn } : {}),
  }));
  const place = ({ track }: WindowTrack): number =>
    Number(track.id.slice(1)) + (track.content === 'video' ? 0 : 10_000);
  return { tracks: tracks.sort((a, b) => place(a) - place(b)), longestSegmentMs };
}

/** Whether a block goes on where the one before it ends: one of its tracks is enough, as the others may be silent just there. */
function isContinued(before: BlockTable, table: BlockTable, from: number): boolean {
  const isNear = (startMs: number, endMs: number): boolean => Math.abs(startMs - endMs) <= HOLE_MS;
  if (isNear(leaderStart(table.leader, from), before.endMs)) return true;
  for (const [id, rows] of table.tracks) {
    const known = before.tracks.get(id);
    const startMs = rows.startMs[from];
    if (known && startMs !== undefined && isNear(startMs, endMsOf(known, known.count - 1))) return true;
  }
  return false;
}

/** Whether two blocks have the same tracks in the same formats. */
function isSameTracks(a: BlockTable, b: BlockTable): boolean {
  return (
    a.tracks.size === b.tracks.size && [...a.tracks].every(([id, { initId }]) => b.tracks.get(id)?.initId === initId)
  );
}

/** The number of the first row that is shown, and the discontinuities before it: those that it had, where its block is known. */
function startIn(
  { msn, known }: FirstNumbers,
  table: BlockTable,
  row: number,
): { readonly msn: number; readonly discontinuities: number } {
  const one = known.find(({ table: { disk, path } }) => disk === table.disk && path === table.path);
  if (one && row >= one.from)
    return { msn: one.firstMsn + row - one.from, discontinuities: discontinuitiesBefore(one, row, msn) };
  // Everything that it had is gone: numbers go on behind it.
  const last = known.at(-1);
  return last
    ? { msn: last.endMsn, discontinuities: discontinuitiesBefore(last, Infinity, msn) }
    : { msn, discontinuities: 0 };
}

function periodAt(firstMsn: number, startMs: number): WindowPeriod {
  return { firstMsn, startMs, mediaOffsetMs: startMs, addressPrefix: '' };
}

function leaderStart({ startMs }: TrackRows, row: number): number {
  return startMs[row] ?? Infinity;
}
