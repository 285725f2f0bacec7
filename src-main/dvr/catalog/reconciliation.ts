import { dirname, join, sep } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { packIndex } from '../block/block-index.ts';
import { scanBlock } from '../block/block-scan.ts';
import { listFolder, streamFolder } from '../block-list.ts';
import { BLOCK_NAME, blockPath, FOLDER_NAMES, timeOfFolder } from '../block-path.ts';
import type { RecordedBlock } from '../block-writer.ts';
import type { Disk } from '../disk.ts';
import type { DiskFiles } from '../disk-files.ts';
import { settleCuts } from '../block-cut.ts';
import type { CatalogStore, TimeRange } from './catalog-store.ts';

export interface ReconciliationOptions {
  readonly files: DiskFiles;
  readonly clock: Clock;
  readonly store: Pick<CatalogStore, 'paths'>;
  readonly catalog: {
    add(block: RecordedBlock): void;
    remove(disk: string, path: string): void;
    settled(): Promise<void>;
  };
  /** Runs work on a disk in its turn, between block writes. */
  readonly onDisk: <T>(folder: string, work: (disk: Disk) => Promise<T>) => Promise<T>;
  /** Whether to continue; asked before each folder. */
  readonly isRunning: () => boolean;
}

/** Paths processed in one step. */
const STEP_PATHS = 1000;
const HOUR_MS = 3_600_000;

/**
 * Reconciles the catalog with one disk for one stream: adds blocks that the catalog lacks, and removes blocks without a
 * file. Processes one hour at a time, oldest first, each in a turn of the disk. If the disk has no hour folder of the
 * stream at all, it may not be mounted, and nothing is removed. Throws system errors.
 *
 * @param time only hours of blocks that may overlap it are checked, including blocks that start an hour before
 * @returns number of added blocks
 */
export async function reconcile(
  options: ReconciliationOptions,
  stream: string,
  folder: string,
  time?: TimeRange,
): Promise<number> {
  const { store, catalog, onDisk } = options;
  const root = streamFolder(stream);
  // The last removal leaves out the current hour, because its blocks may be recorded at the same time.
  const end = dirname(blockPath(stream, options.clock.now()));
  // Folder names consist of digits, and a colon sorts after all digits.
  let after = `${root}${sep}`;
  let added = 0;
  const removeUpTo = async (before: string): Promise<void> => {
    for (;;) {
      const gone = await store.paths(stream, folder, after, before, STEP_PATHS);
      for (const path of gone) catalog.remove(folder, path);
      await catalog.settled();
      if (gone.length < STEP_PATHS) return;
    }
  };
  const isRequested = (names: readonly string[]): boolean => {
    const [startMs, endMs] = timeOfFolder(names);
    return !time || (startMs < time.endMs && endMs + HOUR_MS > time.startMs);
  };
  const visit = async (at: string, parents: readonly string[]): Promise<void> => {
    const depth = parents.length;
    if (depth === FOLDER_NAMES.length) {
      if (!time) await removeUpTo(`${at}${sep}`);
      added += await onDisk(folder, async (disk) => reconcileHour(options, { stream, disk, hour: at }));
      await catalog.settled();
      after = `${at}${sep}:`;
      return;
    }
    const names = await onDisk(folder, async () => listFolder(options.files, join(folder, at), FOLDER_NAMES[depth]));
    for (const name of names)
      if (options.isRunning() && isRequested([...parents, name])) await visit(join(at, name), [...parents, name]);
  };
  await visit(root, []);
  if (!time && after !== `${root}${sep}` && options.isRunning()) await removeUpTo(end);
  return added;
}

async function reconcileHour(
  { files, store, catalog }: ReconciliationOptions,
  { stream, disk, hour }: { readonly stream: string; readonly disk: Disk; readonly hour: string },
): Promise<number> {
  const { folder, writing } = disk;
  const names = await settleCuts(files, disk, hour, await files.list(join(folder, hour)));
  const found = new Set(names.filter((name) => BLOCK_NAME.test(name)).map((name) => join(hour, name)));
  const listed = new Set(await store.paths(stream, folder, `${hour}${sep}`, `${hour}${sep}:`, 100 * STEP_PATHS));
  for (const path of listed) if (!found.has(path)) catalog.remove(folder, path);
  let added = 0;
  for (const path of found) {
    if (listed.has(path) || writing.has(path)) continue;
    const block = await readBlock(files, folder, path);
    if (block?.head.stream !== stream) continue;
    catalog.add(block);
    added++;
  }
  return added;
}

/** Reads a block as it was reported when finished; undefined if unreadable. */
async function readBlock(files: DiskFiles, disk: string, path: string): Promise<RecordedBlock | undefined> {
  const file = await files.open(join(disk, path));
  try {
    const sizeBytes = await file.sizeBytes();
    const read = await scanBlock(file, sizeBytes);
    return read && { head: read.head, disk, path, index: read.index, packedIndex: packIndex(read.index), sizeBytes };
  } finally {
    await file.close();
  }
}
