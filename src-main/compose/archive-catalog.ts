import { ArchiveCatalog, type AddedBlock } from '../dvr/catalog/archive-catalog.ts';
import type { CatalogStore, TimeRange } from '../dvr/catalog/catalog-store.ts';
import { reconcile } from '../dvr/catalog/reconciliation.ts';
import { systemDiskFiles } from '../dvr/disk-files.ts';
import type { Recordings } from '../dvr/recordings.ts';
import type { RetainedStream } from '../dvr/keep/retained-archives.ts';
import { messageOf } from '../lib/error-message.ts';
import { keepNewest } from '../lib/limits/newest.ts';
import { CountedReport } from '../lib/timers.ts';
import type { ServerOptions } from './server-options.ts';

/** Catalog of archives, and its comparison with the disks. */
export interface ArchiveCatalogUnit {
  readonly catalog: ArchiveCatalog;
  /**
   * Compares the catalog entries of an archive with each of its disks once, in the background. Each disk is compared with one
   * archive at a time.
   * @param time limits the comparison to a range
   */
  compare(stream: RetainedStream, time?: TimeRange): void;
  /** Lets `compare` check the archives of a disk again, because the content of the disk may have changed. */
  forget(folder: string): void;
  /** Stops all comparisons. */
  stop(): void;
}

/** Minimum interval between two reports of failed changes, in milliseconds. */
const FAILED_PERIOD_MS = 60_000;
/** Maximum number of archives that are remembered as compared. */
const MAX_COMPARED = 20_000;

/** Opens the catalog on its store. */
export function openArchiveCatalog({
  options: { clock, log },
  store,
  recordings,
  added,
  removed,
}: {
  readonly options: Pick<ServerOptions, 'clock' | 'log'>;
  readonly store: CatalogStore;
  readonly recordings: Pick<Recordings, 'unfinishedTimes' | 'onDisk'>;
  /** Called after a block was added. */
  readonly added: (block: AddedBlock) => void;
  /** Called after a block was removed. @param path path below the folder of its disk */
  readonly removed: (path: string) => void;
}): ArchiveCatalogUnit {
  const failed = new CountedReport<unknown>(clock, FAILED_PERIOD_MS, (error, count) => {
    log.error('the catalog of archives cannot be written', { error: messageOf(error), count });
  });
  const catalog = new ArchiveCatalog({
    store,
    clock,
    open: (stream) => recordings.unfinishedTimes(stream),
    added,
    removed,
    failed: (error) => {
      failed.add(error);
    },
  });
  let isStopped = false;
  const compared = new Set<string>();
  const turns = new Map<string, Promise<void>>();
  const compareDisk = async (stream: string, folder: string, time?: TimeRange): Promise<void> => {
    if (isStopped) return;
    try {
      const added = await reconcile(
        {
          files: systemDiskFiles,
          clock,
          store,
          catalog,
          onDisk: async (disk, work) => recordings.onDisk(disk, work),
          isRunning: () => !isStopped,
        },
        stream,
        folder,
        time,
      );
      if (added > 0) log.info('blocks of an archive were added to the catalog', { stream, folder, blocks: added });
    } catch (error) {
      log.error('an archive cannot be compared with the catalog', { stream, folder, error: messageOf(error) });
    }
  };
  return {
    catalog,
    compare({ stream, settings }, time) {
      for (const folder of settings.disks) {
        // An archive that was compared only in part may be compared completely later.
        const key = JSON.stringify([...(time ? ['part'] : []), stream, folder]);
        if (compared.has(key)) continue;
        compared.add(key);
        keepNewest(compared, MAX_COMPARED);
        const before = turns.get(folder) ?? Promise.resolve();
        turns.set(
          folder,
          before.then(async () => compareDisk(stream, folder, time)),
        );
      }
    },
    forget(folder) {
      for (const key of compared) if (key.endsWith(`,${JSON.stringify(folder)}]`)) compared.delete(key);
    },
    stop() {
      isStopped = true;
    },
  };
}
