import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import type { WindowSplice } from '../../segment/segment-window.ts';
import type { BlockTrack } from '../block/block-head.ts';
import type { BlockIndex, BlockNumbers, BlockPiece, BlockSegment } from '../block/block-index.ts';

/** Content of a block, from the catalog or, while the block is written, from its writer. */
export interface BlockContent {
  /** Folder of the disk, and path of the file below it. */
  readonly disk: string;
  readonly path: string;
  readonly tracks: readonly BlockTrack[];
  readonly index: BlockIndex;
  /** Whether the block is complete. */
  readonly isFinished: boolean;
}

/** Segments of one track of a block in packed form, one row each. */
export interface TrackRows {
  readonly track: BlockTrack;
  /** Number of its init segment in addresses. */
  readonly initId: number;
  readonly count: number;
  /** Starts in ticks and in whole milliseconds, and durations in ticks. */
  readonly startTicks: Float64Array;
  readonly startMs: Float64Array;
  readonly durationTicks: Float64Array;
  readonly sizeBytes: Float64Array;
  /**
   * Bits: `GAP`, `CUT`, `INDEPENDENT`, `CAPTIONS`, `DAMAGED`, `INTACT`. Tables of different rows of a block share the
   * array.
   */
  readonly flags: Uint8Array;
  /** Index of the first piece of each row: the pieces of row `n` are `pieceAt[n]` up to `pieceAt[n + 1]`. */
  readonly pieceAt: Uint32Array;
  /** Offset and size of each piece. */
  readonly pieces: Float64Array;
}

/** Flags of a row: no media to load; discontinuity; starts with a random access point; has closed captions. */
export const GAP = 1;
const CUT = 2;
export const INDEPENDENT = 4;
export const CAPTIONS = 8;
/** Flags of a row: its chunks were found damaged, or intact. */
export const DAMAGED = 16;
export const INTACT = 32;

/**
 * Block in the form that windows need: some kilobytes, computed once from its index. Row `n` of all tracks covers the
 * same time, because blocks start at the same media sequence number in all tracks.
 */
