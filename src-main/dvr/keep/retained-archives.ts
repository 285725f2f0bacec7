import type { RecordingSettings } from '../recordings.ts';
import type { BlockSource } from './oldest-blocks.ts';

/** Stream whose archive has limits, recorded or not. */
export interface RetainedStream {
  readonly stream: string;
  readonly settings: RecordingSettings;
}

/** Storage with its own limits for everything on its disks. */
export interface RetainedStorage {
  readonly name: string;
  /** Folders of its disks. */
  readonly disks: readonly string[];
  /** Maximum bytes on all its disks together; default: any. */
  readonly limitBytes?: number;
  /** Maximum use of a disk in percent; default 100. */
  readonly maxUsedPercent?: number;
  /** Retention of streams that no longer exist, in milliseconds; default: forever. */
  readonly expirationMs?: number;
}

/** Bytes of a stream on a disk. */
export interface UsedBytes {
  readonly stream: string;
  readonly folder: string;
  readonly bytes: number;
}

/** Source with its maximum age. Blocks of a source without one do not expire. */
export interface AgedSource extends BlockSource {
  readonly expirationMs: number | undefined;
}

/** Disk with its archives: those of configured streams and, if the disk belongs to a storage, of all streams on it. */
export interface RetainedDisk {
  readonly sources: readonly AgedSource[];
  /** Maximum use in percent. */
  readonly maxUsedPercent: number;
}

/** Groups archives by disk: configured streams, and on the disks of storages also streams that no longer exist. Runs in steps. */
export function* retainedDisks(
  streams: readonly RetainedStream[],
  storages: readonly RetainedStorage[],
  used: readonly UsedBytes[],
): Generator<void, ReadonlyMap<string, RetainedDisk>> {
  const disks = new Map<string, { sources: AgedSource[]; maxUsedPercent: number }>();
  const added = new Set<string>();
  const add = (source: AgedSource, maxUsedPercent = 100): void => {
    const disk = disks.get(source.folder) ?? { sources: [], maxUsedPercent: 100 };
    disks.set(source.folder, disk);
    disk.maxUsedPercent = Math.min(disk.maxUsedPercent, maxUsedPercent);
    disk.sources.push(source);
    added.add(sourceKey(source));
  };
  for (const { stream, settings } of streams) {
    const { storage, expirationMs, maxUsedPercent } = settings;
    for (const folder of settings.disks) add({ stream, folder, storage, expirationMs }, maxUsedPercent);
    yield;
  }
  const storageOf = new Map(storages.flatMap((storage) => storage.disks.map((folder) => [folder, storage] as const)));
  for (const { stream, folder } of used) {
    yield;
    const storage = storageOf.get(folder);
    if (!storage || added.has(sourceKey({ stream, folder }))) continue;
    const { name, expirationMs, maxUsedPercent } = storage;
    add({ stream, folder, storage: name, expirationMs }, maxUsedPercent);
  }
  return disks;
}

/** Key of a source. */
export function sourceKey({ stream, folder }: Pick<BlockSource, 'stream' | 'folder'>): string {
  return JSON.stringify([folder, stream]);
}
