import type { TimeRange, WindowPeriod, WindowTrack } from '../../segment/segment-window.ts';
import { firstIndex } from '../../segment/segment-list.ts';
import { groupOf } from '../../segment/track-facts.ts';
import { CAPTIONS, endMsOf, GAP, type BlockTable, type TrackRows } from './block-table.ts';
import { isMissing, missingRows } from './missing-rows.ts';

/** Block in a window: rows from `from` on have the numbers `firstMsn` up to `endMsn`. */
export interface WindowTable {
  readonly table: BlockTable;
  readonly from: number;
  readonly firstMsn: number;
  readonly endMsn: number;
  /** Rows of the block that are discontinuities of the window. */
  readonly cuts: readonly number[];
  /** Number of discontinuities of the window before the first row of the block. */
  readonly discontinuitiesBefore: number;
}

/** Maximum gap between continuous rows, in milliseconds: tracks do not end and start at the same moment. */
export const MAX_GAP_MS = 500;

/** Number of a segment in the live window, and the discontinuities before it. */
export interface LiveNumber {
  readonly msn: number;
  /** Number of discontinuities of the live window before the segment, if known. */
  readonly discontinuitySequence?: number | undefined;
  /** Number of discontinuities before the segment, as recorded. */
  readonly recordedSequence?: number;
}

/** Sources of the numbers of a window. */
export interface Numbering {
  /**
   * Number of the first segment of the window: no segment precedes it, so it is no discontinuity. Without it the live
   * window determines the numbers.
   */
  readonly msn?: number | undefined;
  /** Tables of the window before the change; their rows keep their numbers. */
  readonly earlier: readonly WindowTable[];
  /**
   * Number of a row in the live window, if there is a live window. Segments that were live and are not recorded then
   * keep their numbers as rows without media.
   */
  readonly liveNumber?: (table: BlockTable, row: number) => LiveNumber | undefined;
  /** Whether a number is a discontinuity of the live window; undefined if unknown. */
  readonly liveCut?: (msn: number) => boolean | undefined;
  /** Start of the live segment with a number in epoch milliseconds, if known. */
  readonly liveStart?: (msn: number) => number | undefined;
  /** First segment in memory outside the archive: gaps end at it, and media from it on may still be recorded. */
  readonly next?: { readonly msn: number; readonly startMs: number } | undefined;
  /** Whether no media before `next` will be recorded any more, so that missing numbers are gaps. Default false. */
  readonly fillsUp?: boolean;
}

/** Table with rows that start in a time range. */
interface TableInRange {
  readonly table: BlockTable;
  readonly from: number;
  readonly to: number;
  readonly earlier: WindowTable | undefined;
  readonly live: LiveNumber | undefined;
  /** Number of row `from`, if it is fixed. */
  readonly msn: number | undefined;
}

