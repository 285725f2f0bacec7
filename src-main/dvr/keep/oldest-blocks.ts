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
  /** Folder of the disk. */
  readonly folder: string;
  /** Name of the storage; null for a folder of the stream's own. */
  readonly storage: string | null;
}

/** A block that may be deleted. */
export interface OldBlock {
  readonly source: BlockSource;
  /** Below the folder of the disk. */
  readonly path: string;
  /** Epoch milliseconds of the minute in which it begins. */
  readonly minuteMs: number;
}

/** What finding them needs. */
export interface OldestBlocksOptions {
  readonly files: DiskFiles;
  readonly locks: LockedTimes;
  /** When a block is, as the catalog has it; undefined for one that it has not. */
  readonly find: (folder: string, path: string) => Promise<TimeRange | undefined>;
}

const MINUTE_MS = 60_000;

/** The oldest blocks of a stream on a disk that may be deleted: they are not locked, and nothing is written to them. To be asked in a turn of the disk. */
export async function oldestBlocks(
  options: OldestBlocksOptions,
  disk: Disk,
  source: BlockSource,
  most: number,
): Promise<OldBlock[]> {
  const { files, locks } = options;
  const { stream } = source;
  const paths = await listBlocks(files, disk.folder, stream, {
    most,
    isNewestFirst: false,
    mayHave: (startMs, endMs) => !locks.isAllLocked(stream, { startMs, endMs }),
    isWanted: async (path) => !disk.writing.has(path) && !(await isLocked(options, source, path)),
  });
  return paths.flatMap((path) => {
    const minuteMs = minuteOfPath(path);
    return minuteMs === undefined ? [] : [{ source, path, minuteMs }];
  });
}

/** Whether something of a block is locked. Its name says the minute in which it begins; how long it is says the catalog, or the block. */
export async function isLocked(
  { files, locks, find }: OldestBlocksOptions,
  { stream, folder }: BlockSource,
  path: string,
): Promise<boolean> {
  const startMs = minuteOfPath(path) ?? 0;
  if (!locks.hasLocked(stream, { startMs, endMs: startMs + MINUTE_MS + MAX_BLOCK_MS })) return false;
  // A catalog that cannot be read keeps nothing from being deleted.
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
