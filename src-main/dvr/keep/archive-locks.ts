import type { TimeRange } from '../catalog/catalog-store.ts';
import { addLock, isAllLocked, locksIn, putLock, removeLocks, type ArchiveLock, type LockList } from './lock-set.ts';

/** Storage port of locks across restarts. Throws its errors. */
export interface LockStore {
  all(): Iterable<ArchiveLock & { readonly stream: string }>;
  /** Replaces locks of a stream atomically. @param removed start times of removed locks */
  change(stream: string, removed: readonly number[], added: readonly ArchiveLock[]): void;
}

/** Protected times, for retention and deletion. */
export interface LockedTimes {
  /** Whether a time range overlaps a protected one. */
  hasLocked(stream: string, time: TimeRange): boolean;
  /** Whether all of a time range is protected. */
  isAllLocked(stream: string, time: TimeRange): boolean;
}

/** Maximum number of locks of one stream, and of all streams. Locks are in memory. */
export const MAX_LOCKS = 10_000;
const MAX_LOCKS_IN_ALL = 200_000;
/** Maximum length of a note in characters, including notes of joined locks. */
export const MAX_NOTE = 4000;

/** Locks of all archives, in memory for queries and in a store. A change that cannot be stored has no effect. */
export class ArchiveLocks implements LockedTimes {
  readonly #store: LockStore;
  readonly #locks = new Map<string, LockList>();
  #count = 0;

  /** Loads all locks. Throws errors of the store. */
  constructor(store: LockStore) {
    this.#store = store;
    const lists = new Map<string, ArchiveLock[]>();
    for (const { stream, ...lock } of store.all()) {
      const list = lists.get(stream);
      if (list) list.push(lock);
      else lists.set(stream, [lock]);
      this.#count++;
    }
    for (const [stream, list] of lists)
      this.#locks.set(
        stream,
        list.sort((a, b) => a.startMs - b.startMs),
      );
  }

  /** Locks of a stream that overlap a time range, oldest first. */
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
   * Locks a time range, joined with locks that it overlaps or touches.
   *
   * @returns the resulting lock; undefined if there are too many, or the note is too long
   */
  add(stream: string, lock: ArchiveLock): ArchiveLock | undefined {
    return this.#put(stream, lock, addLock);
  }

  /** Locks a time range with its own note, replacing existing locks in it. @returns as `add` */
  put(stream: string, lock: ArchiveLock): ArchiveLock | undefined {
    return this.#put(stream, lock, putLock);
  }

  /** Unlocks a time range. @returns the affected locks, as they were */
  remove(stream: string, time: TimeRange): LockList {
    const found = this.list(stream, time);
    if (found.length > 0) this.#replace(stream, removeLocks(this.#locks.get(stream) ?? [], time));
    return found;
  }

  #put(
    stream: string,
    lock: ArchiveLock,
    change: (locks: LockList, lock: ArchiveLock) => LockList,
  ): ArchiveLock | undefined {
    const existing = this.#locks.get(stream) ?? [];
    const changed = change(existing, lock);
    const resulting = locksIn(changed, lock)[0];
    const isFull = changed.length > MAX_LOCKS || this.#count + changed.length - existing.length > MAX_LOCKS_IN_ALL;
    if (!resulting || isFull || resulting.note.length > MAX_NOTE) return undefined;
    this.#replace(stream, changed);
    return resulting;
  }

  #replace(stream: string, changed: LockList): void {
    const existing = this.#locks.get(stream) ?? [];
    const [before, after] = [new Set(existing), new Set(changed)];
    this.#store.change(
      stream,
      existing.filter((lock) => !after.has(lock)).map(({ startMs }) => startMs),
      changed.filter((lock) => !before.has(lock)),
    );
    this.#count += changed.length - existing.length;
    if (changed.length === 0) this.#locks.delete(stream);
    else this.#locks.set(stream, changed);
  }
}