/** Gives media sequence numbers to the rows that start in a time range, and finds the periods. */
export function numberTables(
  tables: readonly BlockTable[],
  range: TimeRange,
  numbers: Numbering,
): { readonly placed: readonly WindowTable[]; readonly periods: readonly WindowPeriod[] } {
  const placed: WindowTable[] = [];
  const periods: WindowPeriod[] = [];
  const missing = missingBefore(numbers.earlier, numbers.next?.msn ?? Infinity);
  const earlier = earlierBlocks(numbers.earlier);
  const rows = tables.flatMap((table) => rowsIn(table, range, numbers, missing, earlier(table)));
  let { msn, discontinuities } = startOf(rows, numbers);
  const isCounted = numbers.msn === undefined || rows.some(({ live }) => live);
  const firstMsn = numbers.earlier.length === 0 && isCounted ? msn : numbers.msn;
  let before: BlockTable | undefined;
  const add = (table: BlockTable, from: number, endMsn: number, cuts: readonly number[]): void => {
    const startMs = leaderStart(table.leader, from);
    if (cuts[0] !== from && (!before || !isSameTracks(before, table))) periods.push(periodAt(msn, startMs));
    for (const row of cuts) periods.push(periodAt(msn + row - from, leaderStart(table.leader, row)));
    placed.push({ table, from, firstMsn: msn, endMsn, cuts, discontinuitiesBefore: discontinuities });
    discontinuities += cuts.length;
    msn = endMsn;
    before = table;
  };
  /** Fills the numbers up to `toMsn` (exclusive) with permanent gaps, up to the time `toMs`. */
  const addGaps = (toMsn: number, toMs: number, isCutNext: boolean): void => {
    if (!before || toMsn <= msn) return;
    const firstRow = msn;
    const earlier = missing.find(
      (one) => one.firstMsn === msn && one.endMsn === toMsn && one.table.count === toMsn - msn,
    );
    // Gaps for lost rows have the times and discontinuities of the rows.
    const startOf = (row: number): number | undefined =>
      rowStart(numbers.earlier, firstRow + row)?.startMs ?? numbers.liveStart?.(firstRow + row);
    const isCut = (row: number): boolean | undefined =>
      rowStart(numbers.earlier, firstRow + row)?.isCut ?? numbers.liveCut?.(firstRow + row);
    const fromMs = endOf(placed.at(-1)) ?? toMs;
    // Numbers that were skipped at a restart of the server take no time, because players would wait for their
    // segments.
    const isLeftOut = isCutNext && !Array.from({ length: toMsn - msn }).some((_, row) => startOf(row) !== undefined);
    const endMs = isLeftOut ? Math.min(toMs, fromMs + toMsn - msn) : toMs;
    const table = earlier?.table ?? missingRows(before, { fromMs, toMs: endMs }, toMsn - msn, startOf);
    const cuts = earlier?.cuts ?? Array.from({ length: toMsn - msn }, (_, row) => row).filter(isCut);
    add(table, 0, toMsn, cuts);
  };
  for (const [index, { table, earlier: earlierRows, live, ...one }] of rows.entries()) {
    if (numbers.liveNumber && one.msn !== undefined)
      addGaps(one.msn, leaderStart(table.leader, one.from), table.cuts.includes(one.from));
    // Rows without a free number before the next known one are left out.
    const from = one.from + (numbers.liveNumber ? msn - (one.msn ?? msn) : 0);
    const next = numbers.liveNumber && nextNumber(rows, index + 1);
    const to = Math.min(one.to, from + Math.max(next ?? Infinity, earlierRows?.endMsn ?? 0) - msn);
    if (to <= from) continue;
    const isKnown = earlierRows !== undefined && from < earlierRows.from + earlierRows.endMsn - earlierRows.firstMsn;
    const liveCut = isKnown ? undefined : numbers.liveCut?.(msn);
    const isCutFirst = isKnown
      ? earlierRows.cuts.includes(from)
      : (liveCut ?? (table.cuts.includes(from) || (before !== undefined && !isContinued(before, table, from))));
    const cuts = table.cuts.filter((row) => row > from && row < to);
    if (isCutFirst && (msn !== firstMsn || liveCut === true)) cuts.unshift(from);
    // The start of the window is not listed as a discontinuity, but counted as a trimmed one.
    else if (isCutFirst && !before && numbers.earlier.length === 0 && live?.recordedSequence !== undefined)
      discontinuities++;
    add(table, from, msn + to - from, cuts);
  }
  const { next: nextNumbers, fillsUp } = numbers;
  if (nextNumbers && fillsUp === true)
    addGaps(nextNumbers.msn, nextNumbers.startMs, numbers.liveCut?.(nextNumbers.msn) === true);
  return { placed, periods };
}

/** Discontinuities of a placed block before one of its rows (exclusive). */
export function discontinuitiesBefore({ cuts, discontinuitiesBefore: count }: WindowTable, row: number): number {
  return cuts.length === 0 ? count : count + cuts.filter((cut) => cut < row).length;
}

