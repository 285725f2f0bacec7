import { convertTicks } from '../../media/timing/ticks.ts';
import type { FileIndex, FileRefusal, IndexedTrack, SegmentRow } from './file-index.ts';
import type { SourceTrack } from './source-track.ts';
import { OpenRow, TrackWalk } from './track-walk.ts';

/** How a file is cut. */
export interface CutOptions {
  /** Least length of a segment in milliseconds, where pictures that can be decoded by themselves stand in time. */
  readonly segmentMs: number;
  /** Bytes in memory that the samples are read from. */
  readonly tableBytes: number;
}

/** Segments that a track may have: of six seconds, almost three days. */
const MAX_SEGMENTS = 40_000;
/** Where a track is cut though no picture can be decoded by itself, in milliseconds. */
const LONGEST_SEGMENT_MS = 30_000;
/** Bytes in memory of a segment that was listed. */
const ROW_BYTES = 700;

/**
 * Cuts the tracks of a file, or of several that are played as one, into segments: the first video track at pictures that decoding can start with, the others where that one is cut. It looks
 * at the tables of samples only. Runs in steps.
 */
export function* cutFile(
  sources: readonly SourceTrack[],
  options: CutOptions,
): Generator<void, FileIndex | FileRefusal> {
  const walks = yield* startedWalks(sources);
  const leader = leaderOf(walks);
  if (!leader) return { code: 'vod_file_damaged', detail: 'No track of the file has media in it.' };
  const starts = walks.map(({ dtsTicks, source }) => dtsTicks / source.timescale);
  const biasMs = Math.ceil(Math.max(0, -Math.min(...starts) * 1000));
  const leading = yield* cutLeader(leader, options.segmentMs);
  if (!leading) return tooMuch(leader);
  if (!arePossible(leading, leader)) return impossible(leader);
  const cuts = leading.slice(1).map(({ ptsTicks }) => ptsTicks);
  const leadingEnd = leading.at(-1)?.endTicks ?? 0;
  const tracks: IndexedTrack[] = [];
  for (const walk of walks) {
    const { source } = walk;
    const biasTicks = convertTicks(biasMs, 1000, source.track.timescale);
    const inTicks = (ticks: number): number => convertTicks(ticks, leader.source.timescale, source.timescale);
    const cutTicks = cuts.map(inTicks);
    const rows = walk === leader ? leading : yield* cutFollower(walk, cutTicks, inTicks(leadingEnd), options);
    if (!rows) return tooMuch(walk);
    if (!arePossible(rows, walk)) return impossible(walk);
    tracks.push({ source, biasTicks, rows: closedRows(rows, source, biasTicks, cutTicks) });
  }
  const count = tracks.reduce((sum, track) => sum + track.rows.length, 0);
  return { tracks: tracks.sort(videoFirst), biasMs, memoryBytes: options.tableBytes + count * ROW_BYTES };
}

/** The tracks that have media, each at the begin of its presentation. */
function* startedWalks(sources: readonly SourceTrack[]): Generator<void, TrackWalk[]> {
  const walks = sources.map((source) => new TrackWalk(source)).filter(({ isOver }) => !isOver);
  const leader = leaderOf(walks);
  if (leader) yield* leader.begin();
  const fromSeconds = leader ? Math.min(0, leader.ptsTicks / leader.source.timescale) : 0;
  for (const walk of walks) if (walk !== leader) yield* walk.begin(fromSeconds);
  return walks.filter(({ isOver }) => !isOver);
}

function leaderOf(walks: readonly TrackWalk[]): TrackWalk | undefined {
  return walks.find(({ source }) => source.track.content === 'video') ?? walks[0];
}

