import {
  chunkEnd,
  chunkStartTicks,
  moveChunk,
  MOVED_HEAD_BYTES,
  type ChunkPosition,
} from '../../media/containers/isobmff/move-chunk.ts';
import { writeFileHeader } from '../../media/containers/isobmff/init-segment.ts';
import type { FileFormats } from './file-formats.ts';
import { freeBox, joinChunks, roomOf, separateChunks } from './joined-fragment.ts';
import { inBandSets } from '../../media/codecs/nal/in-band-sets.ts';
import { convertTicksDown, msToTicks } from '../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { cutPieces, retainMedia, isLost, readMedia, type MediaBytes, type Piece } from '../../segment/media-bytes.ts';
import { type Part, type SegmentWindow, type WindowSegment } from '../../segment/segment-window.ts';
import type { FedPart, PartFeed } from '../part-feed.ts';

/** A track of the file. */
interface FileTrack {
  readonly track: Track;
  /**
   * Times in the media of its first chunk, in its own ticks: decoding and presentation time; undefined if it starts
   * later.
   */
  readonly start: { readonly dtsTicks: number; readonly ptsTicks: number } | undefined;
}

/** A track of a file that has been started. */
interface FileEntry {
  readonly track: Track;
  /** Start of its presentation after the edit list, in its ticks; 0 if it starts later. */
  readonly startTicks: number;
  /** Offset added to times of the media with which the file started. */
  readonly shiftTicks: number;
}

/** A file that has been started. */
export interface StartedFile {
  /** By the ids of the tracks in the file. */
  readonly tracks: ReadonlyMap<string, FileEntry>;
  /** Offset from that media to the timeline of the window, in milliseconds. */
  readonly shiftMs: number;
  readonly head: MediaBytes;
}

/**
 * Reads the starts of the tracks, which are only in the chunks.
 *
 * @param formats tracks of the file, if it has several formats; default: those at its start
 */
export async function startFile(
  window: SegmentWindow,
  feed: PartFeed,
  first: FedPart,
  durationMs: number | undefined,
  formats: readonly FileFormats[] = [],
): Promise<StartedFile> {
  const tracks: FileTrack[] = [];
  // The segments read here may have left a live window in the meantime.
  const firsts = feed.trackIds.map((id) => ({ id, entry: window.segmentByMsn(id, first.entry.msn) }));
  const done = retainMedia(firsts.flatMap(({ entry }) => entry?.segment.parts.slice(0, 1) ?? []));
  try {
    const leading = firsts.map(({ id, entry }) => ({
      entry,
      part: entry?.segment.parts[0],
      track: feed.trackOf(id, entry),
    }));
    for (const { entry, part, track } of leading) {
      if (!track) continue;
      const dtsTicks = part && entry && (await firstTicks(window, entry, part));
      const start = entry && dtsTicks !== undefined ? { dtsTicks, ptsTicks: entry.segment.startTicks } : undefined;
      tracks.push({ track, start });
    }
    for (const { id, formats: descriptions, generation } of formats) {
      const [format] = descriptions;
      if (format && generation > 0) tracks.push({ track: { ...format, id }, start: undefined });
    }
    const fromMs = presentedFromMs(window, first.entry);
    const zeroMs = fromMs === undefined ? undefined : fromMs - first.shiftMs;
    return { shiftMs: first.shiftMs, ...startWith(tracks, { durationMs, zeroMs, formats }) };
  } finally {
    done();
  }
}

interface StartOptions {
  readonly durationMs: number | undefined;
  /** Time of the media at which the presentation starts; default: that of its first picture or sound. */
  readonly zeroMs: number | undefined;
  readonly formats: readonly FileFormats[];
}

/** Maximum number of damaged segments at the start of a file. */
const MAX_DAMAGED = 200;

/**
 * Decoding time of the first chunk of a segment. If that is damaged, it is estimated from its presentation time and the first
 * intact segment, so that the file starts with a gap. Rejects with the error of the file if there is none.
 */
