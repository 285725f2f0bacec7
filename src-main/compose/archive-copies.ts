import type { Config } from '../config/schema/config.ts';
import { ArchiveCopies } from '../dvr/copies/archive-copies.ts';
import type { ArchiveCatalog } from '../dvr/catalog/archive-catalog.ts';
import { systemDiskFiles } from '../dvr/disk-files.ts';
import type { ArchiveJobs } from '../dvr/keep/archive-jobs.ts';
import type { Recordings } from '../dvr/recordings.ts';
import { every } from '../lib/timers.ts';
import { copiedStorages } from './recording-settings.ts';
import type { ServerOptions } from './server-options.ts';

/** Interval between two searches for missing copies in all archives, in milliseconds. */
const PASS_MS = 3_600_000;
/**
 * Delay of the first search, and of the search after a change of the storages, in milliseconds: first the catalog must be
 * compared with the disks.
 */
const FIRST_MS = 30_000;

/** Opens the unit that copies blocks and empties disks according to the configuration in force. */
export function openArchiveCopies({
  options: { clock, dataFolder },
  config,
  recordings,
  catalog,
  removed,
}: {
  readonly options: Pick<ServerOptions, 'clock' | 'dataFolder'>;
  readonly config: () => Config;
  readonly recordings: Pick<Recordings, 'onDisk' | 'choose'>;
  readonly catalog: ArchiveCatalog;
  readonly removed: (folder: string, path: string) => void;
}): ArchiveCopies {
  let cached: { readonly config: Config; readonly storages: ReturnType<typeof copiedStorages> } | undefined;
  return new ArchiveCopies({
    files: systemDiskFiles,
    clock,
    catalog,
    removed,
    storages: () => {
      const now = config();
      if (cached?.config !== now) cached = { config: now, storages: copiedStorages(now, dataFolder) };
      return cached.storages;
    },
    onDisk: async (folder, work) => recordings.onDisk(folder, work),
    target: ({ name, disks, maxUsedPercent, mustBeMounted }, taken) =>
      recordings.choose({
        storage: name,
        disks: disks.filter(({ folder, mode }) => mode === 'normal' && !taken.has(folder)).map(({ folder }) => folder),
        ...(maxUsedPercent === undefined ? {} : { maxUsedPercent }),
        ...(mustBeMounted === undefined ? {} : { mustBeMounted }),
      }),
  });
}

/**
 * Searches for missing copies: soon after the start and after each change of the storages, and then at intervals. An operator
 * can stop the searches.
 */
export class CopyPasses {
  readonly #clock: ServerOptions['clock'];
  readonly #copies: ArchiveCopies;
  readonly #jobs: ArchiveJobs;
  readonly #stop: () => void;
  #cancelFirst: (() => void) | undefined;
  #storages = '';

  constructor(clock: ServerOptions['clock'], copies: ArchiveCopies, jobs: ArchiveJobs) {
    this.#clock = clock;
    this.#copies = copies;
    this.#jobs = jobs;
    this.#stop = every(clock, PASS_MS, () => {
      if (jobs.state('copies')?.status !== 'stopped') this.#start();
    });
    this.apply();
  }

  /** Schedules a search after a change of the storages. */
  apply(): void {
    const storages = JSON.stringify(this.#copies.storages);
    if (storages === this.#storages) return;
    this.#storages = storages;
    this.#cancelFirst?.();
    this.#cancelFirst = this.#clock.after(FIRST_MS, () => {
      this.#start();
    });
  }

  close(): void {
    this.#stop();
    this.#cancelFirst?.();
  }

  #start(): void {
    if (this.#copies.isNeeded) this.#jobs.start('copies', { isDeep: false });
  }
}
