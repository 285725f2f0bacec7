import { writeFileHeader } from '../../media/containers/isobmff/init-segment.ts';
import { writeSegmentIndex } from '../../media/containers/isobmff/segment-index.ts';
import { chunkEnd, placeChunk, PLACED_BYTES } from '../../media/containers/isobmff/chunk-placing.ts';
import { convertTicksDown, msToTicks } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import { writeChapterList } from './chapter-list.ts';
import { ExportFailure } from './export-task.ts';
import type { PlannedFile, PlannedTrack } from './file-plan.ts';

/** What an MP4 begins with, and what its chunks are moved by. */
export interface Mp4Head {
  readonly bytes: Uint8Array;
  /** What is added to the times of each track, in its ticks. */
  readonly shiftTicks: ReadonlyMap<string, number>;
}

/**
 * The head of a fragmented MP4 whose media begins at 0: `ftyp`, `moov` with chapters, and an index of all stretches (`sidx`), so that players find a time.
 */
export function mp4Head(
  { tracks, stretches, fromMs, toMs, chapters }: PlannedFile,
  { isExact = false }: { readonly isExact?: boolean } = {},
): Mp4Head {
  const all = [...tracks.values()];
  const [leader, ...others] = all;
  if (!leader) throw new ExportFailure('export_failed', 'A file has a track');
  const from = earliest(all, ({ dtsTicks }) => dtsTicks);
  // Sound that begins a part of a frame before the first picture is cut there by its edit list.
  const shown = isExact
    ? { ticks: leader.ptsTicks, timescale: leader.track.timescale }
    : earliest(all, ({ ptsTicks }) => ptsTicks);
  const starts = all.map(({ track }) => convertTicksDown(from.ticks, from.timescale, track.timescale));
  const startTicks = all.map(({ track }, index) =>
    Math.max(0, convertTicksDown(shown.ticks, shown.timescale, track.timescale) - (starts[index] ?? 0)),
  );
  const durationMs = toMs - fromMs;
  const head = writeFileHeader([leader.track, ...others.map(({ track }) => track)], {
    ...{ startTicks, durationMs },
    ...(chapters.length > 0 ? { userData: writeChapterList(chapters) } : {}),
  });
  const index = indexOf(leader, leader.ptsTicks - (starts[0] ?? 0), stretches.list, fromMs, toMs);
  return {
    bytes: Buffer.concat([head, index]),
    shiftTicks: new Map(all.map(({ track }, at) => [track.id, -(starts[at] ?? 0)])),
  };
}

/** The chunks of a track as they stand in the file: what says their time is written anew, in place. */
export function placeChunks(bytes: Uint8Array, trackId: string, shiftTicks: number): void {
  for (let at = 0; at < bytes.length;) {
    const end = chunkEnd(bytes, at);
    const place = { shiftTicks, trackNumber: trackNumber(trackId) };
    const head = placeChunk(bytes.subarray(at, Math.min(end, at + PLACED_BYTES)), place);
    if (!head) throw new ExportFailure('media_unreadable', `A chunk of the track ${trackId} is damaged`);
    bytes.set(head, at);
    at = end;
  }
}

function indexOf(
  { track }: PlannedTrack,
  startTicks: number,
  stretches: PlannedFile['stretches']['list'],
  fromMs: number,
  toMs: number,
): Uint8Array {
  const ticksAt = (ms: number): number => msToTicks(Math.max(0, ms - fromMs), track.timescale);
  return writeSegmentIndex({
    ...{ trackId: trackNumber(track.id), timescale: track.timescale, startTicks },
    stretches: stretches.map(({ startMs, sizeBytes }, index) => ({
      sizeBytes,
      durationTicks: Math.max(0, ticksAt(stretches[index + 1]?.startMs ?? toMs) - ticksAt(startMs)),
    })),
  });
}

/** The earliest of all tracks, in ticks of the one that has it. Compared by whole microseconds: ticks of UTC in two timescales cannot be multiplied. */
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
