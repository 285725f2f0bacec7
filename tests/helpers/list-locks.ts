import type { LockStore } from '../../src-main/dvr/keep/archive-locks.ts';
import type { ArchiveLock } from '../../src-main/dvr/keep/lock-set.ts';

/** Locks in a list. */
export class ListLocks implements LockStore {
  locks: (ArchiveLock & { readonly stream: string })[] = [];
  /** Error that changes throw. */
  fault: Error | undefined;

  all(): Iterable<ArchiveLock & { readonly stream: string }> {
    return this.locks;
  }

  change(stream: string, removed: readonly number[], added: readonly ArchiveLock[]): void {
    if (this.fault) throw this.fault;
    this.locks = this.locks.filter((lock) => lock.stream !== stream || !removed.includes(lock.startMs));
    this.locks.push(...added.map((lock) => ({ stream, ...lock })));
  }
}
