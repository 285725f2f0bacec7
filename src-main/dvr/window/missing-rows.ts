import { msToTicks } from '../../media/timing/ticks.ts';
import type { TimeRange } from '../../segment/segment-window.ts';
import { endMsOf, GAP, type BlockTable, type TrackRows } from './block-table.ts';

const NO_MEDIA = { read: async (): Promise<Uint8Array> => Promise.reject(new RangeError('nothing is recorded there')) };

/**
 * Table of gaps for segments that were live but are not recorded: rows without media between two times.
 * @param before block before the gaps; the table has the same tracks
 * @param startOf returns the start of the segment of a row in epoch milliseconds, if known
 */
export function missingRows(
  before: BlockTable,
  { fromMs: startMs, toMs }: TimeRange,
  count: number,
  startOf: (row: number) => number | undefined,
): BlockTable {
  const { leader } = before;
  const { track } = leader;
  const starts = startsOf(count, { fromMs: startMs, toMs }, startOf);
  const longestMs = Math.max(...leader.durationTicks, 1) / (track.timescale / 1000);
  const lengthOf = (row: number): number =>
    Math.max(1, Math.min(longestMs, (starts[row + 1] ?? toMs) - (starts[row] ?? 0)));
  const rows: TrackRows = {
    track,
    initId: leader.initId,
    count,
    startMs: starts,
    startTicks: starts.map((ms) => msToTicks(ms, track.timescale)),
    durationTicks: starts.map((_, row) => Math.round((lengthOf(row) * track.timescale) / 1000)),
    sizeBytes: new Float64Array(count),
    flags: new Uint8Array(count).fill(GAP),
    pieceAt: new Uint32Array(count + 1),
    pieces: new Float64Array(),
  };
  return {
    disk: '',
    path: '',
    file: NO_MEDIA,
    isFinished: true,
    numbers: undefined,
    leader: rows,
    count,
    cuts: [],
    splices: [],
    startMs,
    endMs: endMsOf(rows, count - 1),
    // No track has media in this time range.
    tracks: new Map([...before.tracks].map(([id, track]) => [id, { ...track, ...NO_ROWS }])),
  };
}

/**
 * Starts of rows in epoch milliseconds. Rows with an unknown start divide the time between known starts equally. The
 * starts increase and are before the end.
 */
function startsOf(
  count: number,
  { fromMs, toMs }: TimeRange,
  startOf: (row: number) => number | undefined,
): Float64Array {
  const starts = new Float64Array(count);
  let lastMs = fromMs;
  for (let row = 0; row < count;) {
    let next = row;
    while (next < count && startOf(next) === undefined) next++;
    const nextMs = next < count ? (startOf(next) ?? toMs) : toMs;
    // The row that starts at `lastMs` takes a share of the time too.
    const shares = next - row + (row > 0 ? 1 : 0);
    const eachMs = Math.max(0, nextMs - lastMs) / Math.max(1, shares);
    for (let at = row; at < next; at++) starts[at] = Math.floor(lastMs + (at - row + (row > 0 ? 1 : 0)) * eachMs);
    if (next < count) starts[next] = nextMs;
    lastMs = nextMs;
    row = next + 1;
  }
  for (let row = 1; row < count; row++) starts[row] = Math.max(starts[row] ?? 0, (starts[row - 1] ?? 0) + 1);
  for (let row = count - 1; row >= 0; row--) starts[row] = Math.min(starts[row] ?? 0, (starts[row + 1] ?? toMs) - 1);
  return starts;
}

const NO_ROWS = {
  count: 0,
  startTicks: new Float64Array(),
  startMs: new Float64Array(),
  durationTicks: new Float64Array(),
  sizeBytes: new Float64Array(),
  flags: new Uint8Array(),
  pieceAt: new Uint32Array(1),
  pieces: new Float64Array(),
};

/** Whether a table was made by `missingRows`. */
export function isMissing({ disk, path }: BlockTable): boolean {
  return disk === '' && path === '';
}
