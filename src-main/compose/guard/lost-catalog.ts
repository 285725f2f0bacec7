import type { DeletionGuard } from '../../dvr/guard/deletion-guard.ts';
import type { ArchiveJobState } from '../../dvr/archive-job.ts';
import type { ArchiveJobs } from '../../dvr/keep/archive-jobs.ts';

/**
 * Rebuilds a lost catalog of recordings from the disks, and suspends deletion until all blocks are in the catalog or an
 * operator confirms.
 */
export class LostCatalog {
  readonly #guard: Pick<DeletionGuard, 'hold' | 'catalogRebuilt' | 'isCatalogBeingRebuilt'>;
  readonly #jobs: Pick<ArchiveJobs, 'start' | 'stop'>;
  /** True if the catalog was lost again since the rebuild started. */
  #isLostAgain = false;
  #isClosed = false;

  constructor(
    guard: Pick<DeletionGuard, 'hold' | 'catalogRebuilt' | 'isCatalogBeingRebuilt'>,
    jobs: Pick<ArchiveJobs, 'start' | 'stop'>,
  ) {
    this.#guard = guard;
    this.#jobs = jobs;
  }

  /**
   * Reports that the catalog was lost although there are recordings. If the catalog is lost again during the rebuild, its disk
   * is broken, and no further rebuild starts.
   */
  lost(): void {
    this.#guard.hold('catalog');
    this.rebuild();
  }

  /** Starts or restarts the rebuild. A rebuild that the previous run of the server did not finish is restarted, too. */
  rebuild(): void {
    if (!this.#guard.isCatalogBeingRebuilt) return;
    void this.#jobs.stop('check').then(() => {
      if (this.#isClosed) return;
      this.#isLostAgain = this.#jobs.start('rebuild', { isDeep: false }) === undefined;
    });
  }

  /** Reports the end of a rebuild, which an operator may have started. An incomplete rebuild counts as an unreadable disk. */
  ended({ status, faults, faultCount }: ArchiveJobState): void {
    // The rebuild was stopped by the end of the server; the next run of the server restarts it.
    if (this.#isClosed) return;
    const unread = faults.filter(({ kind }) => kind === 'unread' || kind === 'damaged' || kind === 'misplaced');
    const unnamed = faultCount - faults.length;
    this.#guard.catalogRebuilt(unread.length + unnamed + (status === 'done' && !this.#isLostAgain ? 0 : 1));
    this.#isLostAgain = false;
  }

  /** Reports that the end of the server stops all rebuilds from now on. */
  close(): void {
    this.#isClosed = true;
  }
}
