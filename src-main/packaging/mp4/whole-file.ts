import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MAX_REFERENCES, segmentIndexBytes, writeSegmentIndex } from '../../media/containers/isobmff/segment-index.ts';
import { msToTicks, ticksToMsUp } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import { cutPieces, retainMedia, isLost, type MediaBytes, type Piece } from '../../segment/media-bytes.ts';
import { firstIndex } from '../../segment/segment-list.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { DESCRIPTION_EXTRA_BYTES, freeBox } from './joined-fragment.ts';
import { PartFeed, type FedPart } from '../part-feed.ts';
import type { TakeRoom } from '../take-room.ts';
import { FormatList, needsOtherEntry, type FileFormats } from './file-formats.ts';
import {
  presentedFromMs,
  startFile,
  joinedRow,
  parameterSetsOf,
  type StartedFile,
  type FileSegment,
} from './started-file.ts';

/** Number of segments processed in one turn of the event loop. */
const SEGMENTS_A_TURN = 500;

/** Bytes of memory per byte of a row: one copy as read, and one copy in the fragment. */
const COPIES = 2;

/** Limits that all readers share. */
interface ReadOptions {
  /** Waits for memory for the segments with one media sequence number. */
  readonly room?: TakeRoom;
}

/** All segments with one media sequence number. They become one fragment of the file. */
interface Row {
  /** Start on the timeline of the window. */
  readonly startMs: number;
  readonly sizeBytes: number;
}

/**
 * A window that never changes, as one fragmented MP4 of known length that can be read in any range: `ftyp`, `moov`, an
 * index per track (`sidx`), and one fragment per media sequence number, so that players find a time without reading
 * everything before it. If pictures have several formats, the first picture of each segment contains its parameter
 * sets, and players seek to it. Other changes of a format are further sample descriptions or tracks (`FormatList`).
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
  /** Offset of each row in the file, and the end of the last row, in bytes. */
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
   * Lays the file out: examines all segments, some per turn of the event loop, and reads only the media at the starts
   * of the tracks. Rejects with the error of a file.
   *
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
   * Reads the bytes from `first` up to `end` (exclusive), piece by piece. Each piece stays in memory until the next one
   * is requested. Missing or damaged media is a gap. Rejects with any other error of a file.
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
      let release: (() => void) | undefined;
      try {
        release = await room?.(rowBytes * COPIES);
        const pieces = await this.#rowOf(segments, rowBytes);
        yield { sizeBytes: to - from, pieces: from === 0 && to === rowBytes ? pieces : cutPieces(pieces, from, to) };
      } finally {
        done();
        release?.();
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

  /** Segments with a media sequence number that have media. */
  #segmentsOf(msn: number): readonly FileSegment[] {
    return this.#feed.trackIds.flatMap((id) => {
      const entry = this.#window.segmentByMsn(id, msn);
      const track = this.#feed.trackOf(id, entry);
      const found = track && this.#formats.find(id, track);
      if (!found || !entry || entry.segment.parts.length === 0) return [];
      const descriptionIndex = found.track.formats.length > 1 ? found.description : undefined;
      const sets = this.#isMixed ? parameterSetsOf(track) : undefined;
      return [{ trackId: found.track.id, entry, sets, descriptionIndex }];
    });
  }
}

/** Layout of the file, derived from the segments of a window. */
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

/** Lists the rows of the file up to the end of the window, or up to a format that the file cannot describe. */
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
  const rowTracks: (readonly FileFormats[])[] = [];
  const extraBytes = (index: number): number =>
    (rowTracks[index] ?? []).filter((track) => track.formats.length > 1).length * DESCRIPTION_EXTRA_BYTES +
    (isMixed ? (setsBytes[index] ?? 0) : 0);
  let isMixed = false;
  const listed = (end: WholeMp4['end']): Listed => ({
    firstMsn,
    fromMs: presentedFromMs(window, first.entry) ?? rows[0]?.startMs ?? 0,
    isMixed,
    end,
    formats,
    rows: rows.map((row, index) => ({ ...row, sizeBytes: row.sizeBytes + extraBytes(index) })),
  });
  let toMs = first.entry.startMs;
  for (let msn = firstMsn; msn <= lastMsn; msn++) {
    const entries = ids.flatMap((id) => window.segmentByMsn(id, msn) ?? []);
    let rowSetsBytes = 0;
    const described: FileFormats[] = [];
    for (const entry of entries) {
      const { trackId, startTicks, durationTicks } = entry.segment;
      const track = feed.trackOf(trackId, entry);
      if (!track) continue;
      const added = formats.add(trackId, track);
      const format = added?.track.formats[added.description - 1];
      if (!format) return listed({ reason: 'format', toMs: entry.startMs });
      if (needsOtherEntry(format, track)) isMixed = true;
      if (entry.segment.parts.length > 0) {
        rowSetsBytes += parameterSetsOf(track)?.length ?? 0;
        described.push(added.track);
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
    setsBytes.push(rowSetsBytes);
    rowTracks.push(described);
    if (rows.length % SEGMENTS_A_TURN === 0) await setImmediate();
  }
  return listed({ reason: 'end', toMs });
}

/**
 * Writes an index per track of the window: FFmpeg looks up times of a track in the index of the track, and times of a
 * track without an index in the index of any track.
 */
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
