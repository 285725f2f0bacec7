import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, longestPrefix, pathBelow } from '../lib/allowed-paths.ts';

/** A VOD location: folders whose files are played under a prefix. */
export interface VodLocation {
  /** Address prefix of its files. */
  readonly prefix: string;
  /** Absolute paths of its folders, searched in order. */
  readonly roots: readonly string[];
  /** Minimum segment duration in milliseconds. */
  readonly segmentMs: number;
  /**
   * True if a folder is played as one content, whose renditions are the files that start with the name of the folder. Default
   * false.
   */
  readonly areFoldersLadders?: boolean;
}

/** Location of a file, and its path below the folder. */
export interface VodPath {
  readonly location: VodLocation;
  readonly steps: readonly string[];
}

/** Existing file or folder. */
export interface FoundFile {
  /** Real path, with all links resolved. */
  readonly path: string;
  /** Version string of size, modification time and inode, which changes with the content. */
  readonly version: string;
  /** Inode: kept when the file is overwritten, different for a new file of the same name. */
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly isFolder: boolean;
}

/** Maximum length of a path. */
const MAX_PATH = 4096;

/** Finds the location of a name by the longest matching prefix. Undefined if there is none, or the path could lead out of it. */
export function readVodPath(locations: ReadonlyMap<string, VodLocation>, name: string): VodPath | undefined {
  if (name.length > MAX_PATH) return undefined;
  const prefix = longestPrefix(locations, name);
  const location = locations.get(prefix ?? '');
  const steps = location && pathBelow(name.slice(location.prefix.length + 1));
  // Names that start with a dot are hidden, as in lists of files.
  const isPlain = steps !== undefined && steps.length > 0 && !steps.some((step) => step.startsWith('.'));
  return location && isPlain ? { location, steps } : undefined;
}

/** Version string of a file. */
export function versionOf({ size, mtimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): string {
  return `${size}.${mtimeNs}.${ino}`;
}

/** Finds a file or folder below a folder. Does not follow links that lead out of it. */
export async function findBelow(root: string, steps: readonly string[]): Promise<FoundFile | undefined> {
  try {
    const realRoot = await realpath(root);
    const path = await realpath(join(realRoot, ...steps));
    if (!isInside(realRoot, path)) return undefined;
    const found = await stat(path, { bigint: true });
    const isFolder = found.isDirectory();
    if (!isFolder && !found.isFile()) return undefined;
    const version = versionOf(found);
    return { path, version, inode: found.ino, sizeBytes: isFolder ? 0 : Number(found.size), isFolder };
  } catch {
    return undefined;
  }
}
