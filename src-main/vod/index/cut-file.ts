import { convertTicks } from '../../media/timing/ticks.ts';
import type { FileIndex, FileRefusal, IndexedTrack, SegmentRow } from './file-index.ts';
import type { SourceTrack } from './source-track.ts';
import { OpenRow, TrackWalk } from './track-walk.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

export interface CutOptions {
  /** Minimum segment duration in milliseconds, where there are enough random access points. */
  readonly segmentMs: number;
  /** Memory of the sample tables or lists, in bytes; it counts towards the size of the index. */
  readonly tableBytes: number;
}

/** Maximum number of segments of a track: almost three days of 6 s segments. */
const MAX_SEGMENTS = 40_000;
/** Maximum time until a track is cut even without a random access point, in milliseconds. */
const LONGEST_SEGMENT_MS = 30_000;
/** Samples processed in one step. */
const SAMPLES_PER_STEP = 2048;
/** Estimated memory of one segment row, in bytes. */
const ROW_BYTES = 700;

/**
 * Maximum distance between the times of a change of format and of the segments of other tracks that start at this change, in
 * seconds.
 */
const MAX_DISTANCE_SECONDS = 0.1;

/**
 * Cuts the tracks of a file, or of several files played as one, into segments. The first video track is cut at random access
 * points, the other tracks at the same times, and all tracks where one of them changes its format. Reads only the sample
 * tables. Runs in steps.
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
  const changes = new Map<TrackWalk, readonly number[]>();
  for (const walk of walks) changes.set(walk, yield* formatChanges(walk.source));
  const others = walks.flatMap((walk) => (walk === leader ? [] : (changes.get(walk) ?? [])));
  const leading = yield* cutLeader(
    leader,
    options.segmentMs,
    others.sort((a, b) => a - b),
  );
  if (!leading) return tooLong(leader);
  if (!arePlausible(leading, leader)) return damagedTimes(leader);
  const cuts = leading.slice(1).map(({ ptsTicks }) => ptsTicks);
  const leadingEnd = leading.at(-1)?.endTicks ?? 0;
  const tracks: IndexedTrack[] = [];
  for (const walk of walks) {
    const { source } = walk;
    const biasTicks = convertTicks(biasMs, 1000, source.track.timescale);
    const inTicks = (ticks: number): number => convertTicks(ticks, leader.source.timescale, source.timescale);
    const cutTicks = cuts.map(inTicks);
    const rows =
      walk === leader
        ? leading
        : yield* cutFollower(walk, {
            cuts: cutTicks,
            endTicks: inTicks(leadingEnd),
            changes: changes.get(walk) ?? [],
            segmentMs: options.segmentMs,
          });
    if (!rows) return tooLong(walk);
    if (!arePlausible(rows, walk)) return damagedTimes(walk);
    tracks.push({ source, biasTicks, rows: closedRows(rows, source, biasTicks, cutTicks) });
  }
  const count = tracks.reduce((sum, track) => sum + track.rows.length, 0);
  return { tracks: tracks.sort(videoFirst), biasMs, memoryBytes: options.tableBytes + count * ROW_BYTES };
}

/** Tracks that have media, each at the start of its presentation. */
function* startedWalks(sources: readonly SourceTrack[]): Generator<void, TrackWalk[]> {
  const walks = sources.map((source) => new TrackWalk(source)).filter(({ isOver }) => !isOver);
  const leader = leaderOf(walks);
  if (leader) yield* leader.start();
  const fromSeconds = leader ? Math.min(0, leader.ptsTicks / leader.source.timescale) : 0;
  for (const walk of walks) if (walk !== leader) yield* walk.start(fromSeconds);
  return walks.filter(({ isOver }) => !isOver);
}

function leaderOf(walks: readonly TrackWalk[]): TrackWalk | undefined {
  return walks.find(({ source }) => source.track.content === 'video') ?? walks[0];
}

/** Presentation times at which a track changes its format, in seconds of the file. */
function* formatChanges(source: SourceTrack): Generator<void, number[]> {
  const { formats = [], shiftTicks, timescale } = source;
  const seconds: number[] = [];
  const samples = source.cursor();
  for (let index = 0; seconds.length < formats.length && samples.next(); index++) {
    if (index === formats[seconds.length]?.first)
      seconds.push((samples.dtsTicks + samples.compositionOffsetTicks + shiftTicks) / timescale);
    if (index % SAMPLES_PER_STEP === 0) yield;
  }
  return seconds;
}

/**
 * Segments of the leading track; undefined if there would be too many.
 *
 * @param changes times at which other tracks change their formats, in seconds and in order
 */
