import {
  chunkEnd,
  chunkStartTicks,
  placeChunk,
  PLACED_BYTES,
  type ChunkPlace,
} from '../../media/containers/isobmff/chunk-placing.ts';
import { writeFileHeader } from '../../media/containers/isobmff/init-segment.ts';
import { convertTicksDown, msToTicks, ticksToMsUp } from '../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { cutPieces, hold, readMedia, type MediaBytes, type Piece } from '../../segment/media-bytes.ts';
import type { ChangingWindow, SegmentWindow, TimeRange } from '../../segment/segment-window.ts';
import { changesOf } from '../changes.ts';
import { PartFeed, type FedPart, type PartFeedOptions } from '../part-feed.ts';

/** How a window is written as one file. */
export interface ProgressiveMp4Options extends PartFeedOptions {
  /** Ends the file in order: what was begun is whole. */
  readonly signal?: AbortSignal;
}

/** Why a file ended. */
export interface ProgressiveEnd {
  /** `end`: the stretch is over, or the signal came; `format`: a track is coded in another way from here on. */
  readonly reason: 'end' | 'format';
  /** Where it ended, or where the segment begins that it has no more, on the timeline of the window in milliseconds; undefined where it has nothing. */
  readonly toMs: number | undefined;
}

/** A track of the file. */
interface FileTrack {
  readonly track: Track;
  /** Times in the media of its first chunk, in its own ticks: of decoding, and of presentation; undefined where it begins later. */
  readonly start: { readonly dtsTicks: number; readonly ptsTicks: number } | undefined;
}

/** A file that has begun. */
interface BegunFile {
  /** Its tracks, and what is added to times of the media with which it began, in their ticks. */
  readonly tracks: ReadonlyMap<string, { readonly track: Track; readonly shiftTicks: number }>;
  /** Milliseconds from that media to the timeline of the window. */
  readonly shiftMs: number;
  readonly head: MediaBytes;
}

/**
 * A window, or a stretch of it, as one fragmented MP4 with all of its tracks: `ftyp` and `moov`, and then the chunks, in the order of time. Media is not
 * copied: of a chunk only the start is written anew, up to its time, which counts from the start of the file (players show 57 years otherwise). What it
 * was stays in `prft`. A live window goes on until the signal; any one ends where a track is coded in another way, in order: players know one sample
 * entry a track.
 *
 * Each piece is held until the next one is asked for, and waits that long: a slow reader keeps no more than that. Of a live window
 * what has gone meanwhile is missing. Nothing at all comes of a window that has no media in the stretch. Raises what keeps a file from being read.
 */
export async function* progressiveMp4(
  window: ChangingWindow,
  options: ProgressiveMp4Options = {},
): AsyncGenerator<MediaBytes, ProgressiveEnd, undefined> {
  const feed = new PartFeed(window, options);
  const changes = changesOf(window, options.signal);
  let file: BegunFile | undefined;
  let toMs: number | undefined;
  try {
    for (;;) {
      const fed = changes.isOver ? 'end' : feed.next();
      if (fed === 'end') return { reason: 'end', toMs };
      if (fed === 'wait') {
        await changes.next();
        continue;
      }
      const done = hold([fed.part]);
      try {
        if (!file) {
          file = await begin(window, feed, fed, options.range);
          yield file.head;
        }
        const known = file.tracks.get(fed.trackId);
        // A track that came later is not in the file.
        if (!known) continue;
        if (needsOtherEntry(known.track, fed.track)) return { reason: 'format', toMs: fed.entry.startMs };
        toMs = Math.max(toMs ?? 0, endOf(fed));
        const shift = ticksOf(fed.shiftMs - file.shiftMs, known.track) + known.shiftTicks;
        yield await placed(fed, known.track, shift);
      } finally {
        done();
      }
    }
  } finally {
    changes.close();
  }
}

/** Reads where the tracks begin, which only the chunks say. */
async function begin(
  window: SegmentWindow,
  feed: PartFeed,
  first: FedPart,
  range: TimeRange | undefined,
): Promise<BegunFile> {
  const tracks: FileTrack[] = [];
  // What is looked at here may have left a live window before it is read.
  const firsts = feed.trackIds.map((id) => ({ id, entry: window.segmentByMsn(id, first.entry.msn) }));
  const done = hold(firsts.flatMap(({ entry }) => entry?.segment.parts.slice(0, 1) ?? []));
  try {
    const durationMs = durationOf(window, feed, range);
    const formats = firsts.map(({ id, entry }) => ({
      entry,
      part: entry?.segment.parts[0],
      track: feed.trackOf(id, entry),
    }));
    for (const { entry, part, track } of formats) {
      if (!track) continue;
      const dtsTicks = part && chunkStartTicks(await readMedia(startOf(part)));
      const start = entry && dtsTicks !== undefined ? { dtsTicks, ptsTicks: entry.segment.startTicks } : undefined;
      tracks.push({ track, start });
    }
    return { shiftMs: first.shiftMs, ...beginWith(tracks, durationMs) };
  } finally {
    done();
  }
}

