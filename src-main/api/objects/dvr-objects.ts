import type { DvrDiskStats, DvrStats, DvrTotals } from '../../../src-preload/contract/api/dvr-object.ts';
import type { Config } from '../../config/schema/config.ts';
import type { DiskState, StorageState } from '../../control/archive/archive-figures.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { blockObjects } from './config-objects.ts';
import type { JsonObject } from './object-source.ts';

export function dvrObjects(config: Config, figures: ApiContext['archiveFigures']): JsonObject[] {
  const state = figures?.state;
  const byName = new Map(state?.storages.map((storage) => [storage.name, storage]));
  return blockObjects(config, 'dvrs').map((object) => {
    const { name } = object;
    const storage = typeof name === 'string' ? byName.get(name) : undefined;
    return storage ? withStats(object, storage) : object;
  });
}

/** Adds measurements to a storage object and to its disks, as `stats`. */
export function withStats(object: JsonObject, storage: StorageState): JsonObject {
  const disks = Array.isArray(object['disks']) ? object['disks'] : [];
  return {
    ...object,
    // Both lists come from the same directives, in the same order.
    disks: disks.map((disk: JsonObject, index) => {
      const state = storage.disks[index];
      return { ...disk, stats: state && disk['path'] === state.path ? diskStats(state) : null };
    }),
    stats: storageStats(storage),
  };
}

export function dvrTotals({
  archiveFigures,
  archive,
  streams,
}: Pick<ApiContext, 'archiveFigures' | 'archive' | 'streams'>): DvrTotals | null {
  const state = archiveFigures?.state;
  if (!state) return null;
  const { storages, own } = state;
  const disks = [...storages, own].flatMap((storage) => storage.disks);
  const jobOf = (name: 'rebuild' | 'check' | 'cleanup'): string | null => archive?.job(name)?.status ?? null;
  return {
    status: statusOf(disks),
    is_listed: state.isListed,
    storages: storages.length,
    streams_configured: configuredStreams(streams),
    ...recorded(state.streams, [...storages, own], disks),
    jobs: { rebuild: jobOf('rebuild'), check: jobOf('check'), cleanup: jobOf('cleanup') },
  };
}

/** Number of streams whose settings contain an archive. */
export function configuredStreams(streams: Pick<ApiContext['streams'], 'list'>): number {
  return streams.list().filter(({ settings }) => settings.dvr !== null || settings.dvrOffline !== null).length;
}

function storageStats(storage: StorageState): DvrStats {
  const spaces = new Map(
    storage.disks.flatMap(({ space, folder }) => (space ? [[space.device ?? folder, space]] : [])),
  );
  const [size, free] = [
    sum([...spaces.values()], ({ totalBytes }) => totalBytes),
    sum([...spaces.values()], ({ freeBytes }) => freeBytes),
  ];
  return {
    status: statusOf(storage.disks),
    error: faultObject(storage.disks.find(({ fault }) => fault !== null)?.fault),
    size: spaces.size === 0 ? null : size,
    free: spaces.size === 0 ? null : free,
    usage: spaces.size === 0 ? null : usage(size, free),
    ...recorded(storage.streams, [storage], storage.disks),
  };
}

function diskStats(disk: DiskState): DvrDiskStats {
  const { space, figures, isMounted, fault } = disk;
  return {
    status: diskStatus(disk),
    error: faultObject(fault),
    mounted: isMounted,
    size: space?.totalBytes ?? null,
    free: space?.freeBytes ?? null,
    usage: space ? usage(space.totalBytes, space.freeBytes) : null,
    io_usage: tenths(figures.busyRatio * 100),
    write_time: figures.writes === 0 ? null : tenths(figures.writingMs / figures.writes),
    slowest_write: tenths(figures.slowestWriteMs),
    ...writing([disk]),
    migration_speed: null,
    migration_eta: null,
    migration_updated: null,
  };
}

function faultObject(fault: DiskState['fault'] | undefined): DvrDiskStats['error'] {
  return fault ? { code: fault.code, detail: fault.detail } : null;
}

export function diskStatus({ fault, space }: Pick<DiskState, 'fault' | 'space'>): DvrDiskStats['status'] {
  if (!fault) return space ? 'ok' : 'unknown';
  switch (fault.code) {
    case 'ENOSPC':
      return 'full';
    case 'disk_slow':
      return 'slow';
    case 'not_mounted':
      return 'not_mounted';
    default:
      return 'error';
  }
}

function statusOf(disks: readonly DiskState[]): DvrStats['status'] {
  const written = disks.filter(({ isWritten }) => isWritten);
  const relevant = written.length > 0 ? written : disks;
  const states = relevant.map(diskStatus);
  if (states.every((state) => state === 'unknown')) return 'unknown';
  const bad = states.filter((state) => state !== 'ok' && state !== 'unknown').length;
  return bad === 0 ? 'ok' : bad === states.length ? 'error' : 'degraded';
}

function recorded(
  streams: number,
  storages: readonly StorageState[],
  disks: readonly DiskState[],
): Omit<DvrStats, 'status' | 'error' | 'size' | 'free' | 'usage'> {
  return {
    streams,
    recording: sum(storages, ({ recording }) => recording),
    ...writing(disks),
    finished_blocks: sum(storages, ({ finishedBlocks }) => finishedBlocks),
    finished_bytes: sum(storages, ({ finishedBytes }) => finishedBytes),
    drop_write_count: sum(storages, ({ gaps }) => gaps),
    drop_write_duration: sum(storages, ({ gapMs }) => Math.round(gapMs)) / 1000,
  };
}

type Writing = Pick<
  DvrStats,
  | 'blobs_count'
  | 'bytes'
  | 'queue_bytes'
  | 'write_rate'
  | 'written_bytes'
  | 'writes'
  | 'collapsed_write_count'
  | 'write_errors'
>;

function writing(disks: readonly DiskState[]): Writing {
  return {
    blobs_count: sum(disks, ({ blocks }) => blocks),
    bytes: sum(disks, ({ bytes }) => bytes),
    queue_bytes: sum(disks, ({ waitingBytes }) => waitingBytes),
    write_rate: Math.round(sum(disks, ({ figures }) => figures.writtenBytesPerSecond)),
    written_bytes: sum(disks, ({ figures }) => figures.writtenBytes),
    writes: sum(disks, ({ figures }) => figures.writes),
    collapsed_write_count: sum(disks, ({ figures }) => figures.lateWrites),
    write_errors: sum(disks, ({ figures }) => figures.failedBlocks),
  };
}

function usage(size: number, free: number): number {
  return size === 0 ? 0 : tenths(((size - free) / size) * 100);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function sum<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
