import type { DeletionGuard } from '../../dvr/guard/deletion-guard.ts';
import type { ArchiveJobState } from '../../dvr/keep/archive-job.ts';
import type { ArchiveJobs } from '../../dvr/keep/archive-jobs.ts';

/** Makes a lost catalog of recordings anew from the disks, and holds deletion until that has ended. */
export class LostCatalog {
  readonly #guard: Pick<DeletionGuard, 'hold' | 'catalogMade' | 'isCatalogBeingMade'>;
  readonly #jobs: Pick<ArchiveJobs, 'start' | 'stop'>;
  /** Whether the catalog was lost again since the rebuild started. */
  #isLostAgain = false;
  #isClosed = false;

  constructor(
    guard: Pick<DeletionGuard, 'hold' | 'catalogMade' | 'isCatalogBeingMade'>,
    jobs: Pick<ArchiveJobs, 'start' | 'stop'>,
  ) {
    this.#guard = guard;
    this.#jobs = jobs;
  }

  /** The catalog was lost while something is recorded. A catalog that is lost during the rebuild is not made once more: its disk is broken. */
  lost(): void {
    this.#guard.hold('catalog');
    this.rebuild();
  }

  /** Starts the rebuild, also one that an earlier run of the server did not finish. */
  rebuild(): void {
    if (!this.#guard.isCatalogBeingMade) return;
    void this.#jobs.stop('check').then(() => {
      if (this.#isClosed) return;
      this.#isLostAgain = this.#jobs.start('rebuild', { isDeep: false }) === undefined;
    });
  }

  /** A rebuild ended, also one that an operator started. One that did not reach the end counts as something that could not be read. */
  ended({ status, faults, faultCount }: ArchiveJobState): void {
    // The next run of the server starts it again.
    if (this.#isClosed) return;
    const isUnread = faults.filter(({ kind }) => kind === 'unread' || kind === 'damaged' || kind === 'misplaced');
    const unnamed = faultCount - faults.length;
    this.#guard.catalogMade(isUnread.length + unnamed + (status === 'done' && !this.#isLostAgain ? 0 : 1));
    this.#isLostAgain = false;
  }

  /** Rebuilds that end from now on were stopped by the end of the server. */
  close(): void {
    this.#isClosed = true;
  }
}
