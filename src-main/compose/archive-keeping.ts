import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { findTemplate, type Config } from '../config/schema/config.ts';
import { EpisodeService } from '../control/archive/episode-service.ts';
import { ArchiveService } from '../control/archive/archive-service.ts';
import type { ArchiveCopies } from '../dvr/copies/archive-copies.ts';
import { reconcile } from '../dvr/catalog/reconciliation.ts';
import type { CatalogStore, TimeRange } from '../dvr/catalog/catalog-store.ts';
import type { ArchiveJobState } from '../dvr/archive-job.ts';
import { ArchiveJobs } from '../dvr/keep/archive-jobs.ts';
import { ArchiveDeletion } from '../dvr/keep/archive-deletion.ts';
import type { ArchiveCatalog } from '../dvr/catalog/archive-catalog.ts';
import { systemDiskFiles } from '../dvr/disk-files.ts';
import { ArchiveEpisodes, lockedByAny, type EpisodeStore } from '../dvr/keep/archive-episodes.ts';
import { ArchiveLocks, type LockStore } from '../dvr/keep/archive-locks.ts';
import type { RetainedStream, UsedBytes } from '../dvr/keep/retained-archives.ts';
import type { DeletionGuard } from '../dvr/guard/deletion-guard.ts';
import { Retention, type RoundResult } from '../dvr/keep/retention.ts';
import { endOf } from '../dvr/recovery.ts';
import type { Recordings } from '../dvr/recordings.ts';
import type { RecordedBlock } from '../dvr/block-writer.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { messageOf } from '../lib/error-message.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import { retainedStorages, recordingSettings, storageDisks } from './recording-settings.ts';
import { openArchiveGuard, type ProtectionPort } from './guard/archive-guard.ts';
import { CopyPasses, openArchiveCopies } from './archive-copies.ts';
import type { ServerOptions } from './server-options.ts';

/** Retention of archives, and actions of operators on archives. */
export interface ArchiveKeeping {
  /** Use cases of archives; undefined if recordings cannot be listed. */
  readonly service: ArchiveService | undefined;
  /** Named ranges that are protected from all limits. */
  readonly episodes: EpisodeService;
  /** Alerts with the reasons why nothing is deleted or copied; empty if everything works. */
  readonly alerts: Readonly<Record<string, Fault>>;
  /** Reports that a block was finished. */
  recorded(block: RecordedBlock, storage: string | null): void;
  /** Reports that a disk is present again, or was replaced. */
  returned(folder: string): void;
  /** Applies the current configuration. */
  apply(): void;
  close(): Promise<void>;
}

/** Dependencies of `openArchiveKeeping`. */
export interface ArchiveKeepingDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder' | 'machine'>;
  readonly events: EventEmitter;
  /** Configuration in force. */
  readonly config: () => Config;
  /** Existing streams. */
  readonly entries: () => readonly StreamEntry[];
  readonly recordings: Pick<Recordings, 'onDisk' | 'cut' | 'choose' | 'unfinished' | 'unfinishedStreams'>;
  readonly store: CatalogStore | undefined;
  /** Registers a listener, which is called each time an empty catalog was created; at once if that has already happened. */
  readonly onCatalogCreated: (listener: () => void) => void;
  /** Catalog of the archives; undefined if it could not be opened. */
  readonly catalog: ArchiveCatalog | undefined;
  readonly locks: LockStore | undefined;
  readonly episodes: EpisodeStore | undefined;
  /** Identity of the database with locks and episodes; undefined if it could not be opened. */
  readonly protection: ProtectionPort | undefined;
  /** Reports whether another part of the server needs a range of a stream, so that it must not be deleted. */
  readonly needed: (stream: string, time: TimeRange) => boolean;
  /** Called after a block was removed. @param path path below the folder of the disk */
  readonly removed: (folder: string, path: string) => void;
}

