import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { packIndex } from '../block/block-index.ts';
import { scanBlock } from '../block/block-scan.ts';
import type { RecordedBlock } from '../block-writer.ts';
import type { Disk } from '../disk.ts';
import { codeOf, type DiskFile, type DiskFiles } from '../disk-files.ts';
import { BLOCK_NAME } from '../block-path.ts';
import { COPY_SUFFIX, freeName } from '../block-cut.ts';

export interface BlockTransferOptions {
  readonly files: DiskFiles;
  /** Runs work on a disk in its turn, between block writes. */
  readonly onDisk: <T>(folder: string, work: (disk: Disk) => Promise<T>) => Promise<T>;
  /** Waits between two steps, so that recording and playback have priority. @param stepMs duration of the step */
  readonly pause: (stepMs: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Position of a block. */
export interface BlockPosition {
  /** Folder of the disk, and path of the file below it. */
  readonly disk: string;
  readonly path: string;
}

/** Bytes read, written and synced in one turn of a disk: the maximum delay for recording. */
const STEP_BYTES = 4 << 20;

/**
 * Failure of a copy: `copy_differs` if the disk returns other bytes than written, or no readable block; `ENOENT` if
 * the block was deleted; `stopped` if the copy is no longer needed.
 */
export class BlockTransferError extends Error {
  readonly code: 'copy_differs' | 'ENOENT' | 'stopped';

  constructor(code: BlockTransferError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Copies a finished block to another disk byte for byte, a few megabytes per turn of each disk. The copy is synced,
 * read back and verified by checksum before it gets its name. If it throws `BlockTransferError` or a system error, no
 * file is left. If the target disk already has the block, for example because the disk was removed for some time, no
 * second copy is made.
 * @param isRunning whether the copy is still needed; called between steps, and again in the turn that renames it
 */
export async function copyToDisk(
  options: BlockTransferOptions,
  source: BlockPosition,
  folder: string,
  isRunning: () => boolean,
): Promise<RecordedBlock> {
  const { files, onDisk } = options;
  const existing = await findSame(options, source, folder, isRunning);
  if (existing) return existing;
  const from = await onDisk(source.disk, async () => openBlock(files, source));
  const temporary = `${source.path}${COPY_SUFFIX}`;
  let to: DiskFile | undefined;
  try {
    to = await onDisk(folder, async (disk) => {
      disk.making.add(temporary);
      await files.remove(join(folder, temporary)).catch(() => 0);
      return disk.create(join(folder, temporary));
    });
    const checksum = await copyBytes(options, { source, from, folder, to }, isRunning);
    const written = await checksumOf(options, folder, to, isRunning);
    if (written !== checksum)
      throw new BlockTransferError(
        'copy_differs',
        `${folder} returned other bytes of ${source.path} than were written`,
      );
    return await moveIntoPlace(options, { source, folder, to, temporary }, isRunning);
  } catch (error) {
    await onDisk(folder, async ({ making }) => {
      making.delete(temporary);
      await to?.close().catch(() => undefined);
      await files.remove(join(folder, temporary)).catch(() => 0);
    }).catch(() => undefined);
    throw error;
  } finally {
    await onDisk(source.disk, async () => from.close()).catch(() => undefined);
  }
}

/** Finds a block with the bytes of `source` among the blocks of its minute on another disk; the name may differ. */
async function findSame(
  options: BlockTransferOptions,
  source: BlockPosition,
  folder: string,
  isRunning: () => boolean,
): Promise<RecordedBlock | undefined> {
  const { files, onDisk } = options;
  const hour = dirname(source.path);
  const minute = basename(source.path).slice(0, 2);
  const sizeBytes = await sizeOf(options, source);
  const names = await onDisk(folder, async () => files.list(join(folder, hour)));
  for (const found of names.filter((one) => BLOCK_NAME.test(one) && one.startsWith(minute))) {
    const copy = { disk: folder, path: join(hour, found) };
    if ((await sizeOf(options, copy)) !== sizeBytes || !(await haveSameBytes(options, source, copy, isRunning)))
      continue;
    const block = await withBlock(options, copy, async (file) => scanBlock(file, sizeBytes));
    if (block) return { ...block, ...copy, packedIndex: packIndex(block.index), sizeBytes };
  }
  return undefined;
}

async function sizeOf(options: BlockTransferOptions, block: BlockPosition): Promise<number> {
  return withBlock(options, block, async (file) => file.sizeBytes());
}

async function withBlock<T>(
  { files, onDisk }: BlockTransferOptions,
  block: BlockPosition,
  read: (file: DiskFile) => Promise<T>,
): Promise<T> {
  return onDisk(block.disk, async () => {
    const file = await openBlock(files, block);
    try {
      return await read(file);
    } finally {
      await file.close();
    }
  });
}

/** Whether two blocks have the same bytes. Reads both. Throws system errors. */
export async function haveSameBytes(
  options: BlockTransferOptions,
  one: BlockPosition,
  other: BlockPosition,
  isRunning: () => boolean,
): Promise<boolean> {
  const sums: number[] = [];
  for (const block of [one, other]) {
    const file = await options.onDisk(block.disk, async () => openBlock(options.files, block));
    try {
      sums.push(await checksumOf(options, block.disk, file, isRunning));
    } finally {
      await options.onDisk(block.disk, async () => file.close());
    }
  }
  return sums[0] === sums[1];
}

async function openBlock(files: DiskFiles, { disk, path }: BlockPosition): Promise<DiskFile> {
  try {
    return await files.open(join(disk, path));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new BlockTransferError('ENOENT', `${join(disk, path)} no longer exists`);
  }
}

interface Transfer {
  readonly source: BlockPosition;
  readonly from: DiskFile;
  readonly folder: string;
  readonly to: DiskFile;
}

/** Copies all bytes in steps. @returns checksum of the bytes read */
async function copyBytes(
  options: BlockTransferOptions,
  { source, from, folder, to }: Transfer,
  isRunning: () => boolean,
): Promise<number> {
  let checksum = 0;
  await inSteps(options, { disk: source.disk, file: from }, isRunning, async (bytes, offset) => {
    checksum = crc32(bytes, checksum);
    await options.onDisk(folder, async () => {
      await to.write([bytes], offset);
      await to.sync();
    });
  });
  return checksum;
}

async function checksumOf(
  options: BlockTransferOptions,
  disk: string,
  file: DiskFile,
  isRunning: () => boolean,
): Promise<number> {
  let checksum = 0;
  await inSteps(options, { disk, file }, isRunning, async (bytes) => {
    checksum = crc32(bytes, checksum);
    return Promise.resolve();
  });
  return checksum;
}

/** Reads a file in steps, each in a turn of its disk, and passes the bytes to `take`. */
async function inSteps(
  { onDisk, pause, now }: BlockTransferOptions,
  { disk, file }: { readonly disk: string; readonly file: DiskFile },
  isRunning: () => boolean,
  take: (bytes: Uint8Array, offset: number) => Promise<void>,
): Promise<void> {
  const sizeBytes = await onDisk(disk, async () => file.sizeBytes());
  for (let offset = 0; offset < sizeBytes; offset += STEP_BYTES) {
    if (!isRunning()) throw new BlockTransferError('stopped', 'the copy is no longer needed');
    const startMs = now();
    const bytes = await onDisk(disk, async () => file.read(offset, Math.min(STEP_BYTES, sizeBytes - offset)));
    await take(bytes, offset);
    await pause(now() - startMs);
  }
}

async function moveIntoPlace(
  { files, onDisk }: BlockTransferOptions,
  { source, folder, to, temporary }: Omit<Transfer, 'from'> & { readonly temporary: string },
  isRunning: () => boolean,
): Promise<RecordedBlock> {
  return onDisk(folder, async ({ making }) => {
    const sizeBytes = await to.sizeBytes();
    const block = await scanBlock(to, sizeBytes);
    if (!block) throw new BlockTransferError('copy_differs', `${source.path} is not a readable block`);
    const path = await freeName(files, folder, source.path);
    if (!isRunning()) throw new BlockTransferError('stopped', 'the copy is no longer needed');
    await to.close();
    await files.rename(join(folder, temporary), join(folder, path));
    making.delete(temporary);
    const { head, index } = block;
    return { head, index, disk: folder, path, packedIndex: packIndex(index), sizeBytes };
  });
}
