import {
  chunkEnd,
  chunkStartTicks,
  moveChunk,
  MOVED_HEAD_BYTES,
  type ChunkPosition,
} from '../../media/containers/isobmff/move-chunk.ts';
import { writeFileHeader } from '../../media/containers/isobmff/init-segment.ts';
import type { FileFormats } from './file-formats.ts';
import { freeBox, joinChunks, extraBytesOf, separateChunks } from './joined-fragment.ts';
import { inBandSets } from '../../media/codecs/nal/in-band-sets.ts';
import { convertTicksDown, msToTicks } from '../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { cutPieces, retainMedia, isLost, readMedia, type MediaBytes, type Piece } from '../../segment/media-bytes.ts';
import { type Part, type SegmentWindow, type WindowSegment } from '../../segment/segment-window.ts';
import type { FedPart, PartFeed } from '../part-feed.ts';

/** A track of the file, and the times of its first chunk. */
interface FileTrack {
  readonly track: Track;
  /** Decoding and presentation time of the first chunk, in ticks of the track; undefined if it starts after the file. */
  readonly start: { readonly dtsTicks: number; readonly ptsTicks: number } | undefined;
}

/** A track of a started file, with the offsets of its times. */
interface FileEntry {
  readonly track: Track;
  /** Start of its presentation after the edit list, in ticks of the track; 0 if the track starts after the file. */
  readonly startTicks: number;
  /** Added to times of the first media to get times of the file, in ticks of the track. */
  readonly shiftTicks: number;
}

/** Head of a file and the time offsets of its tracks, which all later chunks need. */
export interface StartedFile {
  /** Tracks by their id in the file. */
  readonly tracks: ReadonlyMap<string, FileEntry>;
  /** Added to times of the first media to get times of the window, in milliseconds. */
  readonly shiftMs: number;
  /** `ftyp` and `moov`. */
  readonly head: MediaBytes;
}

/**
 * Starts a file: reads the first decoding times of the tracks, which only the chunks contain, and writes the head.
 * Rejects with the error of a file, and with a `RangeError` if there is no track.
 *
 * @param first first part of the file
 * @param durationMs duration for the head; undefined if unknown
 * @param formats formats of the tracks if the file describes several; default: the format of each track at the start
 */
export async function startFile(
  window: SegmentWindow,
  feed: PartFeed,
  first: FedPart,
  durationMs: number | undefined,
  formats: readonly FileFormats[] = [],
): Promise<StartedFile> {
  const tracks: FileTrack[] = [];
  // Retained, because a live window may drop the segments while they are read.
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

/** Maximum number of damaged segments that are skipped to find a decoding time. */
const MAX_DAMAGED = 200;

/**
 * Decoding time of the first chunk of a segment, in ticks of its track. If the chunk is damaged, the time is estimated
 * from its presentation time and the next intact segment, so that the file starts with a gap. Rejects with the error of
 * the file if no segment is intact.
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
  const shown = zero ?? earliest(tracks);
  const [leader, ...others] = tracks.map(({ track }) => track);
  if (!leader) throw new RangeError('a file needs a track');
  // Some pictures are decoded before they are shown: their track starts earlier, and its edit list hides that time. Other
  // tracks start with the presentation, because FFmpeg, and thus Chromium, adds their hidden time to the duration. It also
  // adds the delay of a track that starts later; an empty edit prevents that, but ExoPlayer would lose the delay.
  const shownTicks = tracks.map(({ track }) => convertTicksDown(shown.ticks, shown.timescale, track.timescale));
  const startTicks = tracks.map(({ start }, index) =>
    start ? Math.max(0, (shownTicks[index] ?? 0) - start.dtsTicks) : 0,
  );
  const moreFormats = new Map(formats.map(({ id, formats: [, ...more] }) => [id, more]));
  const generations = new Map(formats.map(({ id, generation }) => [id, generation]));
  const bytes = writeFileHeader([leader, ...others], { startTicks, durationMs, moreFormats, generations });
  return {
    tracks: new Map(
      tracks.map(({ track, start }, index) => {
        const shiftTicks = (startTicks[index] ?? 0) - (shownTicks[index] ?? 0);
        const presentedTicks = start ? start.ptsTicks - (shownTicks[index] ?? 0) : 0;
        return [track.id, { track, startTicks: Math.max(0, presentedTicks), shiftTicks }];
      }),
    ),
    head: { sizeBytes: bytes.length, pieces: [{ bytes }] },
  };
}

/**
 * Start of the presentation of a complete file of `vod`, in milliseconds of its window. Earlier media is only decoded:
 * the edit list hides it (ISO/IEC 14496-12, 8.6.6). A pause before the first media stays. Undefined for recorded or
 * live media and for a range, whose presentation starts with the first media.
 */
export function presentedFromMs(window: SegmentWindow, first: WindowSegment): number | undefined {
  const { mutability, epochMs } = window;
  if (mutability !== 'static' || epochMs !== undefined) return undefined;
  const isStart = window.segmentByMsn(first.segment.trackId, first.msn - 1) === undefined;
  return isStart ? window.bounds()?.fromMs : undefined;
}

/** A time in ticks, with its timescale (ticks per second). */
interface Ticks {
  readonly ticks: number;
  readonly timescale: number;
}

/**
 * Earliest presentation time of all tracks, in ticks of that track. Times are compared in whole microseconds, because
 * products of UTC ticks in two timescales exceed the range of exact integers.
 */
function earliest(tracks: readonly FileTrack[]): Ticks {
  let best = { ticks: 0, timescale: 1 };
  let bestMicroseconds = Infinity;
  for (const { track, start } of tracks) {
    if (!start) continue;
    const microseconds = convertTicksDown(start.ptsTicks, track.timescale, 1_000_000);
    if (microseconds >= bestMicroseconds) continue;
    bestMicroseconds = microseconds;
    best = { ticks: start.ptsTicks, timescale: track.timescale };
  }
  return best;
}

/** Converts an offset, which may be negative, to ticks of a track. */
function ticksOf(shiftMs: number, { timescale }: Track): number {
  return Math.sign(shiftMs) * msToTicks(Math.abs(shiftMs), timescale);
}

const setsOf = new WeakMap<Track, Uint8Array>();

/** Parameter sets of a track, as stored before a key frame in a file of several formats; undefined for sound. */
export function parameterSetsOf(track: Track): Uint8Array | undefined {
  if (track.content !== 'video') return undefined;
  const cached = setsOf.get(track);
  if (cached) return cached;
  const sets = inBandSets(track)?.bytes;
  if (sets) setsOf.set(track, sets);
  return sets;
}

/** First bytes of a chunk, which contain its track number and its time. */
function startOf({ pieces, sizeBytes }: MediaBytes): MediaBytes {
  const bytes = Math.min(MOVED_HEAD_BYTES, sizeBytes);
  return { sizeBytes: bytes, pieces: cutPieces(pieces, 0, bytes) };
}

/** Consecutive chunks as stored in the file, from the bytes of a complete segment. */
function movedChunks(bytes: Uint8Array, position: ChunkPosition): MediaBytes {
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = chunkEnd(bytes, at);
    const head = moveChunk(bytes.subarray(at, Math.min(end, at + MOVED_HEAD_BYTES)), position);
    if (!head) throw new RangeError('the time of the chunk is outside the file');
    pieces.push({ bytes: head }, { bytes: bytes.subarray(at + head.length, end) });
    at = end;
  }
  return { sizeBytes: bytes.length, pieces };
}