/** Rows of a table that start in a time range, without rows whose numbers belong to permanent gaps. */
function rowsIn(
  table: BlockTable,
  range: TimeRange,
  { liveNumber, earlier: { length: placedCount } }: Numbering,
  missing: readonly WindowTable[],
  all: readonly WindowTable[],
): TableInRange[] {
  const { leader, count } = table;
  const to = firstIndex(count, (row) => leaderStart(leader, row) >= range.toMs);
  // Rows that were left out once stay left out.
  let from = Math.max(
    firstIndex(count, (row) => leaderStart(leader, row) >= range.fromMs),
    (liveNumber && all[0]?.from) ?? 0,
  );
  if (to <= from) return [];
  const earlier = all.findLast((one) => one.from <= from);
  const live = earlier ? undefined : liveNumber?.(table, from);
  const msn = earlier ? earlier.firstMsn + from - earlier.from : live?.msn;
  // A row that arrives after its number was given to a gap is dropped.
  if (msn === undefined) return liveNumber && placedCount ? [] : [{ table, from, to, earlier, live, msn }];
  const first = msn - from;
  const found: TableInRange[] = [];
  const take = (endRow: number): void => {
    const at = from;
    const nearest = all.findLast((one) => one.from <= at);
    if (endRow > at) found.push({ table, from: at, to: endRow, earlier: nearest, live, msn: first + at });
  };
  for (const { firstMsn, endMsn } of missing) {
    if (endMsn - first <= from || firstMsn - first >= to) continue;
    take(firstMsn - first);
    from = endMsn - first;
  }
  take(to);
  return found;
}

/** Tables of permanent gaps before a number. From that number on, media in memory may still be recorded. */
function missingBefore(placed: readonly WindowTable[], endMsn: number): readonly WindowTable[] {
  return placed
    .filter((one) => isMissing(one.table) && one.firstMsn < endMsn)
    .map((one) => (one.endMsn <= endMsn ? one : { ...one, endMsn }));
}

/** First known number from an index on. */
function nextNumber(rows: readonly TableInRange[], from: number): number | undefined {
  for (let at = from; at < rows.length; at++) if (rows[at]?.msn !== undefined) return rows[at]?.msn;
  return undefined;
}

/** Start of the row with a number, and whether it is a discontinuity. */
function rowStart(placed: readonly WindowTable[], msn: number): { startMs: number; isCut: boolean } | undefined {
  const one = placed[firstIndex(placed.length, (at) => (placed[at]?.endMsn ?? Infinity) > msn)];
  if (!one || msn < one.firstMsn) return undefined;
  const row = one.from + msn - one.firstMsn;
  return { startMs: leaderStart(one.table.leader, row), isCut: one.cuts.includes(row) };
}

/**
 * Finds the placed tables of a block: those of the same file, otherwise those with the same start, because a copy on
 * another disk may have replaced the file.
 */
function earlierBlocks(placed: readonly WindowTable[]): (table: BlockTable) => readonly WindowTable[] {
  const byFile = Map.groupBy(placed, ({ table }) => fileOf(table));
  const byStart = Map.groupBy(
    placed.filter(({ table }) => !isMissing(table)),
    ({ table }) => partStart(table),
  );
  return (table) => byFile.get(fileOf(table)) ?? byStart.get(partStart(table)) ?? [];
}

function fileOf({ disk, path, firstRow = 0 }: BlockTable): string {
  return `${disk}\n${path}\n${firstRow}`;
}

/** Start of a block, or of a part of it. */
function partStart({ startMs, firstRow = 0 }: BlockTable): string {
  return `${startMs} ${firstRow}`;
}

/** End of the last row of a placed table in epoch milliseconds. */
function endOf(placed: WindowTable | undefined): number | undefined {
  if (!placed) return undefined;
  const { table, from, firstMsn, endMsn } = placed;
  return endMsOf(table.leader, from + endMsn - firstMsn - 1);
}

/**
 * Number of the first row, and the number of discontinuities before it: from the earlier table of its block, or
 * derived from the live window.
 */
