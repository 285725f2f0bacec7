import { writeFileHeader } from '../../media/containers/isobmff/init-segment.ts';
import { joinChunks } from '../../packaging/mp4/joined-fragment.ts';
import {
  segmentIndexBytes,
  writeSegmentIndex,
  type SegmentIndex,
} from '../../media/containers/isobmff/segment-index.ts';
import {
  chunkEnd,
  moveChunk,
  MOVED_HEAD_BYTES,
  type ChunkPosition,
} from '../../media/containers/isobmff/move-chunk.ts';
import { convertTicksDown, msToTicks } from '../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { writeChapterList } from './chapter-list.ts';
import { ExportFailure } from './export-task.ts';
import type { PlannedFile, PlannedTrack } from './file-plan.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Header of an MP4 file, and the time shifts of its chunks. */
export interface Mp4Head {
  readonly bytes: Uint8Array;
  /** Offset added to the times of each track, in its ticks. */
  readonly shiftTicks: ReadonlyMap<string, number>;
}

/**
 * Header of a fragmented MP4 whose media starts at 0: `ftyp`, `moov` with chapters, and an index of all ranges per track (`sidx`)
 * for seeking.
 */
export function mp4Head(
  { tracks, ranges, fromMs, toMs, chapters }: PlannedFile,
  { isExact = false }: { readonly isExact?: boolean } = {},
): Mp4Head {
  const all = [...tracks.values()];
  const [leader, ...others] = all;
  if (!leader) throw new ExportFailure('export_failed', because('track_missing'));
  const from = earliest(all, ({ dtsTicks }) => dtsTicks);
  // Audio may start part of a frame before the first picture; the edit list cuts that part.
  const shown = isExact
    ? { ticks: leader.ptsTicks, timescale: leader.track.timescale }
    : earliest(all, ({ ptsTicks }) => ptsTicks);
  const starts = all.map(({ track }) => convertTicksDown(from.ticks, from.timescale, track.timescale));
  const startTicks = all.map(({ track }, index) =>
    Math.max(0, convertTicksDown(shown.ticks, shown.timescale, track.timescale) - (starts[index] ?? 0)),
  );
  const durationMs = toMs - fromMs;
  const head = writeFileHeader([leader.track, ...others.map(({ track }) => track)], {
    startTicks,
    durationMs,
    ...(chapters.length > 0 ? { userData: writeChapterList(chapters) } : {}),
  });
  const list = ranges.list;
  // FFmpeg seeks in a track by the index of that track.
  const indexes = all.map((track, at) =>
    writeSegmentIndex(
      indexOf(track, Math.max(0, track.ptsTicks - (starts[at] ?? 0) - (startTicks[at] ?? 0)), list, fromMs, toMs),
      (all.length - 1 - at) * segmentIndexBytes(list.length),
    ),
  );
  return {
    bytes: Buffer.concat([head, ...indexes]),
    shiftTicks: new Map(all.map(({ track }, at) => [track.id, -(starts[at] ?? 0)])),
  };
}

/** Joins the chunks of a row into one fragment of the same size, each track in its own `traf`. */
export function joinRow(chunks: readonly Uint8Array[], tracks: readonly Track[], head: Mp4Head): readonly Uint8Array[] {
  const placed = tracks.map(({ id }, index) => ({
    bytes: chunks[index] ?? new Uint8Array(0),
    trackNumber: trackNumber(id),
    shiftTicks: head.shiftTicks.get(id) ?? 0,
  }));
  const joined = joinChunks(placed);
  if (joined) return joined;
  for (const [index, { bytes, ...place }] of placed.entries()) moveChunks(bytes, tracks[index]?.id ?? '', place);
  return placed.map(({ bytes }) => bytes);
}

/** Rewrites the times of chunks in place. */
function moveChunks(bytes: Uint8Array, trackId: string, place: ChunkPosition): void {
  for (let at = 0; at < bytes.length;) {
    const end = chunkEnd(bytes, at);
    const head = moveChunk(bytes.subarray(at, Math.min(end, at + MOVED_HEAD_BYTES)), place);
    if (!head) throw new ExportFailure('media_unreadable', because('track_chunk_damaged', { track: trackId }));
    bytes.set(head, at);
    at = end;
  }
}

/** @param startTicks start of the presentation of the track, after its edit list (8.16.3) */
function indexOf(
  { track }: PlannedTrack,
  startTicks: number,
  ranges: PlannedFile['ranges']['list'],
  fromMs: number,
  toMs: number,
): SegmentIndex {
  const ticksAt = (ms: number): number => msToTicks(Math.max(0, ms - fromMs), track.timescale);
  return {
    trackId: trackNumber(track.id),
    timescale: track.timescale,
    startTicks,
    ranges: ranges.map(({ startMs, sizeBytes }, index) => ({
      sizeBytes,
      durationTicks: Math.max(0, ticksAt(ranges[index + 1]?.startMs ?? toMs) - ticksAt(startMs)),
    })),
  };
}

/**
 * Earliest time of all tracks, in ticks of its track. Times are compared in whole microseconds: products of UTC ticks and another
 * timescale exceed exact integers.
 */
function earliest(
  tracks: readonly PlannedTrack[],
  of: (track: PlannedTrack) => number,
): { readonly ticks: number; readonly timescale: number } {
  let best = { ticks: 0, timescale: 1 };
  let bestMicroseconds = Infinity;
  for (const one of tracks) {
    const { timescale } = one.track;
    const microseconds = convertTicksDown(of(one), timescale, 1_000_000);
    if (microseconds >= bestMicroseconds) continue;
    bestMicroseconds = microseconds;
    best = { ticks: of(one), timescale };
  }
  return best;
}
