import { readdir, readFile } from 'node:fs/promises';
import { pathBelow } from '../lib/allowed-paths.ts';
import { readSmil } from './smil.ts';
import { findBelow, type FoundFile, type VodPath } from './vod-location.ts';

/** Content played under one name: a file, or several renditions of the same content. */
export interface Playable {
  /** Path of the file, the SMIL file or the folder. */
  readonly path: string;
  /** Changes with the content of any of its files. */
  readonly version: string;
  /** Size of all its files. */
  readonly sizeBytes: number;
  readonly parts: readonly FoundFile[];
  readonly isFolder: boolean;
}

/** Maximum number of renditions of a ladder. */
const MAX_PARTS = 20;
/** Maximum size of a SMIL file. */
const MAX_SMIL_BYTES = 256 * 1024;
/** File names that may be renditions of their folder. */
const MEDIA_NAME = /\.(mp4|m4v|mov|mkv|webm|ts|m2ts)$/i;

/** Finds the content that a path names in the folders of its location. */
export async function findPlayable({ location, steps }: VodPath): Promise<Playable | undefined> {
  for (const root of location.roots) {
    const found = await findBelow(root, steps);
    if (!found || (found.isFolder && location.areFoldersLadders !== true)) continue;
    if (found.isFolder) {
      const ladder = ladderOf(found, await partsOfFolder(root, steps, found));
      if (ladder.parts.length > 0) return ladder;
    } else if (found.path.toLowerCase().endsWith('.smil') && found.sizeBytes <= MAX_SMIL_BYTES)
      return ladderOf(found, await partsOfSmil(root, steps, found));
    else return ladderOf(found, [found]);
  }
  return undefined;
}

function ladderOf({ path, version, isFolder }: FoundFile, parts: readonly FoundFile[]): Playable {
  return {
    path,
    version: [version, ...parts.map((part) => part.version)].join(' '),
    sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
    parts,
    isFolder,
  };
}

/** Files of a folder whose names start with the folder's name. */
async function partsOfFolder(root: string, steps: readonly string[], { path }: FoundFile): Promise<FoundFile[]> {
  const start = steps.at(-1) ?? '';
  const names = (await readdir(path)).filter((name) => name.startsWith(start) && MEDIA_NAME.test(name)).sort();
  return existing(
    root,
    names.map((name) => [...steps, name]),
  );
}

/** Files that a SMIL file names. They must be in its folder or below. */
async function partsOfSmil(root: string, steps: readonly string[], { path }: FoundFile): Promise<FoundFile[]> {
  const named = readSmil(await readFile(path, 'utf8')).flatMap((source) => {
    const below = pathBelow(source);
    const isHidden = below?.some((step) => step.startsWith('.')) !== false;
    return isHidden || below.length === 0 ? [] : [[...steps.slice(0, -1), ...below]];
  });
  return existing(root, named);
}

async function existing(root: string, paths: readonly (readonly string[])[]): Promise<FoundFile[]> {
  const found = await Promise.all(paths.slice(0, MAX_PARTS).map(async (steps) => findBelow(root, steps)));
  return found.filter((part) => part !== undefined && !part.isFolder) as FoundFile[];
}