/** Starts to keep archives within their limits. Nothing is deleted if locks cannot be read. */
export function openArchiveKeeping({ removed: blockRemoved, ...others }: ArchiveKeepingDeps): ArchiveKeeping {
  const { options, events, catalog, recordings, config } = others;
  const { clock, log, dataFolder } = options;
  const copies = catalog && openArchiveCopies({ ...others, catalog, removed: blockRemoved });
  const removed = (folder: string, path: string): void => {
    copies?.forget(folder, path);
    blockRemoved(folder, path);
  };
  const deps = { ...others, removed };
  const guarded = openArchiveGuard({
    ...deps,
    folders: () => archiveFolders(deps),
    hasRecordings: async () => ((await catalog?.usage()) ?? []).length > 0,
  });
  const { guard, stores } = guarded;
  const locks = opened(deps, stores.locks, (store) => new ArchiveLocks(store));
  const episodes = opened(deps, stores.episodes, (store) => new ArchiveEpisodes(store));
  const lockedTimes = locks && episodes && lockedByAny([locks, episodes]);
  const retention = new Retention({
    files: systemDiskFiles,
    clock,
    retained: (used) => retainedStreams(deps, used),
    storages: () => retainedStorages(config(), dataFolder),
    used: async () => (await catalog?.usage())?.map(({ disk, ...used }) => ({ ...used, folder: disk })) ?? [],
    find: async (folder, path) => catalog?.find(folder, path),
    copiesOf: async (stream, place, minuteMs) => (await copies?.copiesOf(stream, place, minuteMs)) ?? [],
    locks: {
      hasLocked: (stream, time) => deps.needed(stream, time) || (lockedTimes?.hasLocked(stream, time) ?? true),
      isAllLocked: (stream, time) => lockedTimes?.isAllLocked(stream, time) ?? true,
    },
    // Without a catalog it is unknown which streams have the oldest blocks.
    mayDelete: () => catalog !== undefined && guard.mayDelete(),
    onDisk: async (folder, work) => recordings.onDisk(folder, work),
    deleted: ({ stream, ...deleted }) => {
      events.emit('dvr_deleted_fragments', {
        media: stream,
        ...deleted,
        from: null,
        duration_ms: null,
        note: null,
        by: 'retention',
        origin: 'timer',
      });
    },
    removed: (folder, path) => {
      catalog?.remove(folder, path);
      removed(folder, path);
    },
    failed: (folder, error) => {
      log.error('an archive cannot be cleaned', { folder, error: messageOf(error) });
    },
  });
  const jobs =
    catalog &&
    copies &&
    openJobs(deps, {
      catalog,
      copies,
      rebuilt: guarded.rebuilt,
      retention: { round: async () => runRetention(lockedTimes && retention, guard) },
    });
  if (locks && episodes) {
    retention.start();
    guarded.start(locks, episodes, jobs);
  }
  const passes = jobs && copies && new CopyPasses(clock, copies, jobs);
  const unlocked = (): void => {
    retention.checkAgain();
  };
  const episodeService = new EpisodeService({
    episodes,
    clock,
    events,
    released: unlocked,
    mayExpire: () => guard.mayDelete(),
    keptMs: (stream) => episodesKeptMs(deps, stream),
    failed: (error) => {
      log.error('expired episodes cannot be removed', { error: messageOf(error) });
    },
  });
  return {
    episodes: episodeService,
    service:
      catalog &&
      jobs &&
      new ArchiveService({
        catalog,
        recordings: deps.recordings,
        locks,
        episodes,
        clock,
        events,
        unlocked,
        jobs,
        guard,
        deletion: openDeletion(deps, catalog),
      }),
    get alerts(): Record<string, Fault> {
      const uncopied = copies?.uncopied ?? '';
      return {
        ...(lockedTimes ? {} : { archive_locks: { fault: 'nothing_deleted', facts: {} } }),
        ...(catalog ? {} : { archive_catalog: { fault: 'catalog_closed', facts: {} } }),
        ...guarded.alerts,
        ...(uncopied === '' ? {} : { archive_copies: { fault: 'blocks_not_copied', facts: { storages: uncopied } } }),
      };
    },
    recorded(block, storage) {
      copies?.recorded(block, storage, endOf(block.head, block.index));
    },
    returned(folder) {
      guarded.forget(folder);
    },
    apply() {
      passes?.apply();
      guarded.apply();
    },
    async close() {
      episodeService.close();
      retention.close();
      passes?.close();
      await copies?.close();
      guarded.stop();
      await jobs?.close();
      await guarded.close();
    },
  };
}

/** Runs one round of retention for a job. Throws the reason if nothing may be deleted. */
async function runRetention(retention: Retention | undefined, guard: DeletionGuard): Promise<RoundResult> {
  if (!retention) throw new Error('the locks of archives cannot be read, so nothing is deleted');
  if (!guard.mayDelete()) throw new AirdeskError('archive_deletion_held');
  return retention.round();
}

/** Folders of the disks to which the storages and the streams write archives. */
function archiveFolders({ config, entries, options: { dataFolder } }: ArchiveKeepingDeps): readonly string[] {
  const { streams, livePrefixes, templates } = config();
  const settings = [
    ...streams.values(),
    ...livePrefixes.values(),
    ...templates.values(),
    ...entries().map((one) => one.settings),
  ];
  const streamDisks = settings.flatMap((one) => recordingSettings(config(), one, dataFolder)?.disks ?? []);
  return [...new Set([...retainedStorages(config(), dataFolder).flatMap(({ disks }) => disks), ...streamDisks])];
}

