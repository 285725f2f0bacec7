import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MAX_REFERENCES, segmentIndexBytes, writeSegmentIndex } from '../../media/containers/isobmff/segment-index.ts';
import { msToTicks, ticksToMsUp } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import { cutPieces, retainMedia, isLost, type MediaBytes, type Piece } from '../../segment/media-bytes.ts';
import { firstIndex } from '../../segment/segment-list.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { DESCRIPTION_ROOM_BYTES, freeBox } from './joined-fragment.ts';
import { PartFeed, type FedPart } from '../part-feed.ts';
import type { TakeRoom } from '../take-room.ts';
import { FormatList, needsOtherEntry, type FileFormats } from './file-formats.ts';
import { presentedFromMs, startFile, joinedRow, ownSets, type StartedFile, type FileSegment } from './started-file.ts';

/** Number of segments processed in one turn of the event loop. */
const SEGMENTS_A_TURN = 500;

/** Bytes in memory per byte of the joined segments: as read, and joined. */
const COPIES = 2;

/** Shared limits of reading. */
interface ReadOptions {
  /** Waits for memory for the segments of a number. */
  readonly room?: TakeRoom;
}

/** The segments of one number. */
interface Row {
  /** On the timeline of the window. */
  readonly startMs: number;
  readonly sizeBytes: number;
}

/**
 * A window that never changes, as one fragmented MP4 of known length that can be read in any range: `ftyp`, `moov`, an
 * index per track (`sidx`), and one fragment for the chunks of each segment number, so that players find a time without
 * reading everything before it. If pictures have several formats, the first picture of each segment brings its
 * parameter sets along, and players seek to it. Other changes of a format are further sample descriptions or tracks
 * (`FormatList`).
 */
export class WholeMp4 {
  readonly sizeBytes: number;
  /** Identifies these bytes among all versions of an address (`ETag`, RFC 9110, 8.8.3). */
  readonly etag: string;
  /** End on the timeline of the window, in milliseconds, and its reason. */
  readonly end: { readonly reason: 'end' | 'format'; readonly toMs: number };
  readonly #window: SegmentWindow;
  readonly #feed: PartFeed;
  readonly #file: StartedFile;
  readonly #isMixed: boolean;
  readonly #formats: Listed['formats'];
  readonly #head: Uint8Array;
  readonly #firstMsn: number;
  /** First byte of each segment number, and the end of the last. */
  readonly #offsets: Float64Array;

