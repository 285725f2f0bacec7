import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { isInside, pathBelow } from '../lib/allowed-paths.ts';

/** A file or folder inside a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'directory';
  /** Size of a file, if sizes were requested. */
  readonly sizeBytes?: number;
  /** Time of its last change in epoch milliseconds, if sizes were requested. */
  readonly modifiedMs?: number;
}

/** Part of a folder to list. */
export interface FolderPart {
  /** Name after which the list starts; it need not exist. */
  readonly from: string;
  /** Maximum number of names. */
  readonly limit: number;
  /** True to read file sizes; default false. */
  readonly withSizes?: boolean;
}

/** Number of files whose sizes are read at once. */
const SIZES_AT_ONCE = 16;

/**
 * Entries of a folder below a root, in order of names. Leaves out names that start with a dot, and links that leave the
 * root. Throws `vod_path_not_found`.
 */
export async function listFolder(root: string, path: string, part: FolderPart): Promise<FolderEntry[]> {
  const steps = pathBelow(path);
  if (!steps) throw notFound(path);
  try {
    const realRoot = await realpath(root);
    const folder = await realpath(join(realRoot, ...steps));
    if (!isInside(realRoot, folder)) throw notFound(path);
    const found = new FirstNames(part);
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.') || !found.isRequested(entry.name)) continue;
      const type = await typeOf(realRoot, folder, entry);
      if (type) found.add({ name: entry.name, type });
    }
    return part.withSizes === true ? await withSizes(folder, found.entries) : found.entries;
  } catch (error) {
    throw error instanceof AirdeskError ? error : notFound(path);
  }
}

/** Collects the first names in order, from names in any order; keeps no more names than requested. */
class FirstNames {
  readonly entries: FolderEntry[] = [];
  readonly #part: FolderPart;

  constructor(part: FolderPart) {
    this.#part = part;
  }

  isRequested(name: string): boolean {
    const last = this.entries.at(-1);
    return (
      name > this.#part.from && (this.entries.length < this.#part.limit || (last !== undefined && name < last.name))
    );
  }

  add(entry: FolderEntry): void {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.name ?? '') < entry.name) low = middle + 1;
      else high = middle;
    }
    this.entries.splice(low, 0, entry);
    if (this.entries.length > this.#part.limit) this.entries.pop();
  }
}

async function withSizes(folder: string, entries: readonly FolderEntry[]): Promise<FolderEntry[]> {
  const sized: FolderEntry[] = [];
  for (let at = 0; at < entries.length; at += SIZES_AT_ONCE)
    sized.push(
      ...(await Promise.all(
        entries.slice(at, at + SIZES_AT_ONCE).map(async (entry) => {
          if (entry.type === 'directory') return entry;
          // The file may have been deleted meanwhile.
          const found = await stat(join(folder, entry.name)).catch(() => undefined);
          return { ...entry, sizeBytes: found?.size ?? 0, ...(found ? { modifiedMs: Math.floor(found.mtimeMs) } : {}) };
        }),
      )),
    );
  return sized;
}

/** Type of an entry; undefined for sockets and the like, and for links that are broken or leave the root. */
async function typeOf(realRoot: string, folder: string, entry: Dirent): Promise<FolderEntry['type'] | undefined> {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (!entry.isSymbolicLink()) return undefined;
  try {
    const target = await realpath(join(folder, entry.name));
    if (!isInside(realRoot, target)) return undefined;
    const found = await stat(target);
    return found.isFile() ? 'file' : found.isDirectory() ? 'directory' : undefined;
  } catch {
    return undefined;
  }
}

function notFound(path: string): AirdeskError {
  return new AirdeskError(
    'vod_path_not_found',
    path === '' ? because('location_folder_missing') : because('folder_unknown', { folder: path }),
    { parameter: 'subpath' },
  );
}
