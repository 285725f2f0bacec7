import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, longestPrefix, pathBelow } from '../lib/allowed-paths.ts';

/** A VOD location: folders whose files are played under a prefix. */
export interface VodLocation {
  /** What the addresses of its files begin with. */
  readonly prefix: string;
  /** Absolute paths of its folders, searched in order. */
  readonly roots: readonly string[];
  /** Least length of a segment in milliseconds. */
  readonly segmentMs: number;
  /** Whether a folder whose files begin with its name is played as one, with the files as its qualities. Default false. */
  readonly areFoldersLadders?: boolean;
}

/** A file of a location, and the path below its folder. */
export interface VodPath {
  readonly location: VodLocation;
  readonly steps: readonly string[];
}

/** A file or folder that is there. */
export interface FoundFile {
  /** Where it really lies, behind all links. */
  readonly path: string;
  /** Changes with its content, as far as the system says: size, time of the last change, and number of the file. */
  readonly version: string;
  /** Number of the file in its file system: it stays when the file is written over, and is another one for a new file of the same name. */
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly isFolder: boolean;
}

/** Length of the longest path that is looked for. */
const MAX_PATH = 4096;

/** Finds the location that a name belongs to: the one with the longest prefix. Undefined where there is none, or the rest of the name could lead out of it. */
export function readVodPath(locations: ReadonlyMap<string, VodLocation>, name: string): VodPath | undefined {
  if (name.length > MAX_PATH) return undefined;
  const prefix = longestPrefix(locations, name);
  const location = locations.get(prefix ?? '');
  const steps = location && pathBelow(name.slice(location.prefix.length + 1));
  // Names that begin with a dot are hidden, here as in lists.
  const isPlain = steps !== undefined && steps.length > 0 && !steps.some((step) => step.startsWith('.'));
  return location && isPlain ? { location, steps } : undefined;
}

/** Changes with the content of a file. */
export function versionOf({ size, mtimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): string {
  return `${size}.${mtimeNs}.${ino}`;
}

/** Looks for a file or folder below a folder; links that lead out of it are not followed. Undefined where there is none. */
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
