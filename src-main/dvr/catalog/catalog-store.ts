/** Time range in epoch milliseconds; the end is exclusive. */
export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Block in the catalog. */
export interface StoredBlock extends TimeRange {
  readonly stream: string;
  /** Folder of the disk, and path of the file below it. */
  readonly disk: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Whether the block does not continue the previous recording. */
  readonly isDiscontinuity: boolean;
  /** Tracks of the block as text (`printTracks`). */
  readonly tracks: string;
  /** Index of the block (`packIndex`). */
  readonly packedIndex: Uint8Array;
}

/** Added or removed block. */
export type StoredChange =
  | { readonly type: 'add'; readonly block: StoredBlock & { readonly storedRanges: readonly TimeRange[] } }
  | { readonly type: 'remove'; readonly disk: string; readonly path: string };

/**
 * Media ranges of blocks: three numbers per range, which are its start and end in epoch milliseconds and its block id
 * (from 0 on). A month has many ranges and they cross threads, so they are plain numbers.
 */
export type StoredRanges = Float64Array;
/** Numbers per range. */
export const RANGE_NUMBERS = 3;

/** Usage of a disk by a stream. */
export interface StoredUsage {
  readonly stream: string;
  readonly disk: string;
  readonly blocks: number;
  readonly bytes: number;
}

/** Extent of a stream on all disks. */
export interface StoredExtent extends TimeRange {
  readonly blocks: number;
  readonly bytes: number;
}

/**
 * Storage port of the catalog, on another thread. Each call is short and limited by its input or its limit. A query
 * sees all earlier changes.
 */
export interface CatalogStore {
  /** Stores changes in order, all or none. An existing block is replaced. */
  write(changes: readonly StoredChange[]): Promise<void>;
  /** Ranges that start before `toMs`, ordered by start and block id, from the first after `after`. */
  storedRanges(
    stream: string,
    after: { readonly startMs: number; readonly blockId: number },
    toMs: number,
    limit: number,
  ): Promise<StoredRanges>;
  /**
   * Start and end of ranges that start in a time range, ordered by start; cheaper than `storedRanges`.
   *
   * @returns `nextMs` if there may be more; ranges that start at `nextMs` may be included already
   */
  times(
    stream: string,
    fromMs: number,
    toMs: number,
    limit: number,
  ): Promise<{ readonly times: Float64Array; readonly nextMs?: number }>;
  /** Blocks by id, in that order; undefined for removed ones. */
  blocks(ids: readonly number[]): Promise<readonly (StoredBlock | undefined)[]>;
  /** Paths of the blocks of a stream on a disk between two paths (both exclusive), in order. */
  paths(stream: string, disk: string, after: string, before: string, limit: number): Promise<readonly string[]>;
  /** Time range and size of a block by its position; undefined if unknown. */
  find(disk: string, path: string): Promise<(TimeRange & { readonly sizeBytes: number }) | undefined>;
  /** Usage by stream and disk, ordered by stream name, from the first after `after`. */
  usage(after: { readonly stream: string; readonly disk: string }, limit: number): Promise<readonly StoredUsage[]>;
  /** Extents of several streams; undefined for those without blocks. */
  extents(streams: readonly string[]): Promise<readonly (StoredExtent | undefined)[]>;
}
