import { ArchiveDesk } from '../../src-main/control/archive-desk.ts';
import { ArchiveCatalog } from '../../src-main/dvr/catalog/archive-catalog.ts';
import { ArchiveLocks } from '../../src-main/dvr/keep/archive-locks.ts';
import type { Clock } from '../../src-main/lib/clock.ts';
import { ListCatalog } from './list-catalog.ts';
import { ListLocks } from './list-locks.ts';

/** The use cases of archives over lists. */
export class StagedArchive {
  readonly store = new ListCatalog();
  readonly locks = new ListLocks();
  /** Events, with their kind. */
  readonly emitted: unknown[] = [];
  readonly desk: ArchiveDesk;
  unlocked = 0;
  /** What was to be deleted, and what of it fails. */
  readonly deletions: unknown[] = [];
  failures: { readonly path: string; readonly error: unknown }[] = [];

  constructor(clock: Clock) {
    const catalog = new ArchiveCatalog({
      ...{ store: this.store, clock },
      open: () => undefined,
      failed(error) {
        throw error;
      },
    });
    this.desk = new ArchiveDesk({
      ...{ catalog, clock, locks: new ArchiveLocks(this.locks) },
      deletion: {
        remove: async (...[stream, time]) => {
          this.deletions.push([stream, time]);
          return Promise.resolve({ count: 3, bytes: 4000, failures: this.failures });
        },
      },
      events: { emit: (kind, fields) => void this.emitted.push({ kind, ...fields }) },
      unlocked: () => this.unlocked++,
    });
  }
}
