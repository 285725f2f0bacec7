import type { TimeRange } from '../catalog/catalog-store.ts';
import { addLock, isAllLocked, locksIn, putLock, removeLocks, type ArchiveLock, type LockList } from './lock-set.ts';

/** Where locks outlast a restart. Raises what keeps it from that. */
export interface LockStore {
  /** All of them. */
  all(): Iterable<ArchiveLock & { readonly stream: string }>;
  /** Replaces locks of a stream, in one step. @param removed by their begin */
  change(stream: string, removed: readonly number[], added: readonly ArchiveLock[]): void;
}

/** What is locked, as retention and deletion ask. */
export interface LockedTimes {
  /** Whether something of a time is locked. */
  hasLocked(stream: string, time: TimeRange): boolean;
  /** Whether all of a time is locked. */
  isAllLocked(stream: string, time: TimeRange): boolean;
}

/** Most locks of one stream, and of all: they are held in memory. */
export const MAX_LOCKS = 10_000;
const MAX_LOCKS_IN_ALL = 200_000;
/** Longest note of a lock, in characters, those of joined locks together. */
export const MAX_NOTE = 4000;

/** The locks of all archives: in memory for who asks, and in a store. A change that cannot be stored does not take place. */
export class ArchiveLocks implements LockedTimes {
  readonly #store: LockStore;
  readonly #locks = new Map<string, LockList>();
  #count = 0;

  /** Reads all that there are. Raises what the store does. */
  constructor(store: LockStore) {
    this.#store = store;
    const lists = new Map<string, ArchiveLock[]>();
    for (const { stream, ...lock } of store.all()) {
      const known = lists.get(stream);
      if (known) known.push(lock);
      else lists.set(stream, [lock]);
      this.#count++;
    }
    for (const [stream, list] of lists)
      this.#locks.set(
        stream,
        list.sort((a, b) => a.startMs - b.startMs),
      );
  }

  /** The locks of a stream that have something of a time, oldest first. */
  list(stream: string, time: TimeRange): LockList {
    return locksIn(this.#locks.get(stream) ?? [], time);
  }

  hasLocked(stream: string, time: TimeRange): boolean {
    return this.list(stream, time).length > 0;
  }

  isAllLocked(stream: string, time: TimeRange): boolean {
    return isAllLocked(this.#locks.get(stream) ?? [], time);
  }

  /** All locks, stream by stream. */
  *all(): Generator<ArchiveLock & { readonly stream: string }, void> {
    for (const [stream, locks] of this.#locks) for (const lock of locks) yield { stream, ...lock };
  }

  /** Streams with a lock. */
  get streams(): Iterable<string> {
    return this.#locks.keys();
  }

  /**
   * Locks a time, joined with the locks that it overlaps or touches.
   *
   * @returns the lock that there is now; undefined where there are too many, or too much is noted
   */
  add(stream: string, lock: ArchiveLock): ArchiveLock | undefined {
    return this.#put(stream, lock, addLock);
  }

  /** Locks a time with a note of its own, whatever is locked there. @returns as `add` */
  put(stream: string, lock: ArchiveLock): ArchiveLock | undefined {
    return this.#put(stream, lock, putLock);
  }

  /** Unlocks a time. @returns the locks that had something of it, as they were */
  remove(stream: string, time: TimeRange): LockList {
    const found = this.list(stream, time);
    if (found.length > 0) this.#become(stream, removeLocks(this.#locks.get(stream) ?? [], time));
    return found;
  }

  #put(
    stream: string,
    lock: ArchiveLock,
    change: (locks: LockList, lock: ArchiveLock) => LockList,
  ): ArchiveLock | undefined {
    const known = this.#locks.get(stream) ?? [];
    const changed = change(known, lock);
    const made = locksIn(changed, lock)[0];
    const isFull = changed.length > MAX_LOCKS || this.#count + changed.length - known.length > MAX_LOCKS_IN_ALL;
    if (!made || isFull || made.note.length > MAX_NOTE) return undefined;
    this.#become(stream, changed);
    return made;
  }

  #become(stream: string, changed: LockList): void {
    const known = this.#locks.get(stream) ?? [];
    const [before, after] = [new Set(known), new Set(changed)];
    this.#store.change(
      stream,
      known.filter((lock) => !after.has(lock)).map(({ startMs }) => startMs),
      changed.filter((lock) => !before.has(lock)),
    );
    this.#count += changed.length - known.length;
    if (changed.length === 0) this.#locks.delete(stream);
    else this.#locks.set(stream, changed);
  }
}
