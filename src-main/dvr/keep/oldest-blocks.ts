import { join } from 'node:path';
import { MAX_BLOCK_MS } from '../catalog/block-ranges.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import { scanBlock } from '../block/block-scan.ts';
import { listBlocks } from '../block-list.ts';
import { minuteOfPath } from '../block-path.ts';
import type { Disk } from '../disk.ts';
import type { DiskFiles } from '../disk-files.ts';
import { endOf } from '../recovery.ts';
import type { LockedTimes } from './archive-locks.ts';

/** Blocks of one stream on one disk. */
export interface BlockSource {
  readonly stream: string;
  readonly folder: string;
  /** Name of the storage; null for a folder of the stream. */
  readonly storage: string | null;
}

/** Block that may be deleted. */
export interface OldBlock {
  readonly source: BlockSource;
  /** Below the folder of the disk. */
  readonly path: string;
  /** Minute in which the block starts, in epoch milliseconds. */
  readonly minuteMs: number;
}

export interface OldestBlocksOptions {
  readonly files: DiskFiles;
  readonly locks: LockedTimes;
  /** Time range of a block in the catalog; undefined if unknown. */
  readonly find: (folder: string, path: string) => Promise<TimeRange | undefined>;
}

const MINUTE_MS = 60_000;

/** Lists the oldest blocks of a stream on a disk that may be deleted: neither locked nor open. Call it in a turn of the disk. */
export async function oldestBlocks(
  options: OldestBlocksOptions,
  disk: Disk,
  source: BlockSource,
  limit: number,
): Promise<OldBlock[]> {
  const { files, locks } = options;
  const { stream } = source;
  const paths = await listBlocks(files, disk.folder, stream, {
    limit,
    isNewestFirst: false,
    mayHave: (startMs, endMs) => !locks.isAllLocked(stream, { startMs, endMs }),
    isRequested: async (path) => !disk.writing.has(path) && !(await isLocked(options, source, path)),
  });
  return paths.flatMap((path) => {
    const minuteMs = minuteOfPath(path);
    return minuteMs === undefined ? [] : [{ source, path, minuteMs }];
  });
}

/**
 * Whether a block overlaps a lock. Its name gives the minute of its start; its duration comes from the catalog or from the block.
 */
export async function isLocked(
  { files, locks, find }: OldestBlocksOptions,
  { stream, folder }: BlockSource,
  path: string,
): Promise<boolean> {
  const startMs = minuteOfPath(path) ?? 0;
  if (!locks.hasLocked(stream, { startMs, endMs: startMs + MINUTE_MS + MAX_BLOCK_MS })) return false;
  // An unreadable catalog does not prevent deletion.
  const time = (await find(folder, path).catch(() => undefined)) ?? (await timeOf(files, join(folder, path)));
  return locks.hasLocked(stream, time ?? { startMs, endMs: startMs + MINUTE_MS });
}

async function timeOf(files: DiskFiles, path: string): Promise<TimeRange | undefined> {
  const file = await files.open(path);
  try {
    const block = await scanBlock(file, await file.sizeBytes());
    return block && { startMs: block.head.startMs, endMs: endOf(block.head, block.index) };
  } finally {
    await file.close();
  }
}
