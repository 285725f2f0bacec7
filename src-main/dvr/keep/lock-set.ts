import type { TimeRange } from '../catalog/catalog-store.ts';

/** Range of an archive that no limit deletes, in epoch milliseconds. */
export interface ArchiveLock extends TimeRange {
  /** Reason for the lock; several lines if locks were joined. May be empty. */
  readonly note: string;
  /** Login of the last editor, and time of the change in epoch milliseconds. */
  readonly by: string;
  readonly atMs: number;
}

/** Locks of one stream: in order, without overlaps. Immutable. */
export type LockList = readonly ArchiveLock[];

/**
 * Adds a lock and joins it with all locks that it overlaps or touches. The notes of all joined locks stay, one line
 * each.
 */
export function addLock(locks: LockList, added: ArchiveLock): LockList {
  const joined = locks.filter(({ startMs, endMs }) => startMs <= added.endMs && endMs >= added.startMs);
  const notes = [...joined.map(({ note }) => note), added.note].flatMap((note) => note.split('\n'));
  const lock: ArchiveLock = {
    ...added,
    startMs: Math.min(added.startMs, ...joined.map(({ startMs }) => startMs)),
    endMs: Math.max(added.endMs, ...joined.map(({ endMs }) => endMs)),
    note: [...new Set(notes.filter((note) => note !== ''))].join('\n'),
  };
  return inOrder([...locks.filter((existing) => !joined.includes(existing)), lock]);
}

/** Adds a lock with its own note and replaces existing locks in its range; their parts outside it stay. */
export function putLock(locks: LockList, lock: ArchiveLock): LockList {
  return inOrder([...removeLocks(locks, lock), lock]);
}

/** Removes a time range from all locks; longer locks are cut. */
export function removeLocks(locks: LockList, time: TimeRange): LockList {
  return locks.flatMap((lock) => {
    if (!overlaps(lock, time)) return [lock];
    const before = { ...lock, endMs: time.startMs };
    const after = { ...lock, startMs: time.endMs };
    return [before, after].filter(({ startMs, endMs }) => startMs < endMs);
  });
}

/** Locks that overlap a time range, by binary search: a stream may have thousands. */
export function locksIn<T extends TimeRange>(locks: readonly T[], time: TimeRange): readonly T[] {
  const found: T[] = [];
  for (let at = firstEndingAfter(locks, time.startMs); at < locks.length; at++) {
    const lock = locks[at];
    if (!lock || lock.startMs >= time.endMs) break;
    found.push(lock);
  }
  return found;
}

/** Whether all of a time range is locked. */
export function isAllLocked(locks: readonly TimeRange[], time: TimeRange): boolean {
  let at = time.startMs;
  for (const lock of locksIn(locks, time)) {
    if (lock.startMs > at) return false;
    at = lock.endMs;
  }
  return at >= time.endMs;
}

function firstEndingAfter(locks: readonly TimeRange[], ms: number): number {
  let [low, high] = [0, locks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((locks[middle]?.endMs ?? 0) > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

function overlaps(one: TimeRange, other: TimeRange): boolean {
  return one.startMs < other.endMs && one.endMs > other.startMs;
}

function inOrder(locks: LockList): LockList {
  return locks.toSorted((a, b) => a.startMs - b.startMs);
}