/**
 * A part as stored in a file. Only its start is read, unless it has several chunks or needs parameter sets. Throws a
 * `RangeError` if its time is before the file.
 *
 * @param shiftMs added to times of its media to get times of the window, in milliseconds
 * @param sets parameter sets to store before its first picture
 */
export async function movedChunk(
  part: Part,
  shiftMs: number,
  file: StartedFile,
  trackId: string,
  sets?: Uint8Array,
): Promise<MediaBytes> {
  const position = positionOf(shiftMs, file, trackId);
  await part.ready?.();
  const joined = sets && joinChunks([{ ...position, bytes: await readMedia(part), prefix: sets }]);
  if (joined) return { sizeBytes: part.sizeBytes + sets.length, pieces: joined.map((bytes) => ({ bytes })) };
  if (part.hasManyChunks) return movedChunks(await readMedia(part), position);
  const head = moveChunk(await readMedia(startOf(part)), position);
  if (!head) throw new RangeError('the time of the chunk is outside the file');
  const rest = cutPieces(part.pieces, head.length, part.sizeBytes);
  return { sizeBytes: part.sizeBytes, pieces: [{ bytes: head }, ...rest] };
}

/** A segment of one track of the file. */
export interface FileSegment {
  /** Id of its track in the file. */
  readonly trackId: string;
  readonly entry: WindowSegment;
  /** Parameter sets to store before its first picture. */
  readonly sets: Uint8Array | undefined;
  /** Number of its sample description, if the file has several. */
  readonly descriptionIndex?: number | undefined;
}

/**
 * Segments with one media sequence number as stored in a file: one fragment, which is as long as the chunks and their
 * extra bytes (`extraBytesOf`) together. Chunks that cannot share a fragment become one fragment each.
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
      const position = positionOf(startMs - segment.startMs, file, trackId);
      const all = one && bytes.length === 1 ? one : Buffer.concat(bytes);
      return { ...position, bytes: all, prefix: sets, descriptionIndex };
    }),
  );
  const joined = joinChunks(tracks) ?? separateChunks(tracks);
  if (joined) return joined.map((bytes) => ({ bytes }));
  return tracks.flatMap((track) => {
    const extraBytes = extraBytesOf(track);
    // A moved chunk has the first description, with which this media would be decoded wrongly: leave it out.
    if ((track.descriptionIndex ?? 1) > 1) return [{ bytes: freeBox(track.bytes.length + extraBytes) }];
    return [...movedChunks(track.bytes, track).pieces, ...(extraBytes > 0 ? [{ bytes: freeBox(extraBytes) }] : [])];
  });
}

/** Position in the file of chunks whose media is `shiftMs` before the timeline of the window. */
function positionOf(shiftMs: number, file: StartedFile, trackId: string): ChunkPosition {
  const { track, shiftTicks } = file.tracks.get(trackId) as FileEntry;
  return { shiftTicks: ticksOf(shiftMs - file.shiftMs, track) + shiftTicks, trackNumber: trackNumber(trackId) };
}
