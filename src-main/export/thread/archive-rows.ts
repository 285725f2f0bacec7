import { GAP, piecesOf, endMsOf, type BlockTable, type TrackRows } from '../../dvr/window/block-table.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { Track } from '../../media/track.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import type { WindowSplice } from '../../segment/segment-window.ts';

/** Media of one track in a row: consecutive CMAF chunks. */
export interface RowChunks {
  readonly track: Track;
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly sizeBytes: number;
  /** Positions of the chunks, in order. */
  readonly file: MediaFile;
  readonly pieces: readonly { readonly offset: number; readonly sizeBytes: number }[];
}

/** Segments of all tracks that cover the same time. */
export interface ArchiveRow {
  /** Increases by one per row. */
  readonly number: number;
  /** Epoch milliseconds of the leading track. */
  readonly startMs: number;
  readonly endMs: number;
  /** Whether the row does not continue the previous row. */
  readonly isCut: boolean;
  /** Video first. Tracks without media are absent. */
  readonly chunks: readonly RowChunks[];
  /** Splice points of its block; the same object for all rows of a block. */
  readonly splices: readonly WindowSplice[];
}

/** Reads the tables of the blocks that have media in a time range, in order. */
export type ReadTables = (time: TimeRange) => Promise<readonly BlockTable[]>;

/** Time range of block tables in memory at once, in milliseconds. */
const SLICE_MS = 1_800_000;
/** Maximum duration of a segment that may extend into the time range, in milliseconds. */
const LEAD_MS = 120_000;
/** Maximum gap between rows that play without a cut, in milliseconds. */
const MAX_GAP_MS = 500;

/**
 * Yields the rows of an archive that overlap a time range, in order. Only the tables of half an hour are in memory at a time,
 * however long the range is. The tables have no overlapping times (`recordedOnce`).
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
        if (lastEndMs !== undefined && startMs < lastEndMs - MAX_GAP_MS) continue;
        const isGap = lastEndMs !== undefined && startMs - lastEndMs > MAX_GAP_MS;
        const chunks = chunksOf(table, row);
        if (chunks.length === 0) continue;
        lastStartMs = startMs;
        lastEndMs = endMs;
        const isCut = isGap || (number > 0 && table.cuts.includes(row));
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