async function firstTicks(window: SegmentWindow, entry: WindowSegment, part: Part): Promise<number | undefined> {
  const { trackId, startTicks } = entry.segment;
  let failure: { readonly error: unknown } | undefined;
  for (let msn = entry.msn; msn <= entry.msn + MAX_DAMAGED; msn++) {
    const other = msn === entry.msn ? entry : window.segmentByMsn(trackId, msn);
    const first = msn === entry.msn ? part : other?.segment.parts[0];
    if (!other) break;
    if (!first) continue;
    try {
      await first.ready?.();
      const dtsTicks = chunkStartTicks(await readMedia(startOf(first)));
      if (dtsTicks !== undefined) return dtsTicks + startTicks - other.segment.startTicks;
    } catch (error) {
      if (!isLost(error)) throw error;
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
  return undefined;
}

function startWith(
  tracks: readonly FileTrack[],
  { durationMs, zeroMs, formats }: StartOptions,
): Pick<StartedFile, 'tracks' | 'head'> {
  const zero = zeroMs === undefined ? undefined : { ticks: zeroMs, timescale: 1000 };
  const from = earliest(tracks, 'dtsTicks', zero);
  const shown = zero ?? earliest(tracks, 'ptsTicks');
  const [leader, ...others] = tracks.map(({ track }) => track);
  if (!leader) throw new RangeError('a file needs a track');
  const starts = tracks.map(({ track }) => convertTicksDown(from.ticks, from.timescale, track.timescale));
  // Some pictures are decoded before they are shown: the presentation starts with the first one that is shown.
  const startTicks = tracks.map(({ track }, index) =>
    Math.max(0, convertTicksDown(shown.ticks, shown.timescale, track.timescale) - (starts[index] ?? 0)),
  );
  const moreFormats = new Map(formats.map(({ id, formats: [, ...more] }) => [id, more]));
  const generations = new Map(formats.map(({ id, generation }) => [id, generation]));
  const bytes = writeFileHeader([leader, ...others], { startTicks, durationMs, moreFormats, generations });
  return {
    tracks: new Map(
      tracks.map(({ track, start }, index) => {
        const shiftTicks = -(starts[index] ?? 0);
        const presentedTicks = start ? start.ptsTicks + shiftTicks - (startTicks[index] ?? 0) : 0;
        return [track.id, { track, startTicks: Math.max(0, presentedTicks), shiftTicks }];
      }),
    ),
    head: { sizeBytes: bytes.length, pieces: [{ bytes }] },
  };
}

/**
 * Start of the presentation of a file, in milliseconds of its window: media before it is there to be decoded only, and
 * hidden by the edit list (ISO/IEC 14496-12, 8.6.6); a pause before the media stays. Undefined for recorded or live
 * media, and for a range: it starts with its first media.
 */
export function presentedFromMs(window: SegmentWindow, first: WindowSegment): number | undefined {
  const { mutability, epochMs } = window;
  if (mutability !== 'static' || epochMs !== undefined) return undefined;
  const isStart = window.segmentByMsn(first.segment.trackId, first.msn - 1) === undefined;
  return isStart ? window.bounds()?.fromMs : undefined;
}

/** Time in a number of ticks per second. */
interface Ticks {
  readonly ticks: number;
  readonly timescale: number;
}

/**
 * Earliest start of all tracks, in ticks of its track, or `latest` if that is earlier. Compared in whole microseconds:
 * products of UTC ticks in two timescales are too large.
 */
function earliest(tracks: readonly FileTrack[], time: 'dtsTicks' | 'ptsTicks', latest?: Ticks): Ticks {
  let best = latest ?? { ticks: 0, timescale: 1 };
  let bestMicroseconds = latest ? convertTicksDown(latest.ticks, latest.timescale, 1_000_000) : Infinity;
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

const setsOf = new WeakMap<Track, Uint8Array>();

/** Parameter sets of pictures, as stored in their key pictures in a file of several formats; none for sound. */
export function ownSets(track: Track): Uint8Array | undefined {
  if (track.content !== 'video') return undefined;
  const known = setsOf.get(track);
  if (known) return known;
  const sets = inBandSets(track)?.bytes;
  if (sets) setsOf.set(track, sets);
  return sets;
}

/** Bytes of a chunk that contain its position. */
function startOf({ pieces, sizeBytes }: MediaBytes): MediaBytes {
  const bytes = Math.min(MOVED_HEAD_BYTES, sizeBytes);
  return { sizeBytes: bytes, pieces: cutPieces(pieces, 0, bytes) };
}

/** Consecutive chunks as stored in the file; one segment at a time is in memory. */
function movedChunks(bytes: Uint8Array, place: ChunkPosition): MediaBytes {
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = chunkEnd(bytes, at);
    const head = moveChunk(bytes.subarray(at, Math.min(end, at + MOVED_HEAD_BYTES)), place);
    if (!head) throw new RangeError('the time of the chunk is outside the file');
    pieces.push({ bytes: head }, { bytes: bytes.subarray(at + head.length, end) });
    at = end;
  }
  return { sizeBytes: bytes.length, pieces };
}

/**
 * A chunk as stored in a file.
 * @param shiftMs offset from its media to the timeline of the window, in milliseconds
 * @param sets parameter sets stored before its first picture
 */
export async function movedChunk(
  part: Part,
  shiftMs: number,
  file: StartedFile,
  trackId: string,
  sets?: Uint8Array,
): Promise<MediaBytes> {
  const place = positionOf(shiftMs, file, trackId);
  await part.ready?.();
  const joined = sets && joinChunks([{ ...place, bytes: await readMedia(part), prefix: sets }]);
  if (joined) return { sizeBytes: part.sizeBytes + sets.length, pieces: joined.map((bytes) => ({ bytes })) };
  if (part.hasManyChunks) return movedChunks(await readMedia(part), place);
  const head = moveChunk(await readMedia(startOf(part)), place);
  if (!head) throw new RangeError('the time of the chunk is outside the file');
  const rest = cutPieces(part.pieces, head.length, part.sizeBytes);
  return { sizeBytes: part.sizeBytes, pieces: [{ bytes: head }, ...rest] };
}

/** A segment of the file. */
export interface FileSegment {
  /** Id of its track in the file. */
  readonly trackId: string;
  readonly entry: WindowSegment;
  /** Parameter sets stored before its first picture. */
  readonly sets: Uint8Array | undefined;
  /** Number of its sample description, if the file has several. */
  readonly descriptionIndex?: number | undefined;
}

/**
 * Segments of one number as stored in a file: one fragment, as long as they, their parameter sets and the rooms for
 * descriptions together. Chunks that cannot share a fragment have one each.
 */
export async function joinedRow(segments: readonly FileSegment[], file: StartedFile): Promise<readonly Piece[]> {
  const tracks = await Promise.all(
    segments.map(async ({ trackId, entry: { segment, startMs }, sets, descriptionIndex }) => {
      const bytes = await Promise.all(
        segment.parts.map(async (part) => {
          await part.ready?.();
          return readMedia(part);
        }),
      );
      const [one] = bytes;
      const place = positionOf(startMs - segment.startMs, file, trackId);
      const all = one && bytes.length === 1 ? one : Buffer.concat(bytes);
      return { ...place, bytes: all, prefix: sets, descriptionIndex };
    }),
  );
  const joined = joinChunks(tracks) ?? separateChunks(tracks);
  if (joined) return joined.map((bytes) => ({ bytes }));
  return tracks.flatMap((track) => {
    const room = roomOf(track);
    // With another description it would be decoded wrongly.
    if ((track.descriptionIndex ?? 1) > 1) return [{ bytes: freeBox(track.bytes.length + room) }];
    return [...movedChunks(track.bytes, track).pieces, ...(room > 0 ? [{ bytes: freeBox(room) }] : [])];
  });
}

function positionOf(shiftMs: number, file: StartedFile, trackId: string): ChunkPosition {
  const { track, shiftTicks } = file.tracks.get(trackId) as FileEntry;
  return { shiftTicks: ticksOf(shiftMs - file.shiftMs, track) + shiftTicks, trackNumber: trackNumber(trackId) };
}
