/** A range of time, in epoch milliseconds; its end is not in it. */
export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** A block as the catalog keeps it. */
export interface StoredBlock extends TimeRange {
  readonly stream: string;
  /** Folder of the disk, and the path of the file below it. */
  readonly disk: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Whether it is no continuation of what was recorded before it. */
  readonly isDiscontinuity: boolean;
  /** Its tracks as text (`printTracks`). */
  readonly tracks: string;
  /** Its index (`packIndex`). */
  readonly packedIndex: Uint8Array;
}

/** A block that is new, or one that is no more. */
export type StoredChange =
  | { readonly type: 'add'; readonly block: StoredBlock & { readonly storedRanges: readonly TimeRange[] } }
  | { readonly type: 'remove'; readonly disk: string; readonly path: string };

/**
 * Times at which blocks have media: begin and end in epoch milliseconds, and the number of the block, from 0 on, one after the other. Numbers only, because
 * a month has many and they come from another thread.
 */
export type StoredRanges = Float64Array;
/** Numbers of one range. */
export const STRETCH_NUMBERS = 3;

/** What of a stream lies on a disk. */
export interface StoredUsage {
  readonly stream: string;
  /** Folder of the disk. */
  readonly disk: string;
  readonly blocks: number;
  readonly bytes: number;
}

/** All that there is of a stream, on all disks. */
export interface StoredExtent extends TimeRange {
  readonly blocks: number;
  readonly bytes: number;
}

/**
 * Where the catalog is kept: beside the thread of the caller. Each call is short: it takes, and returns, at most as much as it is given or asked for. What is
 * asked after a change has it.
 */
export interface CatalogStore {
  /** Puts changes in, in their order, all or none. A block that is there already is replaced. */
  write(changes: readonly StoredChange[]): Promise<void>;
  /** Ranges that begin before `toMs`, by begin and number of the block, from one behind `after` on. */
  storedRanges(
    stream: string,
    after: { readonly startMs: number; readonly blockId: number },
    toMs: number,
    most: number,
  ): Promise<StoredRanges>;
  /**
   * When a stream has media, which costs less than its ranges: begin and end, one after the other, of ranges that begin from a time on and before another,
   * by begin.
   *
   * @returns `nextMs` where there may be more: ranges that begin then may be among these already
   */
  times(
    stream: string,
    fromMs: number,
    toMs: number,
    most: number,
  ): Promise<{ readonly times: Float64Array; readonly nextMs?: number }>;
  /** Blocks by their numbers, in that order; undefined for each that is no more. */
  blocks(ids: readonly number[]): Promise<readonly (StoredBlock | undefined)[]>;
  /** Paths of the blocks of a stream on a disk between two paths, neither of them among it, in their order. */
  paths(stream: string, disk: string, after: string, before: string, most: number): Promise<readonly string[]>;
  /** When and how long a block is, by its place; undefined for one that is not there. */
  find(disk: string, path: string): Promise<(TimeRange & { readonly sizeBytes: number }) | undefined>;
  /** What lies where, in the order of the names of streams, from one behind `after` on. */
  usage(after: { readonly stream: string; readonly disk: string }, most: number): Promise<readonly StoredUsage[]>;
  /** All that there is of each of some streams; undefined where nothing is. */
  extents(streams: readonly string[]): Promise<readonly (StoredExtent | undefined)[]>;
}
