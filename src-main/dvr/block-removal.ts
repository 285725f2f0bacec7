import { dirname, join } from 'node:path';
import { FOLDER_NAMES } from './block-path.ts';
import type { DiskFiles } from './disk-files.ts';

/** Removes a block and its hour, day, month and year folders if they are empty. @returns size of the block in bytes */
export async function removeBlock(
  files: Pick<DiskFiles, 'remove' | 'removeFolder'>,
  disk: string,
  path: string,
): Promise<number> {
  const bytes = await files.remove(join(disk, path));
  await removeFolders(files, disk, path);
  return bytes;
}

async function removeFolders(files: Pick<DiskFiles, 'removeFolder'>, disk: string, path: string): Promise<void> {
  let at = dirname(path);
  for (let level = 0; level < FOLDER_NAMES.length; level++) {
    if (!(await files.removeFolder(join(disk, at)))) return;
    at = dirname(at);
  }
}