function* cutLeader(
  walk: TrackWalk,
  segmentMs: number,
  changes: readonly number[],
): Generator<void, OpenRow[] | undefined> {
  const { timescale } = walk.source;
  const minTicks = (segmentMs * timescale) / 1000;
  const maxTicks = (LONGEST_SEGMENT_MS * timescale) / 1000;
  const rows: OpenRow[] = [];
  let row: OpenRow | undefined;
  let change = 0;
  while (!walk.isOver) {
    const { cursor } = walk;
    const ticks = row ? walk.dtsTicks - row.dtsTicks : Infinity;
    const seconds = walk.ptsTicks / timescale;
    const isChange = seconds + (cursor.isSync ? MAX_DISTANCE_SECONDS : 0) >= (changes[change] ?? Infinity);
    const isRegular = (cursor.isSync && ticks >= minTicks) || ticks >= maxTicks || row?.isFull(cursor.sizeBytes);
    if (!row || isRegular === true || isChange || walk.format !== row.format) {
      while ((changes[change] ?? Infinity) <= seconds + MAX_DISTANCE_SECONDS) change++;
      if (rows.length >= MAX_SEGMENTS) return undefined;
      row = new OpenRow(walk);
      rows.push(row);
    }
    row.add(walk);
    if (walk.next()) yield;
  }
  return rows;
}

interface FollowerCuts {
  /** Segment starts of the leading track except the first, and its end, in ticks of the file. */
  readonly cuts: readonly number[];
  readonly endTicks: number;
  /** Times at which the track changes its format, in seconds. */
  readonly changes: readonly number[];
  readonly segmentMs: number;
}

/**
 * Segments of a track that is cut at the times of the leading track, and after the end of that track in segments of the same
 * length. Undefined if there would be too many segments, or one would be too large.
 */
function* cutFollower(
  walk: TrackWalk,
  { cuts, endTicks, changes, segmentMs }: FollowerCuts,
): Generator<void, (OpenRow | undefined)[] | undefined> {
  const { timescale, track } = walk.source;
  const step = Math.max(1, (segmentMs * timescale) / 1000);
  const rows: (OpenRow | undefined)[] = [];
  let row: OpenRow | undefined;
  let number = 0;
  while (!walk.isOver) {
    const { ptsTicks, cursor } = walk;
    const isChange = row !== undefined && walk.format !== row.format;
    const canCut = !row || track.content === 'audio' || cursor.isSync || isChange;
    const nearTicks = isChange ? ptsTicks + MAX_DISTANCE_SECONDS * timescale : ptsTicks;
    // The next segment then starts early, with the sample of the new format.
    const isEarly = (ticks: number): boolean =>
      !isChange && (changes[walk.format] ?? Infinity) - ticks / timescale <= MAX_DISTANCE_SECONDS;
    if (canCut) {
      const minTicks = isChange ? number + 1 : number;
      let target = minTicks;
      while (target < cuts.length && nearTicks >= (cuts[target] ?? Infinity) && !isEarly(cuts[target] ?? 0)) target++;
      // The end of a track that is slightly longer than the leader belongs to its last segment.
      if (target >= cuts.length)
        target = Math.max(minTicks, cuts.length + Math.max(0, Math.floor((ptsTicks - endTicks) / step)));
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
 * Segments of a track on the timeline of the output, with gaps.
 *
 * @param cuts segment starts of the leading track, in ticks of the file
 */
function closedRows(
  rows: readonly (OpenRow | undefined)[],
  source: SourceTrack,
  biasTicks: number,
  cuts: readonly number[],
): SegmentRow[] {
  const outputTicks = (ticks: number): number =>
    convertTicks(ticks, source.timescale, source.track.timescale) + biasTicks;
  return rows.map((row, number) => {
    if (row) return row.closed(source, biasTicks);
    const startTicks = number === 0 ? biasTicks : outputTicks(cuts[number - 1] ?? 0);
    const endTicks = outputTicks(Math.min(cuts[number] ?? Infinity, rows[number + 1]?.ptsTicks ?? Infinity));
    const durationTicks = Math.max(1, Number.isFinite(endTicks) ? endTicks - startTicks : 1);
    return { mark: undefined, sampleCount: 0, startTicks, durationTicks, dataBytes: 0, isSync: false };
  });
}

function arePlausible(rows: readonly (OpenRow | undefined)[], { source }: TrackWalk): boolean {
  return rows.every((row) => row?.isPlausible(source) !== false);
}

function damagedTimes({ source }: TrackWalk): FileRefusal {
  return { code: 'vod_file_damaged', ...because('file_timestamps_damaged', { track: source.track.id }) };
}

function tooLong({ source }: TrackWalk): FileRefusal {
  return {
    code: 'vod_file_not_supported',
    ...because('file_too_long', { track: source.track.id, count: MAX_SEGMENTS }),
  };
}

function videoFirst(a: IndexedTrack, b: IndexedTrack): number {
  return Number(b.source.track.content === 'video') - Number(a.source.track.content === 'video');
}
