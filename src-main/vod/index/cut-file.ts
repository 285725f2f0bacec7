import { convertTicks } from '../../media/timing/ticks.ts';
import type { FileIndex, FileRefusal, IndexedTrack, SegmentRow } from './file-index.ts';
import type { SourceTrack } from './source-track.ts';
import { OpenRow, TrackWalk } from './track-walk.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

export interface CutOptions {
  /** Minimum segment duration in milliseconds, where there are enough random access points. */
  readonly segmentMs: number;
  /** Size in memory of the tables or lists that the samples are read from, in bytes. */
  readonly tableBytes: number;
}

/** Maximum number of segments of a track: almost three days of 6 s segments. */
const MAX_SEGMENTS = 40_000;
/** A track is cut after this time even without a random access point, in milliseconds. */
const LONGEST_SEGMENT_MS = 30_000;
/** Estimated memory of one segment row, in bytes. */
const ROW_BYTES = 700;

/**
 * Cuts the tracks of a file, or of several files played as one, into segments. The first video track is cut at random access
 * points, the other tracks at the same times. Reads only the sample tables. Runs in steps.
 */
export function* cutFile(
  sources: readonly SourceTrack[],
  options: CutOptions,
): Generator<void, FileIndex | FileRefusal> {
  const walks = yield* startedWalks(sources);
  const leader = leaderOf(walks);
  if (!leader) return { code: 'vod_file_damaged', ...because('file_tracks_empty') };
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

/** Tracks that have media, each at the start of its presentation. */
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

/** Segments of the leading track; undefined if there would be too many. */
function* cutLeader(walk: TrackWalk, segmentMs: number): Generator<void, OpenRow[] | undefined> {
  const { timescale } = walk.source;
  const least = (segmentMs * timescale) / 1000;
  const maxTicks = (LONGEST_SEGMENT_MS * timescale) / 1000;
  const rows: OpenRow[] = [];
  let row: OpenRow | undefined;
  while (!walk.isOver) {
    const { cursor } = walk;
    const ticks = row ? walk.dtsTicks - row.dtsTicks : Infinity;
    if (!row || (cursor.isSync && ticks >= least) || ticks >= maxTicks || row.isFull(cursor.sizeBytes)) {
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
 * Segments of a track that is cut at the times of the leading track, and after its end in segments of the same length. Undefined
 * if there would be too many segments, or one would be too large.
 *
 * @param cuts segment starts of the leading track, in ticks of the file
 * @param endTicks end of the leading track
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
      let target = number;
      while (target < cuts.length && ptsTicks >= (cuts[target] ?? Infinity)) target++;
      // A track that is slightly longer than the leader keeps the rest in its last segment.
      if (target >= cuts.length)
        target = Math.max(number, cuts.length + Math.max(0, Math.floor((ptsTicks - endTicks) / step)));
      if (target >= MAX_SEGMENTS) return undefined;
      if (!row || target > number) {
        row = new OpenRow(walk);
        number = target;
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

/**
 * Segments of a track on the timeline of the output, with holes.
 *
 * @param cuts segment starts of the leading track, in ticks of the file
 */
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
  return { code: 'vod_file_damaged', ...because('file_timestamps_damaged', { track: source.track.id }) };
}

function tooMuch({ source }: TrackWalk): FileRefusal {
  return {
    code: 'vod_file_not_supported',
    ...because('file_too_long', { track: source.track.id, count: MAX_SEGMENTS }),
  };
}

function videoFirst(a: IndexedTrack, b: IndexedTrack): number {
  return Number(b.source.track.content === 'video') - Number(a.source.track.content === 'video');
}
