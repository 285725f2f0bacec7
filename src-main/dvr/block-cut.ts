import { basename, dirname, join } from 'node:path';
import { packIndex } from './block/block-index.ts';
import { copyBlock, retainedPart, type BlockContent } from './block/block-copy.ts';
import { scanBlock } from './block/block-scan.ts';
import type { BlockSegment } from './block/block-index.ts';
import { pathWithSuffix, MAX_NAME_SUFFIX } from './block-path.ts';
import type { RecordedBlock } from './block-writer.ts';
import type { Disk } from './disk.ts';
import { codeOf, type DiskFile, type DiskFiles } from './disk-files.ts';
import { removeBlock } from './block-removal.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from '../lib/error-message.ts';

export interface BlockCutOptions {
  readonly files: DiskFiles;
  /** Runs work on a disk in its turn, between block writes. */
  readonly onDisk: <T>(folder: string, work: (disk: Disk) => Promise<T>) => Promise<T>;
}

/** Result of cutting a block. */
export interface CutBlock {
  /** Block with the remaining segments, under another name; undefined if no segment was removed, or none remains. */
  readonly remaining?: RecordedBlock;
  /** Whether the block was removed. */
  readonly isRemoved: boolean;
  readonly freedBytes: number;
}

/** Suffix of a shortened block while it is written. */
const CUT_SUFFIX = '.cut';
/** Suffix of a copy of a block from another disk while it is written. */
export const COPY_SUFFIX = '.copy';
const UNTOUCHED: CutBlock = { isRemoved: false, freedBytes: 0 };

/**
 * Removes segments from a finished block. Writes the remaining segments to a new file, syncs the file, removes the
 * block, and renames the new file to an unused name, so that readers that have the old block open get no wrong bytes.
 * One of the two files is complete at any time; `settleCuts` finishes an interrupted cut. If it throws a system
 * error, the block is unchanged, or `settleCuts` will finish the cut.
 */
export async function cutBlock(
  options: BlockCutOptions,
  { folder, path }: { readonly folder: string; readonly path: string },
  mustKeep: (block: BlockContent, segment: BlockSegment) => boolean,
): Promise<CutBlock> {
  const { files, onDisk } = options;
  const fullPath = join(folder, path);
  const opened = await onDisk(folder, async () => openBlock(files, fullPath));
  if (!opened) return UNTOUCHED;
  const { file, sizeBytes, content } = opened;
  try {
    const retained = retainedPart(content, (segment) => mustKeep(content, segment));
    if (retained?.index.segments.length === content.index.segments.length) return UNTOUCHED;
    if (retained) return await replace(options, { folder, path, sizeBytes, file }, retained);
  } finally {
    await onDisk(folder, async () => file.close());
  }
  const freedBytes = await onDisk(folder, async () => removeBlock(files, folder, path));
  return { isRemoved: true, freedBytes };
}

/**
 * Finishes cuts in an hour folder after a crash of the server, and removes incomplete copies. Call it in a turn of the
 * disk.
 *
 * @returns the resulting names
 */
export async function settleCuts(
  files: DiskFiles,
  { folder, making }: Pick<Disk, 'folder' | 'making'>,
  hour: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const settled = new Set(names);
  for (const name of names) {
    const isCopy = name.endsWith(COPY_SUFFIX);
    if ((!isCopy && !name.endsWith(CUT_SUFFIX)) || making.has(join(hour, name))) continue;
    settled.delete(name);
    if (isCopy) {
      await files.remove(join(folder, hour, name));
      continue;
    }
    const block = name.slice(0, -CUT_SUFFIX.length);
    if (settled.has(block)) await files.remove(join(folder, hour, name));
    else {
      await files.rename(join(folder, hour, name), join(folder, hour, block));
      settled.add(block);
    }
  }
  return [...settled];
}

interface OpenedBlock {
  readonly file: DiskFile;
  readonly sizeBytes: number;
  readonly content: BlockContent;
}

async function openBlock(files: DiskFiles, fullPath: string): Promise<OpenedBlock | undefined> {
  let file: DiskFile;
  try {
    file = await files.open(fullPath);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const sizeBytes = await file.sizeBytes();
    const content = await scanBlock(file, sizeBytes);
    if (content) return { file, sizeBytes, content };
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

async function replace(
  { files, onDisk }: BlockCutOptions,
  { folder, path, sizeBytes, file }: { readonly folder: string; readonly path: string } & Omit<OpenedBlock, 'content'>,
  retained: BlockContent,
): Promise<CutBlock> {
  const cut = `${path}${CUT_SUFFIX}`;
  const target = await onDisk(folder, async ({ making }) => {
    making.add(cut);
    await files.remove(join(folder, cut)).catch(() => 0);
    return files.create(join(folder, cut));
  });
  let isOpen = true;
  try {
    const steps = copyBlock(file, retained, target);
    for (;;) {
      const step = await onDisk(folder, async () => steps.next());
      if (!step.done) continue;
      const { index, sizeBytes: leftBytes } = step.value;
      return await onDisk(folder, async ({ making }) => {
        await target.sync();
        isOpen = false;
        await target.close();
        const name = await freeName(files, folder, path);
        await files.remove(join(folder, path));
        await files.rename(join(folder, cut), join(folder, name));
        making.delete(cut);
        const remaining = {
          head: retained.head,
          disk: folder,
          path: name,
          index,
          packedIndex: packIndex(index),
          sizeBytes: leftBytes,
        };
        return { remaining, isRemoved: true, freedBytes: Math.max(0, sizeBytes - leftBytes) };
      });
    }
  } catch (error) {
    await onDisk(folder, async ({ making }) => {
      making.delete(cut);
      if (isOpen) await target.close().catch(() => undefined);
      // If the block was already deleted, only the shortened file remains.
      const names = await files.list(join(folder, dirname(path)));
      if (names.includes(basename(path))) await files.remove(join(folder, cut));
    }).catch(() => undefined);
    throw error;
  }
}

/** Path with an unused name for a block of the same minute. Call it in a turn of the disk. Throws system errors. */
export async function freeName(files: DiskFiles, folder: string, path: string): Promise<string> {
  const taken = new Set(await files.list(join(folder, dirname(path))));
  for (let suffix = 0; suffix <= MAX_NAME_SUFFIX; suffix++) {
    const name = pathWithSuffix(path, suffix);
    if (!taken.has(basename(name))) return name;
  }
  throw new ExplainedError(because('blocks_in_minute', { path }));
}
