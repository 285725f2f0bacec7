import { join } from 'node:path';
import { BLOCK_NAME, FOLDER_NAMES } from '../block-path.ts';
import { codeOf, type DiskFiles } from '../disk-files.ts';

/** Maximum folder depth of a search; stream names are shorter. */
const MAX_DEPTH = 16;

/** Runs one read of a disk in its turn. */
export type DiskTurn = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Finds the names of streams on a disk by its folders and the names of blocks. Skips folders without permission; throws
 * other system errors.
 */
export async function* findStreams(
  files: Pick<DiskFiles, 'list'>,
  disk: string,
  inTurn: DiskTurn,
): AsyncGenerator<string, void> {
  const list = async (path: string): Promise<readonly string[]> => inTurn(async () => namesIn(files, join(disk, path)));
  const holdsBlocks = async (path: string, names: readonly string[], depth = 0): Promise<boolean> => {
    const pattern = FOLDER_NAMES[depth];
    if (!pattern) return names.some((name) => BLOCK_NAME.test(name));
    for (const name of names) {
      if (!pattern.test(name)) continue;
      const below = join(path, name);
      if (await holdsBlocks(below, await list(below), depth + 1)) return true;
    }
    return false;
  };
  async function* visit(parents: readonly string[]): AsyncGenerator<string, void> {
    const names = await list(join(...parents));
    const isStream = parents.length > 0 && (await holdsBlocks(join(...parents), names));
    if (isStream) yield parents.join('/');
    if (parents.length >= MAX_DEPTH) return;
    for (const name of names) if (!isStream || !FOLDER_NAMES[0]?.test(name)) yield* visit([...parents, name]);
  }
  yield* visit([]);
}

async function namesIn(files: Pick<DiskFiles, 'list'>, folder: string): Promise<readonly string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    // The path is a file, or a folder of the system such as lost+found.
    if (['ENOTDIR', 'EACCES', 'EPERM'].includes(codeOf(error))) return [];
    throw error;
  }
}
