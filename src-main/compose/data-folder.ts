import type { Fault } from '../../src-preload/contract/api/alarm-words.ts';
import { DiskWatch, type DiskRoom } from '../control/server-alerts.ts';
import { FolderLock } from '../db/folder-lock.ts';
import { openPrivateFolder } from '../lib/data-folder.ts';
import type { ServerOptions } from './server-options.ts';

/** The data folder, held by this server alone. */
export interface DataFolder {
  /** What is wrong with its disk; null while it is well. */
  readonly fault: Fault | null;
  /** The room of its disk; null where it could not be measured. */
  readonly room: DiskRoom | null;
  close(): void;
}

/** Takes the data folder. Raises `data_folder_in_use` where another server has it. */
export async function openDataFolder({
  dataFolder,
  clock,
  log,
}: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log'>): Promise<DataFolder> {
  await openPrivateFolder(dataFolder, ['airdesk.db', 'airdesk.key'], log);
  const lock = FolderLock.take(dataFolder, { log, now: () => clock.now() });
  const disk = new DiskWatch(dataFolder, clock);
  void disk.start();
  return {
    get fault() {
      return disk.fault;
    },
    get room() {
      return disk.room;
    },
    close() {
      disk.close();
      lock.close();
    },
  };
}