function openJobs(
  deps: ArchiveKeepingDeps,
  {
    catalog,
    copies,
    retention,
    rebuilt,
  }: {
    readonly catalog: ArchiveCatalog;
    readonly copies: ArchiveCopies;
    readonly retention: Pick<Retention, 'round'>;
    readonly rebuilt: (state: ArchiveJobState) => void;
  },
): ArchiveJobs | undefined {
  const { options, recordings, store, events, config } = deps;
  if (!store) return undefined;
  return new ArchiveJobs({
    files: systemDiskFiles,
    clock: options.clock,
    store,
    catalog,
    retention,
    copies,
    onDisk: async (folder, work) => recordings.onDisk(folder, work),
    // Includes disks of live prefixes and templates without streams.
    disks: () => [...new Set([...storageDisks(config(), options.dataFolder), ...archiveFolders(deps)])],
    ended(name, state) {
      const { status, blocks: count, bytes, error, faultCount, faults } = state;
      if (status === 'running') return;
      if (name === 'rebuild') rebuilt(state);
      const facts = { storage: null, status, count, bytes, detail: error };
      for (const fault of faults) options.log.warn('a block of an archive is damaged or misplaced', { ...fault });
      if (name === 'cleanup') events.emit('dvr_clean', facts);
      else if (name === 'copies') {
        if (count > 0 || status !== 'done' || faultCount > 0)
          events.emit('dvr_copies_finished', { ...facts, faults: faultCount });
      } else
        events.emit('dvr_consistency_check_finished', { ...facts, is_rebuilt: name === 'rebuild', faults: faultCount });
    },
  });
}

function openDeletion(deps: ArchiveKeepingDeps, catalog: ArchiveCatalog): ArchiveDeletion {
  const { recordings, store, removed, options } = deps;
  const { clock } = options;
  const files = systemDiskFiles;
  const onDisk: Recordings['onDisk'] = async (folder, work) => recordings.onDisk(folder, work);
  return new ArchiveDeletion({
    files,
    clock,
    onDisk,
    disks: (stream) => disksOf(deps, stream),
    catalog: {
      blockPositions: async (...args) => catalog.blockPositions(...args),
      add: (block) => {
        catalog.add(block);
      },
      remove: (folder, path) => {
        catalog.remove(folder, path);
        removed(folder, path);
      },
      settled: async () => catalog.settled(),
    },
    reconcile: async (stream, folder, time) => {
      if (store) await reconcile({ files, clock, store, catalog, onDisk, isRunning: () => true }, stream, folder, time);
    },
    cut: async (stream, beforeMs) => recordings.cut(stream, beforeMs),
  });
}

/** Folders of the disks that may have recordings of a stream: the disks of all storages and of the stream. */
function disksOf({ config, entries, options: { dataFolder } }: ArchiveKeepingDeps, stream: string): readonly string[] {
  const settings = entries().find(({ name }) => name === stream)?.settings ?? findTemplate(config(), stream);
  const recording = settings && recordingSettings(config(), settings, dataFolder);
  return [...new Set([...storageDisks(config(), dataFolder), ...(recording?.disks ?? [])])];
}

/** Time that episodes of a stream are kept after their end, by its storage, in milliseconds; null for no limit. */
function episodesKeptMs({ config, entries }: ArchiveKeepingDeps, stream: string): number | null {
  const settings = entries().find(({ name }) => name === stream)?.settings ?? findTemplate(config(), stream);
  const { place = '' } = settings?.dvr ?? settings?.dvrOffline ?? {};
  return place.startsWith('@') ? (config().dvrs.get(place.slice(1))?.episodesExpirationMs ?? null) : null;
}

function opened<S, T>({ options }: ArchiveKeepingDeps, store: S | undefined, open: (store: S) => T): T | undefined {
  try {
    return store && open(store);
  } catch (error) {
    options.log.error('the locks and episodes of archives cannot be read', { error: messageOf(error) });
    return undefined;
  }
}

/** Archives of all existing streams, and of published streams that no longer exist, with their limits. */
function* retainedStreams(
  { config, entries, options: { dataFolder } }: ArchiveKeepingDeps,
  used: readonly UsedBytes[],
): Generator<RetainedStream> {
  const names = new Set<string>();
  for (const { name, settings } of entries()) {
    names.add(name);
    const recording = recordingSettings(config(), settings, dataFolder);
    if (recording) yield { stream: name, settings: recording };
  }
  for (const { stream } of used) {
    if (names.has(stream)) continue;
    names.add(stream);
    const template = findTemplate(config(), stream);
    const recording = template && recordingSettings(config(), template, dataFolder);
    if (recording) yield { stream, settings: recording };
  }
}
