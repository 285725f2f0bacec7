import { endMsOf, GAP, type BlockTable, type TrackRows } from './block-table.ts';

/** Overlap caused by rounding, in milliseconds. */
const ROUNDING_MS = 1;
/** Accepted overlap of leading tracks, in milliseconds: the tracks of a block do not end at the same moment. */
const MAX_SKEW_MS = 500;
/** Key for the times of the leading track, whichever it is. */
const LEADER = '';

/** Ranges of a track that a recording uses, in order and not touching each other. */
type UsedRanges = { recording: number; fromMs: number; toMs: number }[];

/** Number of the recording of each table, counted within one call. */
type Recordings = ReadonlyMap<BlockTable, number>;

/**
 * Removes overlaps between tables. Blocks overlap if the clock was set back, or if two servers wrote to one folder.
 * The block that was recorded last stays. Overlapping segments of other blocks are left out, and the next segment
 * starts with a discontinuity, so media times within a track never go back.
 * @param tables in order of their start
 */
export function recordedOnce(tables: readonly BlockTable[]): readonly BlockTable[] {
  const found: BlockTable[] = [];
  let hasOverlaps = false;
  const recordings = recordingsOf(tables);
  for (const group of overlapping(tables, recordings)) {
    hasOverlaps ||= group.length > 1;
    found.push(...(group.length === 1 ? group : withoutOverlaps(group, recordings)));
  }
  return hasOverlaps ? withRisingNumbers(found) : tables;
}

/**
 * Tables with increasing recorded numbers; numbers of an older recording after a newer one are ignored. Numbers that do
 * not continue belong to another recording.
 */
function withRisingNumbers(tables: readonly BlockTable[]): readonly BlockTable[] {
  let endMsn = 0;
  let previous: BlockTable | undefined;
  return tables.map((table) => {
    const { numbers, count, cuts } = table;
    const before = previous?.numbers && previous.numbers.msn + previous.count;
    previous = table;
    if (!numbers) return table;
    const isOther = before !== undefined && numbers.msn !== before && cuts[0] !== 0;
    const cut = isOther ? { ...table, cuts: [0, ...cuts] } : table;
    if (numbers.msn < endMsn) return { ...cut, numbers: undefined };
    endMsn = numbers.msn + count;
    return cut;
  });
}

/**
 * Numbers the recordings. A block belongs to the recording of another block if its segment numbers follow those of that
 * block and none of its tracks goes back in time. Blocks of one recording may overlap, because a track can end after
 * another track has started in the next block; this is no second recording of the same time.
 */
function recordingsOf(tables: readonly BlockTable[]): Recordings {
  const found = new Map<BlockTable, number>();
  const byNumber = tables.toSorted((a, b) => (a.numbers?.msn ?? -1) - (b.numbers?.msn ?? -1));
  let recording = 0;
  for (const [index, table] of byNumber.entries()) {
    const before = byNumber[index - 1];
    if (!before || !continues(before, table)) recording++;
    found.set(table, recording);
  }
  return found;
}

/**
 * Whether a block continues the numbers and the times of another block. When the format changes, the last frames may
 * extend into the next block.
 */
function continues(before: BlockTable, table: BlockTable): boolean {
  if (!before.numbers || table.numbers?.msn !== before.numbers.msn + before.count) return false;
  // A gap ends where the other tracks of its row end, so its end is ignored.
  const isMedia = (flags: number): boolean => (flags & GAP) === 0;
  return [...table.tracks].every(([id, rows]) => {
    const earlier = before.tracks.get(id);
    const [last, first] = [earlier?.flags.findLastIndex(isMedia) ?? -1, rows.flags.findIndex(isMedia)];
    return !earlier || last < 0 || first < 0 || (rows.startMs[first] ?? 0) >= endMsOf(earlier, last) - MAX_SKEW_MS;
  });
}

/** Groups of tables without an overlap between groups; most groups have one table. */
function* overlapping(tables: readonly BlockTable[], recordings: Recordings): Generator<BlockTable[], void> {
  let group: BlockTable[] = [];
  /** End of each track, of each recording. */
  const ends = new Map<number, Map<string, number>>();
  for (const table of tables) {
    const recording = recordings.get(table) ?? 0;
    const isSeparate = [...timesOf(table)].every(([id, fromMs]) =>
      [...ends].every(
        ([other, tracks]) => other === recording || fromMs >= (tracks.get(id) ?? -Infinity) - ROUNDING_MS,
      ),
    );
    if (isSeparate && group.length > 0) {
      yield group;
      group = [];
      ends.clear();
    }
    group.push(table);
    const tracks = ends.get(recording) ?? new Map<string, number>();
    ends.set(recording, tracks);
    for (const [id, , toMs] of timesOf(table)) tracks.set(id, Math.max(tracks.get(id) ?? -Infinity, toMs));
  }
  if (group.length > 0) yield group;
}

