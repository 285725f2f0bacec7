import { join } from 'node:path';
import { BLOCK_NAME, FOLDER_NAMES, timeOfFolder } from './block-path.ts';
import type { DiskFiles } from './disk-files.ts';

/** Filter for listing blocks. */
export interface BlockQuery {
  readonly limit: number;
  readonly isNewestFirst: boolean;
  /** Whether a folder may contain a requested block, by the range of its block starts in epoch milliseconds. Default: all. */
  readonly mayHave?: (startMs: number, endMs: number) => boolean;
  /** Whether a block is requested. Default: all. */
  readonly isRequested?: (path: string) => boolean | Promise<boolean>;
}

/**
 * Lists the oldest or newest blocks of a stream on a disk, in this order, as paths below the folder of the disk.
 * Reads only the folders that it needs.
 */
export async function listBlocks(
  files: Pick<DiskFiles, 'list'>,
  disk: string,
  stream: string,
  { limit, isNewestFirst, mayHave, isRequested }: BlockQuery,
): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string, names: readonly string[]): Promise<void> => {
    const depth = names.length;
    const fitting = await listFolder(files, join(disk, folder), FOLDER_NAMES[depth] ?? BLOCK_NAME);
    if (isNewestFirst) fitting.reverse();
    for (const name of fitting) {
      if (found.length >= limit) return;
      const path = join(folder, name);
      if (depth === FOLDER_NAMES.length) {
        if ((await isRequested?.(path)) !== false) found.push(path);
      } else if (mayHave?.(...timeOfFolder([...names, name])) !== false) await visit(path, [...names, name]);
    }
  };
  await visit(streamFolder(stream), []);
  return found;
}

/** Folder of a stream below the folder of a disk. */
export function streamFolder(stream: string): string {
  return join(...stream.split('/'));
}

/** Matching names in a folder, oldest first. */
export async function listFolder(
  files: Pick<DiskFiles, 'list'>,
  folder: string,
  pattern: RegExp | undefined,
): Promise<string[]> {
  const names = await files.list(folder);
  return names.filter((name) => pattern?.test(name)).sort(byTime);
}

/** Order of block names, oldest first; `40.mp4` is older than `40-2.mp4`. */
function byTime(a: string, b: string): number {
  const [minuteA = '', suffixA = '0'] = a.replace('.mp4', '').split('-');
  const [minuteB = '', suffixB = '0'] = b.replace('.mp4', '').split('-');
  return Number(minuteA) - Number(minuteB) || Number(suffixA) - Number(suffixB);
}