  private constructor(window: SegmentWindow, feed: PartFeed, file: StartedFile, listed: Listed) {
    this.#window = window;
    this.#feed = feed;
    this.#file = file;
    this.#isMixed = listed.isMixed;
    this.#formats = listed.formats;
    this.end = listed.end;
    this.#firstMsn = listed.firstMsn;
    const { rows } = listed;
    const fileHead = file.head.pieces.flatMap((piece) => ('bytes' in piece ? [piece.bytes] : []));
    this.#head = Buffer.concat([...fileHead, indexOf(file, listed)]);
    this.#offsets = new Float64Array(rows.length + 1);
    let at = this.#head.length;
    for (const [index, { sizeBytes }] of rows.entries()) {
      this.#offsets[index] = at;
      at += sizeBytes;
    }
    this.#offsets[rows.length] = at;
    this.sizeBytes = at;
    const hash = createHash('sha256').update(this.#head).update(String(rows[0]?.startMs));
    this.etag = `"${hash.digest('base64url').slice(0, 22)}"`;
  }

  /**
   * Examines all segments, some per turn; reads only the media at the starts of the tracks. Rejects with the error of a
   * file.
   * @returns undefined for a window that may change, is empty, or has more segments than an index can list
   */
  static async of(window: SegmentWindow): Promise<WholeMp4 | undefined> {
    if (window.mutability !== 'static') return undefined;
    const feed = new PartFeed(window);
    const first = feed.next();
    if (typeof first === 'string') return undefined;
    const listed = await list(window, feed, first);
    if (!listed) return undefined;
    const durationMs = Math.max(0, listed.end.toMs - listed.fromMs);
    const file = await startFile(window, feed, first, durationMs, listed.formats.tracks);
    return new WholeMp4(window, feed, file, listed);
  }

  /**
   * The bytes from `first` up to `end`, piece by piece; each piece is held until the next one is requested. Missing or
   * damaged media is a gap. Rejects with any other error of a file.
   */
  async *read(
    first = 0,
    end = this.sizeBytes,
    { room }: ReadOptions = {},
  ): AsyncGenerator<MediaBytes, void, undefined> {
    if (first < this.#head.length) yield asMedia(this.#head.subarray(first, end));
    const rows = this.#offsets.length - 1;
    let row = Math.max(
      0,
      firstIndex(rows, (index) => (this.#offsets[index + 1] ?? 0) > first),
    );
    for (; row < rows && (this.#offsets[row] ?? end) < end; row++) {
      const at = this.#offsets[row] ?? 0;
      const rowBytes = (this.#offsets[row + 1] ?? 0) - at;
      const [from, to] = [Math.max(first - at, 0), Math.min(end - at, rowBytes)];
      if (from >= to) continue;
      const segments = this.#segmentsOf(this.#firstMsn + row);
      const done = retainMedia(segments.flatMap(({ entry }) => entry.segment.parts));
      let giveBack: (() => void) | undefined;
      try {
        giveBack = await room?.(rowBytes * COPIES);
        const pieces = await this.#rowOf(segments, rowBytes);
        yield { sizeBytes: to - from, pieces: from === 0 && to === rowBytes ? pieces : cutPieces(pieces, from, to) };
      } finally {
        done();
        giveBack?.();
      }
    }
  }

  /** Bytes of a row. The index states its size, so missing or damaged media becomes a box that players skip. */
  async #rowOf(segments: readonly FileSegment[], rowBytes: number): Promise<readonly Piece[]> {
    try {
      return await joinedRow(segments, this.#file);
    } catch (error) {
      if (isLost(error)) return [{ bytes: freeBox(rowBytes) }];
      throw error;
    }
  }

  /** The segments of a number. */
  #segmentsOf(msn: number): readonly FileSegment[] {
    return this.#feed.trackIds.flatMap((id) => {
      const entry = this.#window.segmentByMsn(id, msn);
      const track = this.#feed.trackOf(id, entry);
      const place = track && this.#formats.find(id, track);
      if (!place || !entry || entry.segment.parts.length === 0) return [];
      const descriptionIndex = place.track.formats.length > 1 ? place.description : undefined;
      const sets = this.#isMixed ? ownSets(track) : undefined;
      return [{ trackId: place.track.id, entry, sets, descriptionIndex }];
    });
  }
}

/** Properties of the file derived from the segments of a window. */
interface Listed {
  readonly firstMsn: number;
  /** Start of the presentation on the timeline of the window, in milliseconds. */
  readonly fromMs: number;
  readonly rows: readonly Row[];
  /** True if pictures have several formats. */
  readonly isMixed: boolean;
  readonly formats: FormatList;
  readonly end: WholeMp4['end'];
}

async function list(window: SegmentWindow, feed: PartFeed, first: FedPart): Promise<Listed | undefined> {
  const ids = feed.trackIds;
  const { msn: firstMsn } = first.entry;
  const lastMsn = Math.max(...ids.map((id) => window.lastSegment(id)?.msn ?? -1));
  if (lastMsn - firstMsn >= MAX_REFERENCES) return undefined;
  const formats = new FormatList(ids);
  for (const id of ids) {
    const track = feed.trackAt(id, firstMsn);
    if (track) formats.add(id, track);
  }
  const rows: Row[] = [];
  /** Bytes of parameter sets in each row, if there are several formats. */
  const setsBytes: number[] = [];
  /** Tracks of the file with media in each row. */
  const own: (readonly FileFormats[])[] = [];
  const roomBytes = (index: number): number =>
    (own[index] ?? []).filter((track) => track.formats.length > 1).length * DESCRIPTION_ROOM_BYTES +
    (isMixed ? (setsBytes[index] ?? 0) : 0);
  let isMixed = false;
  const listed = (end: WholeMp4['end']): Listed => ({
    firstMsn,
    fromMs: presentedFromMs(window, first.entry) ?? rows[0]?.startMs ?? 0,
    isMixed,
    end,
    formats,
    rows: rows.map((row, index) => ({ ...row, sizeBytes: row.sizeBytes + roomBytes(index) })),
  });
  let toMs = first.entry.startMs;
  for (let msn = firstMsn; msn <= lastMsn; msn++) {
    const entries = ids.flatMap((id) => window.segmentByMsn(id, msn) ?? []);
    let ownBytes = 0;
    const described: FileFormats[] = [];
    for (const entry of entries) {
      const { trackId, startTicks, durationTicks } = entry.segment;
      const track = feed.trackOf(trackId, entry);
      if (!track) continue;
      const place = formats.add(trackId, track);
      const format = place?.track.formats[place.description - 1];
      if (!format) return listed({ reason: 'format', toMs: entry.startMs });
      if (needsOtherEntry(format, track)) isMixed = true;
      if (entry.segment.parts.length > 0) {
        ownBytes += ownSets(track)?.length ?? 0;
        described.push(place.track);
      }
      const endMs = ticksToMsUp(startTicks + durationTicks, track.timescale);
      toMs = Math.max(toMs, endMs - entry.segment.startMs + entry.startMs);
    }
    await Promise.all(entries.flatMap(({ segment }) => segment.parts.map(async ({ ready }) => ready?.())));
    const startMs = Math.min(...entries.map((entry) => entry.startMs));
    rows.push({
      startMs: entries.length > 0 ? startMs : (rows.at(-1)?.startMs ?? 0),
      sizeBytes: entries.reduce((sum, { segment }) => sum + segment.sizeBytes, 0),
    });
    setsBytes.push(ownBytes);
    own.push(described);
    if (rows.length % SEGMENTS_A_TURN === 0) await setImmediate();
  }
  return listed({ reason: 'end', toMs });
}

/** An index per track of the window: FFmpeg looks up the times of a track in its own index, of others in any. */
function indexOf({ tracks }: StartedFile, { rows, fromMs, end, formats }: Listed): Uint8Array {
  const later = new Set(formats.tracks.flatMap(({ id, generation }) => (generation > 0 ? [id] : [])));
  const all = [...tracks.values()].filter(({ track }) => !later.has(track.id));
  return Buffer.concat(
    all.map(({ track, startTicks }, at) => {
      // Times of the presentation, after the edit list (8.16.3).
      const ticksAt = (ms: number): number => msToTicks(Math.max(0, ms - fromMs), track.timescale);
      const ranges = rows.map(({ startMs, sizeBytes }, index) => {
        const from = index === 0 ? startTicks : Math.max(startTicks, ticksAt(startMs));
        const next = ticksAt(rows[index + 1]?.startMs ?? end.toMs);
        return { sizeBytes, durationTicks: Math.max(0, next - from) };
      });
      const laterBytes = (all.length - 1 - at) * segmentIndexBytes(rows.length);
      const { timescale } = track;
      return writeSegmentIndex({ trackId: trackNumber(track.id), timescale, startTicks, ranges }, laterBytes);
    }),
  );
}

function asMedia(bytes: Uint8Array): MediaBytes {
  return { sizeBytes: bytes.length, pieces: [{ bytes }] };
}