function beginWith(tracks: readonly FileTrack[], durationMs: number | undefined): Pick<BegunFile, 'tracks' | 'head'> {
  const from = earliest(tracks, 'dtsTicks');
  const shown = earliest(tracks, 'ptsTicks');
  const [leader, ...others] = tracks.map(({ track }) => track);
  if (!leader) throw new RangeError('a file has a track');
  const starts = tracks.map(({ track }) => convertTicksDown(from.ticks, from.timescale, track.timescale));
  // Pictures that are decoded before they are shown: the presentation begins with the first one that is shown.
  const startTicks = tracks.map(({ track }, index) =>
    Math.max(0, convertTicksDown(shown.ticks, shown.timescale, track.timescale) - (starts[index] ?? 0)),
  );
  const bytes = writeFileHeader([leader, ...others], { startTicks, durationMs });
  return {
    tracks: new Map(tracks.map(({ track }, index) => [track.id, { track, shiftTicks: -(starts[index] ?? 0) }])),
    head: { sizeBytes: bytes.length, pieces: [{ bytes }] },
  };
}

/** The earliest start of all tracks, in ticks of the one that has it. Compared by whole microseconds: ticks of UTC in two timescales cannot be multiplied. */
function earliest(tracks: readonly FileTrack[], time: 'dtsTicks' | 'ptsTicks'): { ticks: number; timescale: number } {
  let best = { ticks: 0, timescale: 1 };
  let bestMicroseconds = Infinity;
  for (const { track, start } of tracks) {
    if (!start) continue;
    const microseconds = convertTicksDown(start[time], track.timescale, 1_000_000);
    if (microseconds >= bestMicroseconds) continue;
    bestMicroseconds = microseconds;
    best = { ticks: start[time], timescale: track.timescale };
  }
  return best;
}

/** Ticks of a shift in either direction. */
function ticksOf(shiftMs: number, { timescale }: Track): number {
  return Math.sign(shiftMs) * msToTicks(Math.abs(shiftMs), timescale);
}

/** How long a file is going to be, in milliseconds; undefined where it is not known. */
function durationOf(window: SegmentWindow, feed: PartFeed, range: TimeRange | undefined): number | undefined {
  const bounds = window.bounds();
  if (!bounds || feed.firstMsn === undefined) return undefined;
  const first = feed.trackIds.map((id) => window.segmentByMsn(id, feed.firstMsn ?? 0)).find((entry) => entry);
  if (!first || (window.mutability !== 'static' && bounds.toMs < (range?.toMs ?? Infinity))) return undefined;
  return Math.max(0, Math.min(bounds.toMs, range?.toMs ?? Infinity) - first.startMs);
}

function endOf({ part, track, shiftMs }: FedPart): number {
  return ticksToMsUp(part.startTicks + part.durationTicks, track.timescale) + shiftMs;
}

/** Whether samples of one track cannot stand under the sample entry of the other. */
function needsOtherEntry(a: Track, b: Track): boolean {
  if (a === b) return false;
  const isSameSound =
    a.content !== 'audio' || (b.content === 'audio' && a.sampleRate === b.sampleRate && a.channels === b.channels);
  const isSame = a.codec === b.codec && a.timescale === b.timescale && isSameSound;
  return !isSame || Buffer.compare(a.decoderConfig, b.decoderConfig) !== 0;
}

/** The bytes of a chunk that say where it stands. */
function startOf({ pieces, sizeBytes }: MediaBytes): MediaBytes {
  const bytes = Math.min(PLACED_BYTES, sizeBytes);
  return { sizeBytes: bytes, pieces: cutPieces(pieces, 0, bytes) };
}

/** Chunks that lie one behind the other, as they stand in the file: one segment is in memory meanwhile. */
function allPlaced(bytes: Uint8Array, place: ChunkPlace): MediaBytes {
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = chunkEnd(bytes, at);
    const head = placeChunk(bytes.subarray(at, Math.min(end, at + PLACED_BYTES)), place);
    if (!head) throw new RangeError('the chunk has no time that the file could have');
    pieces.push({ bytes: head }, { bytes: bytes.subarray(at + head.length, end) });
    at = end;
  }
  return { sizeBytes: bytes.length, pieces };
}

/** A chunk as it stands in the file. */
async function placed({ part }: FedPart, { id }: Track, shiftTicks: number): Promise<MediaBytes> {
  if (part.hasManyChunks) return allPlaced(await readMedia(part), { shiftTicks, trackNumber: trackNumber(id) });
  const head = placeChunk(await readMedia(startOf(part)), { shiftTicks, trackNumber: trackNumber(id) });
  if (!head) throw new RangeError('the chunk has no time that the file could have');
  const rest = cutPieces(part.pieces, head.length, part.sizeBytes);
  return { sizeBytes: part.sizeBytes, pieces: [{ bytes: head }, ...rest] };
}