function withoutOverlaps(group: readonly BlockTable[], recordings: Recordings): BlockTable[] {
  const used = new Map<string, UsedRanges>();
  const kept: BlockTable[] = [];
  for (const table of group.toSorted(laterFirst)) {
    const recording = recordings.get(table) ?? 0;
    const isFree = Array.from({ length: table.count }, (_, row) => !isUsed(table, row, used, recording));
    for (let from = isFree.indexOf(true); from >= 0;) {
      const end = isFree.indexOf(false, from);
      const to = end < 0 ? table.count : end;
      kept.push(rowsFrom(table, from, to));
      from = end < 0 ? -1 : isFree.indexOf(true, end);
    }
    for (let row = 0; row < table.count; row++) if (isFree[row] === true) take(table, row, used, recording);
  }
  return kept.sort((a, b) => a.startMs - b.startMs);
}

/**
 * Orders the last recorded block first: by the numbers of its segments, which increase across restarts; without
 * numbers, by start and file.
 */
function laterFirst(a: BlockTable, b: BlockTable): number {
  if (a.numbers && b.numbers && a.numbers.msn !== b.numbers.msn) return b.numbers.msn - a.numbers.msn;
  const byStart = b.startMs - a.startMs;
  return byStart === 0 ? b.path.localeCompare(a.path, 'en', { numeric: true }) : byStart;
}

/** Start and end of each track of a table and, later by the accepted overlap, of its leading track; in epoch milliseconds. */
function* timesOf(table: BlockTable): Generator<readonly [id: string, fromMs: number, toMs: number], void> {
  const { tracks, leader, startMs } = table;
  for (const [id, rows] of tracks)
    if (rows.count > 0) yield [id, rows.startMs[0] ?? startMs, endMsOf(rows, rows.count - 1)];
  yield [LEADER, (leader.startMs[0] ?? startMs) + MAX_SKEW_MS, endMsOf(leader, leader.count - 1)];
}

/** Start and end of each track, as from `timesOf`, for one row. */
function* rowTimes({ tracks, leader }: BlockTable, row: number): Generator<readonly [string, number, number], void> {
  for (const [id, rows] of tracks) if (row < rows.count) yield [id, rows.startMs[row] ?? 0, endMsOf(rows, row)];
  yield [LEADER, (leader.startMs[row] ?? 0) + MAX_SKEW_MS, endMsOf(leader, row)];
}

function isUsed(table: BlockTable, row: number, used: ReadonlyMap<string, UsedRanges>, ownRecording: number): boolean {
  for (const [id, fromMs, toMs] of rowTimes(table, row)) {
    const isOther = ({ recording, ...one }: UsedRanges[number]): boolean =>
      recording !== ownRecording && one.fromMs < toMs - ROUNDING_MS && one.toMs > fromMs + ROUNDING_MS;
    if (used.get(id)?.some(isOther) === true) return true;
  }
  return false;
}

function take(table: BlockTable, row: number, used: Map<string, UsedRanges>, recording: number): void {
  for (const [id, fromMs, toMs] of rowTimes(table, row)) {
    const last = used.get(id)?.at(-1);
    // Rows of a block are consecutive.
    const isNext = last?.recording === recording && Math.abs(last.toMs - fromMs) <= MAX_SKEW_MS && toMs >= last.toMs;
    if (isNext) last.toMs = toMs;
    else used.set(id, [...(used.get(id) ?? []), { recording, fromMs, toMs }]);
  }
}

/** Part of a table as its own table. */
function rowsFrom(table: BlockTable, from: number, to: number): BlockTable {
  if (from === 0 && to === table.count) return table;
  const tracks = new Map(
    [...table.tracks].flatMap(([id, rows]) => (rows.count > from ? [[id, partOf(rows, from, to)] as const] : [])),
  );
  const leader = tracks.get(table.leader.track.id) ?? partOf(table.leader, from, to);
  const cuts = table.cuts.flatMap((row) => (row >= from && row < to ? [row - from] : []));
  const startMs = leader.startMs[0] ?? table.startMs;
  const endMs = Math.max(...[...tracks.values()].map((rows) => endMsOf(rows, rows.count - 1)));
  const { numbers } = table;
  return {
    ...table,
    tracks,
    leader,
    startMs,
    endMs,
    count: to - from,
    firstRow: (table.firstRow ?? 0) + from,
    cuts: from > 0 && cuts[0] !== 0 ? [0, ...cuts] : cuts,
    numbers: numbers && {
      msn: numbers.msn + from,
      discontinuitySequence: numbers.discontinuitySequence + table.cuts.filter((row) => row < from).length,
    },
  };
}

function partOf(rows: TrackRows, from: number, to: number): TrackRows {
  const end = Math.min(rows.count, to);
  return {
    ...rows,
    count: end - from,
    startTicks: rows.startTicks.subarray(from, end),
    startMs: rows.startMs.subarray(from, end),
    durationTicks: rows.durationTicks.subarray(from, end),
    sizeBytes: rows.sizeBytes.subarray(from, end),
    flags: rows.flags.subarray(from, end),
    pieceAt: rows.pieceAt.subarray(from, end + 1),
  };
}
