import { join } from 'node:path';
import { BLOCK_NAME, FOLDER_NAMES } from './block-path.ts';
import type { DiskFiles } from './disk-files.ts';

/** Paths of the oldest or the newest blocks of a stream on a disk, below the folder of the disk, in that order. Reads no more folders than it needs. */
export async function listBlocks(
  files: Pick<DiskFiles, 'list'>,
  disk: string,
  stream: string,
  { most, isNewestFirst }: { readonly most: number; readonly isNewestFirst: boolean },
): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string, depth: number): Promise<void> => {
    const names = [...(await files.list(join(disk, folder)))];
    const wanted = FOLDER_NAMES[depth] ?? BLOCK_NAME;
    const fitting = names.filter((name) => wanted.test(name)).sort(byTime);
    if (isNewestFirst) fitting.reverse();
    for (const name of fitting) {
      if (found.length >= most) return;
      const path = join(folder, name);
      if (depth < FOLDER_NAMES.length) await visit(path, depth + 1);
      else found.push(path);
    }
  };
  await visit(join(...stream.split('/')), 0);
  return found;
}

/** Oldest first; `40.mp4` is older than `40-2.mp4`. */
function byTime(a: string, b: string): number {
  const [minuteA = '', copyA = '0'] = a.replace('.mp4', '').split('-');
  const [minuteB = '', copyB = '0'] = b.replace('.mp4', '').split('-');
  return Number(minuteA) - Number(minuteB) || Number(copyA) - Number(copyB);
}
