import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MOST_STRETCHES, writeSegmentIndex } from '../../media/containers/isobmff/segment-index.ts';
import { msToTicks, ticksToMsUp } from '../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { cutPieces, hold, type MediaBytes } from '../../segment/media-bytes.ts';
import { firstIndex } from '../../segment/segment-list.ts';
import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { PartFeed, type FedPart } from '../part-feed.ts';
import { beginFile, needsOtherEntry, placed, type BegunFile } from './begun-file.ts';

/** Segments that are looked at in one turn of the loop. */
const SEGMENTS_A_TURN = 500;

/** The segments of one number. */
interface Row {
  /** On the timeline of the window. */
  readonly startMs: number;
  readonly sizeBytes: number;
}

/**
 * A window that never changes, as one fragmented MP4 of known length, any range of which can be read: `ftyp`, `moov`, an index of all segments (`sidx`), and the
 * chunks of one segment number behind those of the one before, so that players find a time without reading what lies before it. It
 * ends where a track is coded in another way: players know one sample entry a track.
 */
export class WholeMp4 {
  readonly sizeBytes: number;
  /** Names these bytes among all that an address may have (`ETag`, RFC 9110, 8.8.3). */
  readonly etag: string;
  /** Where it ends on the timeline of the window, in milliseconds, and why. */
  readonly end: { readonly reason: 'end' | 'format'; readonly toMs: number };
  readonly #window: SegmentWindow;
  readonly #file: BegunFile;
  readonly #head: Uint8Array;
  readonly #firstMsn: number;
  /** First byte of each segment number, and the end of the last. */
  readonly #offsets: Float64Array;

  private constructor(window: SegmentWindow, file: BegunFile, listed: Listed) {
    this.#window = window;
    this.#file = file;
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
   * Looks at all segments, some a turn; reads of the media where its tracks begin. Raises what keeps a file from being read.
   *
   * @returns undefined for a window that may change, has nothing, or has more segments than an index can name
   */
  static async of(window: SegmentWindow): Promise<WholeMp4 | undefined> {
    if (window.mutability !== 'static') return undefined;
    const feed = new PartFeed(window);
    const first = feed.next();
    if (typeof first === 'string') return undefined;
    const listed = await list(window, feed, first);
    if (!listed) return undefined;
    const startMs = listed.rows[0]?.startMs ?? 0;
    const file = await beginFile(window, feed, first, Math.max(0, listed.end.toMs - startMs));
    return new WholeMp4(window, file, listed);
  }

  /** The bytes from `first` up to `end`, piece by piece, each held until the next one is asked for. Raises what keeps a file from being read. */
  async *read(first = 0, end = this.sizeBytes): AsyncGenerator<MediaBytes, void, undefined> {
    if (first < this.#head.length) yield asMedia(this.#head.subarray(first, end));
    const rows = this.#offsets.length - 1;
    let row = Math.max(
      0,
      firstIndex(rows, (index) => (this.#offsets[index + 1] ?? 0) > first),
    );
    for (; row < rows && (this.#offsets[row] ?? end) < end; row++) {
      let at = this.#offsets[row] ?? 0;
      for (const { trackId, entry, part } of this.#chunksOf(this.#firstMsn + row)) {
        const [from, to] = [Math.max(first - at, 0), Math.min(end - at, part.sizeBytes)];
        at += part.sizeBytes;
        if (from >= to) continue;
        const done = hold([part]);
        try {
          const chunk = await placed(part, entry.startMs - entry.segment.startMs, this.#file, trackId);
          yield {
            sizeBytes: to - from,
            pieces: from === 0 && to === part.sizeBytes ? chunk.pieces : cutPieces(chunk.pieces, from, to),
          };
        } finally {
          done();
        }
      }
    }
  }

  /** The chunks of a segment number over all tracks, in the order of time. */
  #chunksOf(msn: number): readonly Pick<FedPart, 'trackId' | 'entry' | 'part'>[] {
    const chunks = [...this.#file.tracks].flatMap(([trackId, { track }]) => {
      const entry = this.#window.segmentByMsn(trackId, msn);
      return (entry?.segment.parts ?? []).map((part) => {
        const sinceMs = ((part.startTicks - (entry?.segment.startTicks ?? 0)) * 1000) / track.timescale;
        return { trackId, entry: entry as WindowSegment, part, atMs: (entry?.startMs ?? 0) + sinceMs };
      });
    });
    return chunks.sort((a, b) => a.atMs - b.atMs);
  }
}

/** What the segments of a window say of its file. */
interface Listed {
  readonly firstMsn: number;
  readonly rows: readonly Row[];
  readonly end: WholeMp4['end'];
}

async function list(window: SegmentWindow, feed: PartFeed, first: FedPart): Promise<Listed | undefined> {
  const ids = feed.trackIds;
  const { msn: firstMsn } = first.entry;
  const lastMsn = Math.max(...ids.map((id) => window.lastSegment(id)?.msn ?? -1));
  if (lastMsn - firstMsn >= MOST_STRETCHES) return undefined;
  const formats = new Map<string, Track>();
  const rows: Row[] = [];
  let toMs = first.entry.startMs;
  for (let msn = firstMsn; msn <= lastMsn; msn++) {
    const entries = ids.flatMap((id) => window.segmentByMsn(id, msn) ?? []);
    for (const entry of entries) {
      const { trackId, startTicks, durationTicks } = entry.segment;
      const track = feed.trackOf(trackId, entry);
      const known = formats.get(trackId) ?? feed.trackAt(trackId, firstMsn);
      if (!track || !known) continue;
      formats.set(trackId, known);
      if (needsOtherEntry(known, track)) return { firstMsn, rows, end: { reason: 'format', toMs: entry.startMs } };
      const endMs = ticksToMsUp(startTicks + durationTicks, track.timescale);
      toMs = Math.max(toMs, endMs - entry.segment.startMs + entry.startMs);
    }
    await Promise.all(entries.flatMap(({ segment }) => segment.parts.map(async ({ ready }) => ready?.())));
    const startMs = Math.min(...entries.map((entry) => entry.startMs));
    rows.push({
      startMs: entries.length > 0 ? startMs : (rows.at(-1)?.startMs ?? 0),
      sizeBytes: entries.reduce((sum, { segment }) => sum + segment.sizeBytes, 0),
    });
    if (rows.length % SEGMENTS_A_TURN === 0) await setImmediate();
  }
  return { firstMsn, rows, end: { reason: 'end', toMs } };
}

function indexOf({ tracks }: BegunFile, { rows, end }: Listed): Uint8Array {
  const [leader] = tracks.values();
  if (!leader) return new Uint8Array(0);
  const { track, startTicks } = leader;
  const ticksAt = (ms: number): number => msToTicks(Math.max(0, ms - (rows[0]?.startMs ?? 0)), track.timescale);
  const stretches = rows.map(({ startMs, sizeBytes }, index) => {
    const nextMs = rows[index + 1]?.startMs ?? end.toMs;
    return { sizeBytes, durationTicks: Math.max(0, ticksAt(nextMs) - ticksAt(startMs)) };
  });
  return writeSegmentIndex({ trackId: trackNumber(track.id), timescale: track.timescale, startTicks, stretches });
}

function asMedia(bytes: Uint8Array): MediaBytes {
  return { sizeBytes: bytes.length, pieces: [{ bytes }] };
}
