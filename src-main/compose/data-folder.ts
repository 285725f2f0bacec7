import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { DiskWatch, type DiskSpace } from '../control/server-alerts.ts';
import { FolderLock } from '../db/folder-lock.ts';
import { openPrivateFolder } from '../lib/data-folder.ts';
import type { ServerOptions } from './server-options.ts';

/** Data folder, locked for this server. */
export interface DataFolder {
  /** Fault of its disk; null while it works. */
  readonly fault: Fault | null;
  /** Free and total space of its disk; null if it could not be measured. */
  readonly space: DiskSpace | null;
  close(): void;
}

/** Locks the data folder. Rejects with `data_folder_in_use` if another server uses it. */
export async function openDataFolder({
  dataFolder,
  clock,
  log,
}: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log'>): Promise<DataFolder> {
  await openPrivateFolder(dataFolder, ['airdesk.db', 'airdesk.key'], log);
  const lock = FolderLock.acquire(dataFolder, { log, now: () => clock.now() });
  const disk = new DiskWatch(dataFolder, clock);
  void disk.start();
  return {
    get fault() {
      return disk.fault;
    },
    get space() {
      return disk.space;
    },
    close() {
      disk.close();
      lock.close();
    },
  };
}