/** The segments of the track that leads; undefined where there would be too many. */
function* cutLeader(walk: TrackWalk, segmentMs: number): Generator<void, OpenRow[] | undefined> {
  const { timescale } = walk.source;
  const least = (segmentMs * timescale) / 1000;
  const most = (LONGEST_SEGMENT_MS * timescale) / 1000;
  const rows: OpenRow[] = [];
  let row: OpenRow | undefined;
  while (!walk.isOver) {
    const { cursor } = walk;
    const ticks = row ? walk.dtsTicks - row.dtsTicks : Infinity;
    if (!row || (cursor.isSync && ticks >= least) || ticks >= most || row.isFull(cursor.sizeBytes)) {
      if (rows.length >= MAX_SEGMENTS) return undefined;
      row = new OpenRow(walk);
      rows.push(row);
    }
    row.add(walk);
    if (walk.next()) yield;
  }
  return rows;
}

/**
 * The segments of a track that is cut where another one is, and in ranges of the same length behind the end of that; undefined where there would be too
 * many, or too much in one.
 *
 * @param cuts where, in ticks of the file
 * @param endTicks where the other one ends
 */
function* cutFollower(
  walk: TrackWalk,
  cuts: readonly number[],
  endTicks: number,
  { segmentMs }: CutOptions,
): Generator<void, (OpenRow | undefined)[] | undefined> {
  const { timescale, track } = walk.source;
  const step = Math.max(1, (segmentMs * timescale) / 1000);
  const rows: (OpenRow | undefined)[] = [];
  let row: OpenRow | undefined;
  let number = 0;
  while (!walk.isOver) {
    const { ptsTicks, cursor } = walk;
    const canCut = !row || track.content === 'audio' || cursor.isSync;
    if (canCut) {
      let wanted = number;
      while (wanted < cuts.length && ptsTicks >= (cuts[wanted] ?? Infinity)) wanted++;
      // A little more than the other one has belongs to its last segment.
      if (wanted >= cuts.length)
        wanted = Math.max(number, cuts.length + Math.max(0, Math.floor((ptsTicks - endTicks) / step)));
      if (wanted >= MAX_SEGMENTS) return undefined;
      if (!row || wanted > number) {
        row = new OpenRow(walk);
        number = wanted;
        while (rows.length < number) rows.push(undefined);
        rows.push(row);
      }
    }
    if (!row || row.isFull(cursor.sizeBytes)) return undefined;
    row.add(walk);
    if (walk.next()) yield;
  }
  return rows;
}

/** The segments of a track as they are served, with its holes. @param cuts where the leading track is cut, in ticks of the file */
function closedRows(
  rows: readonly (OpenRow | undefined)[],
  source: SourceTrack,
  biasTicks: number,
  cuts: readonly number[],
): SegmentRow[] {
  const served = (ticks: number): number => convertTicks(ticks, source.timescale, source.track.timescale) + biasTicks;
  return rows.map((row, number) => {
    if (row) return row.closed(source, biasTicks);
    const startTicks = number === 0 ? biasTicks : served(cuts[number - 1] ?? 0);
    const endTicks = served(Math.min(cuts[number] ?? Infinity, rows[number + 1]?.ptsTicks ?? Infinity));
    const durationTicks = Math.max(1, Number.isFinite(endTicks) ? endTicks - startTicks : 1);
    return { mark: undefined, sampleCount: 0, startTicks, durationTicks, dataBytes: 0, isSync: false };
  });
}

function arePossible(rows: readonly (OpenRow | undefined)[], { source }: TrackWalk): boolean {
  return rows.every((row) => row?.isPossible(source) !== false);
}

function impossible({ source }: TrackWalk): FileRefusal {
  return { code: 'vod_file_damaged', detail: `The times of ${source.track.id} make no sense.` };
}

function tooMuch({ source }: TrackWalk): FileRefusal {
  const detail = `${source.track.id} has more than ${MAX_SEGMENTS} segments, or too much in one.`;
  return { code: 'vod_file_not_supported', detail };
}

function videoFirst(a: IndexedTrack, b: IndexedTrack): number {
  return Number(b.source.track.content === 'video') - Number(a.source.track.content === 'video');
}
