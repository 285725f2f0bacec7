import { GAP, piecesOf, endMsOf, type BlockTable, type TrackRows } from '../../dvr/window/block-table.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { Track } from '../../media/track.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import type { WindowSplice } from '../../segment/segment-window.ts';

/** The media of one track in a row: CMAF chunks, one behind the other. */
export interface RowChunks {
  readonly track: Track;
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly sizeBytes: number;
  /** Where they lie, in order. */
  readonly file: MediaFile;
  readonly pieces: readonly { readonly offset: number; readonly sizeBytes: number }[];
}

/** The segments of all tracks that cover the same time. */
export interface ArchiveRow {
  /** Counts up by one. */
  readonly number: number;
  /** Epoch milliseconds, of the leading track. */
  readonly startMs: number;
  readonly endMs: number;
  /** Whether it is no continuation of the row before it. */
  readonly isCut: boolean;
  /** Video first. Tracks without media are not among them. */
  readonly chunks: readonly RowChunks[];
  /** Splice points of its block; the same value for all rows of a block. */
  readonly splices: readonly WindowSplice[];
}

/** The tables of the blocks that have media in a time, in their order. */
export type ReadTables = (time: TimeRange) => Promise<readonly BlockTable[]>;

/** Blocks that are looked for at once, by their time in milliseconds: what of an archive is in memory. */
const SLICE_MS = 1_800_000;
/** A segment that has a moment of the time may begin so much earlier, in milliseconds. */
const LEAD_MS = 120_000;
/** What follows within this, in milliseconds, is a continuation. */
const HOLE_MS = 500;

/**
 * The rows of an archive that have a moment of a time, in their order: half an hour of tables is in memory, however long it is. Tables have each time
 * once (`recordedOnce`).
 */
export async function* archiveRows(tables: ReadTables, time: TimeRange): AsyncGenerator<ArchiveRow, void, undefined> {
  let number = 0;
  let lastStartMs = -Infinity;
  let lastEndMs: number | undefined;
  for (let fromMs = time.startMs - LEAD_MS; fromMs < time.endMs; fromMs += SLICE_MS) {
    const slice = { startMs: fromMs, endMs: Math.min(fromMs + SLICE_MS, time.endMs) };
    for (const table of await tables(slice)) {
      const { leader } = table;
      for (let row = 0; row < table.count; row++) {
        const startMs = leader.startMs[row] ?? 0;
        const endMs = endMsOf(leader, row);
        if (startMs >= time.endMs) break;
        // A block may be in two slices.
        if (endMs <= time.startMs || startMs <= lastStartMs || startMs >= slice.endMs) continue;
        if (lastEndMs !== undefined && startMs < lastEndMs - HOLE_MS) continue;
        const isHole = lastEndMs !== undefined && startMs - lastEndMs > HOLE_MS;
        const chunks = chunksOf(table, row);
        if (chunks.length === 0) continue;
        lastStartMs = startMs;
        lastEndMs = endMs;
        const isCut = isHole || (number > 0 && table.cuts.includes(row));
        yield { number, startMs, endMs, isCut, chunks, splices: table.splices };
        number++;
      }
    }
  }
}

function chunksOf({ tracks, file }: BlockTable, row: number): RowChunks[] {
  const chunks: RowChunks[] = [];
  for (const rows of tracks.values()) if (hasMedia(rows, row)) chunks.push(chunkOf(rows, row, file));
  return chunks;
}

function hasMedia({ count, flags }: TrackRows, row: number): boolean {
  return row < count && ((flags[row] ?? 0) & GAP) === 0;
}

function chunkOf(rows: TrackRows, row: number, file: MediaFile): RowChunks {
  return {
    track: rows.track,
    file,
    pieces: piecesOf(rows, row),
    startTicks: rows.startTicks[row] ?? 0,
    durationTicks: rows.durationTicks[row] ?? 0,
    sizeBytes: rows.sizeBytes[row] ?? 0,
  };
}
