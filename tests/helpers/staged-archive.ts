import { ArchiveFigures, type ShownStorage } from '../../src-main/control/archive/archive-figures.ts';
import { ArchiveService } from '../../src-main/control/archive/archive-service.ts';
import { ArchiveCatalog } from '../../src-main/dvr/catalog/archive-catalog.ts';
import type { DeletionHold } from '../../src-main/dvr/guard/deletion-guard.ts';
import { ArchiveLocks } from '../../src-main/dvr/keep/archive-locks.ts';
import type { Clock } from '../../src-main/lib/clock.ts';
import { ListCatalog } from './list-catalog.ts';
import { Recordings } from '../../src-main/dvr/recordings.ts';
import { ArchiveJobs } from '../../src-main/dvr/keep/archive-jobs.ts';
import { EpisodeService } from '../../src-main/control/archive/episode-service.ts';
import { ArchiveEpisodes } from '../../src-main/dvr/keep/archive-episodes.ts';
import { ListEpisodes } from './list-episodes.ts';
import { ListLocks } from './list-locks.ts';
import { MemoryBlocks } from './memory-blocks.ts';

/** Archive services backed by lists. */
export class StagedArchive {
  readonly store = new ListCatalog();
  readonly locks = new ListLocks();
  /** Reasons for which nothing is deleted. */
  readonly holds: DeletionHold[] = [];
  /** Events with their kind. */
  readonly emitted: unknown[] = [];
  readonly service: ArchiveService;
  readonly episodes: EpisodeService;
  /** State of the storages. */
  readonly figures: ArchiveFigures;
  storages: readonly ShownStorage[] = [];
  /** Number of reports that a lock or an episode no longer keeps some media. */
  unlocked = 0;
  /** Disk that jobs read, and their results. */
  readonly disks = new MemoryBlocks();
  readonly ended: unknown[] = [];
  readonly #recordings: Recordings;
  /** Requested deletions, and the deletions that fail. */
  readonly deletions: unknown[] = [];
  failures: { readonly path: string; readonly error: unknown }[] = [];

  /** Measures the disks of the storages. */
  async watchDisks(): Promise<void> {
    const folders = this.storages.flatMap(({ disks }) => disks.flatMap(({ folder }) => folder ?? []));
    this.#recordings.watchDisks(folders);
    for (const folder of folders) await this.#recordings.onDisk(folder, async () => Promise.resolve());
  }

  constructor(clock: Clock) {
    const none = (): undefined => undefined;
    const reports = { finished: none, gap: none, late: none, unread: none, returned: none };
    this.#recordings = new Recordings({ files: this.disks, clock, reports });
    const catalog = new ArchiveCatalog({
      store: this.store,
      clock,
      open: () => [],
      failed(error) {
        throw error;
      },
    });
    this.figures = new ArchiveFigures({
      clock,
      recordings: this.#recordings,
      usage: async () => catalog.usage(),
      storages: () => this.storages,
    });
    const episodes = new ArchiveEpisodes(new ListEpisodes());
    this.episodes = new EpisodeService({
      episodes,
      clock,
      released: () => this.unlocked++,
      events: { emit: (kind, fields) => void this.emitted.push({ kind, ...fields }) },
      keptMs: (stream) => (stream === 'live/c' ? 86_400_000 : null),
      failed(error) {
        throw error;
      },
    });
    this.service = new ArchiveService({
      catalog,
      recordings: this.#recordings,
      clock,
      episodes,
      locks: new ArchiveLocks(this.locks),
      jobs: new ArchiveJobs({
        files: this.disks,
        clock,
        store: this.store,
        catalog,
        retention: { round: async () => Promise.resolve({ count: 0, bytes: 0, failures: 0 }) },
        copies: { pass: async () => Promise.resolve() },
        onDisk: async (folder, work) => this.#recordings.onDisk(folder, work),
        disks: () => ['/a'],
        ended: (...fields) => void this.ended.push(fields),
      }),
      deletion: {
        remove: async (...[stream, time]) => {
          this.deletions.push([stream, time]);
          return Promise.resolve({ count: 3, bytes: 4000, failures: this.failures });
        },
      },
      events: { emit: (kind, fields) => void this.emitted.push({ kind, ...fields }) },
      unlocked: () => this.unlocked++,
      guard: {
        holds: this.holds,
        isCatalogBeingRebuilt: false,
        confirm: () => this.holds.splice(0),
      },
    });
  }
}