export interface BlockTable {
  readonly disk: string;
  readonly path: string;
  readonly file: MediaFile;
  readonly isFinished: boolean;
  /** Row of the block that is row 0 of this table, if the table leaves out earlier rows. */
  readonly firstRow?: number;
  /** Archive numbers of row 0, if recorded. */
  readonly numbers: BlockNumbers | undefined;
  readonly tracks: ReadonlyMap<string, TrackRows>;
  /** Track that defines the start of each row: the first track that has all rows, video before audio. */
  readonly leader: TrackRows;
  /** Number of rows of the longest track. */
  readonly count: number;
  /** Rows that are discontinuities. */
  readonly cuts: readonly number[];
  readonly splices: readonly WindowSplice[];
  /** Called when a row is found damaged, with its start in epoch milliseconds. */
  readonly damaged?: ((startMs: number) => void) | undefined;
  /** Start of the first row and end of the last row, in epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Maximum number of rows by which a track of an open block may be behind the longest track. A track that is further
 * behind has ended.
 */
const MAX_LATE_ROWS = 3;

/** Table of a block; undefined if it has no playable segment yet. @param file source of its media */
export function tableOf(
  content: BlockContent,
  file: MediaFile,
  damaged?: BlockTable['damaged'],
): BlockTable | undefined {
  const { disk, path, index, isFinished } = content;
  const lists = content.tracks
    .map((track) => ({ track, segments: segmentsOf(content, track) }))
    .sort((a, b) => order(a.track) - order(b.track));
  const filled = lists.filter(({ segments }) => segments.length > 0);
  const counts = filled.map(({ segments }) => segments.length);
  const longest = Math.max(0, ...counts);
  // In an open block, all active tracks end at the same row.
  const count = isFinished ? longest : Math.min(...counts.filter((one) => one >= longest - MAX_LATE_ROWS));
  if (filled.length === 0 || count === 0) return undefined;
  const startMs = ticksToMs(filled[0]?.segments[0]?.startTicks ?? 0, filled[0]?.track.timescale ?? 1);
  const rows = filled.map(({ track, segments }) => rowsOf(track, segments.slice(0, count), startMs));
  const leader = rows.find((one) => one.count === count);
  if (!leader) return undefined;
  const cuts = new Set<number>();
  for (const { flags } of rows) for (const [row, flag] of flags.entries()) if (flag & CUT) cuts.add(row);
  return {
    disk,
    path,
    file,
    isFinished,
    leader,
    count,
    startMs,
    numbers: index.numbers,
    tracks: new Map(rows.map((one) => [one.track.id, one])),
    cuts: [...cuts].sort((a, b) => a - b),
    splices: index.splices,
    damaged,
    endMs: Math.max(...rows.map((one) => endMsOf(one, one.count - 1))),
  };
}

/** End of a row in epoch milliseconds. */
export function endMsOf({ startTicks, durationTicks, track }: TrackRows, row: number): number {
  return ticksToMs((startTicks[row] ?? 0) + (durationTicks[row] ?? 0), track.timescale);
}

/** Sort key: video first, then by number. */
function order({ id }: BlockTrack): number {
  return Number(id.slice(1)) + (id.startsWith('v') ? 0 : 10_000);
}

/** Segments of a track in time order: of an open block only complete segments, of a finished block also a cut last segment. */
function segmentsOf({ index, isFinished }: BlockContent, { id }: BlockTrack): BlockSegment[] {
  const number = trackNumber(id);
  const found: BlockSegment[] = [];
  let lastTicks = -1;
  for (const segment of index.segments) {
    if (segment.trackNumber !== number || segment.startTicks <= lastTicks) continue;
    if (!segment.isComplete && (!isFinished || segment.durationTicks === 0)) continue;
    lastTicks = segment.startTicks;
    found.push(segment);
  }
  return found;
}

function rowsOf(track: BlockTrack, segments: readonly BlockSegment[], blockStartMs: number): TrackRows {
  const count = segments.length;
  const rows = {
    track,
    // Blocks of the first versions have no init id. The second of their start is used instead.
    initId: track.initId ?? Math.floor(blockStartMs / 1000) % 1_000_000_000,
    count,
    startTicks: new Float64Array(count),
    startMs: new Float64Array(count),
    durationTicks: new Float64Array(count),
    sizeBytes: new Float64Array(count),
    flags: new Uint8Array(count),
    pieceAt: new Uint32Array(count + 1),
  };
  const offsetsAndSizes: number[] = [];
  for (let row = 0; row < count; row++) {
    const segment = segments[row] as BlockSegment;
    const { startTicks, durationTicks, pieces } = segment;
    rows.startTicks[row] = startTicks;
    rows.startMs[row] = ticksToMs(startTicks, track.timescale);
    rows.durationTicks[row] = durationTicks;
    rows.flags[row] =
      (segment.isGap || pieces.length === 0 ? GAP : 0) |
      (segment.isDiscontinuity ? CUT : 0) |
      (segment.isIndependent ? INDEPENDENT : 0) |
      (segment.hasCaptions ? CAPTIONS : 0);
    let bytes = 0;
    for (const { offset, sizeBytes } of pieces) {
      offsetsAndSizes.push(offset, sizeBytes);
      bytes += sizeBytes;
    }
    rows.sizeBytes[row] = bytes;
    rows.pieceAt[row + 1] = offsetsAndSizes.length / 2;
  }
  return { ...rows, pieces: Float64Array.from(offsetsAndSizes) };
}

/** Positions of the bytes of a row in the file. */
export function piecesOf({ pieceAt, pieces }: TrackRows, row: number): BlockPiece[] {
  const found: BlockPiece[] = [];
  for (let at = pieceAt[row] ?? 0; at < (pieceAt[row + 1] ?? 0); at++)
    found.push({ offset: pieces[at * 2] ?? 0, sizeBytes: pieces[at * 2 + 1] ?? 0 });
  return found;
}