function startOf(
  rows: readonly TableInRange[],
  { msn, earlier, next }: Numbering,
): { msn: number; discontinuities: number } {
  const [first] = rows;
  const last = earlier.at(-1);
  if (first?.earlier) return { msn: first.msn ?? 0, discontinuities: discontinuitiesBefore(first.earlier, first.from) };
  // All earlier rows have left the window: numbers continue after them.
  if (last)
    return {
      msn: Math.max(last.endMsn, first?.msn ?? 0),
      discontinuities: first?.live?.discontinuitySequence ?? discontinuitiesBefore(last, Infinity),
    };
  if (msn !== undefined && !rows.some(({ live }) => live)) return { msn, discontinuities: 0 };
  // Numbers count back from the first known one.
  let count = 0;
  for (const { live, from, to } of rows) {
    if (live) {
      const discontinuities = (count === 0 ? live.recordedSequence : undefined) ?? live.discontinuitySequence ?? 0;
      return { msn: Math.max(0, live.msn - count), discontinuities };
    }
    count += to - from;
  }
  return { msn: Math.max(0, (next?.msn ?? 0) - count), discontinuities: 0 };
}

/** Sums over the segments of a track. */
interface TrackSum {
  rows: TrackRows;
  readonly firstMsn: number;
  bytes: number;
  seconds: number;
  /** Highest bit rate of a segment, in bits per second. */
  peakRate: number;
  hasCaptions: boolean;
}

/** Properties of the tracks that need no reading of media. */
export function trackFacts(placed: readonly WindowTable[]): {
  readonly tracks: readonly WindowTrack[];
  readonly longestSegmentMs: number;
} {
  const sums = new Map<string, TrackSum>();
  let longestSegmentMs = 0;
  for (const { table, from, firstMsn, endMsn } of placed)
    for (const [id, rows] of table.tracks) {
      const sum = sums.get(id) ?? { rows, firstMsn, bytes: 0, seconds: 0, peakRate: 0, hasCaptions: false };
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
        sum.seconds += ticks / timescale;
        sum.peakRate = Math.max(sum.peakRate, (bytes * 8 * timescale) / ticks);
      }
      sums.set(id, sum);
    }
  const firstOfAll = placed[0]?.firstMsn ?? 0;
  const tracks = [...sums.values()].map(({ rows: { track }, firstMsn, bytes, seconds, peakRate, hasCaptions }) => ({
    track,
    group: groupOf(track),
    rate: { peak: Math.ceil(peakRate), average: seconds > 0 ? Math.ceil((bytes * 8) / seconds) : 0 },
    hasCaptions,
    ...(firstMsn > firstOfAll ? { firstMsn } : {}),
  }));
  const order = ({ track }: WindowTrack): number =>
    Number(track.id.slice(1)) + (track.content === 'video' ? 0 : 10_000);
  return { tracks: tracks.sort((a, b) => order(a) - order(b)), longestSegmentMs };
}

/** Whether a block continues the previous block. One continuous track is enough, because other tracks may have a gap. */
function isContinued(before: BlockTable, table: BlockTable, from: number): boolean {
  const isNear = (startMs: number, endMs: number): boolean => Math.abs(startMs - endMs) <= MAX_GAP_MS;
  if (isNear(leaderStart(table.leader, from), before.endMs)) return true;
  for (const [id, rows] of table.tracks) {
    const earlier = before.tracks.get(id);
    const startMs = rows.startMs[from];
    if (earlier && startMs !== undefined && isNear(startMs, endMsOf(earlier, earlier.count - 1))) return true;
  }
  return false;
}

/** Whether two blocks have the same tracks in the same formats. */
function isSameTracks(a: BlockTable, b: BlockTable): boolean {
  return (
    a.tracks.size === b.tracks.size && [...a.tracks].every(([id, { initId }]) => b.tracks.get(id)?.initId === initId)
  );
}

function periodAt(firstMsn: number, startMs: number): WindowPeriod {
  return { firstMsn, startMs, mediaOffsetMs: startMs, addressPrefix: '' };
}

function leaderStart({ startMs }: TrackRows, row: number): number {
  return startMs[row] ?? Infinity;
}
