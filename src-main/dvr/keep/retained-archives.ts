import type { RecordingSettings } from '../recordings.ts';
import type { BlockSource } from './oldest-blocks.ts';

/** A stream whose archive is kept within limits, recorded at the moment or not. */
export interface RetainedStream {
  readonly stream: string;
  readonly settings: RecordingSettings;
}

/** A storage with limits of its own, for all that lies on its disks. */
export interface RetainedStorage {
  readonly name: string;
  /** Folders of its disks. */
  readonly disks: readonly string[];
  /** How much may lie on its disks together, in bytes; default any. */
  readonly limitBytes?: number;
  /** Up to which use a disk is filled; default 100. */
  readonly mostUsedPercent?: number;
  /** How long streams are kept that the server does not know any more, in milliseconds; default for ever. */
  readonly expirationMs?: number;
}

/** How much a stream has on a disk. */
export interface UsedBytes {
  readonly stream: string;
  readonly folder: string;
  readonly bytes: number;
}

/** A source with its limit of age; without one it is kept for ever. */
export interface AgedSource extends BlockSource {
  readonly expirationMs: number | undefined;
}

/** A disk with all that lies on it and is kept within limits. */
export interface RetainedDisk {
  readonly sources: readonly AgedSource[];
  /** Up to which use it is filled, in percent. */
  readonly mostUsedPercent: number;
}

/** What lies on which disk: the streams that are known, and on the disks of storages those that are not known any more. By the folders of the disks; in steps. */
export function* retainedDisks(
  streams: readonly RetainedStream[],
  storages: readonly RetainedStorage[],
  used: readonly UsedBytes[],
): Generator<void, ReadonlyMap<string, RetainedDisk>> {
  const disks = new Map<string, { sources: AgedSource[]; mostUsedPercent: number }>();
  const known = new Set<string>();
  const add = (source: AgedSource, mostUsedPercent = 100): void => {
    const disk = disks.get(source.folder) ?? { sources: [], mostUsedPercent: 100 };
    disks.set(source.folder, disk);
    disk.mostUsedPercent = Math.min(disk.mostUsedPercent, mostUsedPercent);
    disk.sources.push(source);
    known.add(sourceKey(source));
  };
  for (const { stream, settings } of streams) {
    const { storage, expirationMs, mostUsedPercent } = settings;
    for (const folder of settings.disks) add({ stream, folder, storage, expirationMs }, mostUsedPercent);
    yield;
  }
  const storageOf = new Map(storages.flatMap((storage) => storage.disks.map((folder) => [folder, storage] as const)));
  for (const { stream, folder } of used) {
    yield;
    const storage = storageOf.get(folder);
    if (!storage || known.has(sourceKey({ stream, folder }))) continue;
    const { name, expirationMs, mostUsedPercent } = storage;
    add({ stream, folder, storage: name, expirationMs }, mostUsedPercent);
  }
  return disks;
}

/** Names a source among all. */
export function sourceKey({ stream, folder }: Pick<BlockSource, 'stream' | 'folder'>): string {
  return JSON.stringify([folder, stream]);
}
