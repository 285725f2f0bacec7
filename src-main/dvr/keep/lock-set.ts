import type { TimeRange } from '../catalog/catalog-store.ts';

/** A range of an archive that no limit deletes, in epoch milliseconds. */
export interface ArchiveLock extends TimeRange {
  /** Why it is kept; several lines where locks were joined. May be empty. */
  readonly note: string;
  /** Login of who locked it last, and when, in epoch milliseconds. */
  readonly by: string;
  readonly atMs: number;
}

/** Locks of one stream: ordered, and none overlaps or touches another with the same note. Every change makes a new list. */
export type LockList = readonly ArchiveLock[];

/** Adds a lock. It is joined with all that it overlaps or touches; the notes of all of them stay, a line each. */
export function addLock(locks: LockList, added: ArchiveLock): LockList {
  const joined = locks.filter(({ startMs, endMs }) => startMs <= added.endMs && endMs >= added.startMs);
  const notes = [...joined.map(({ note }) => note), added.note].flatMap((note) => note.split('\n'));
  const lock: ArchiveLock = {
    ...added,
    startMs: Math.min(added.startMs, ...joined.map(({ startMs }) => startMs)),
    endMs: Math.max(added.endMs, ...joined.map(({ endMs }) => endMs)),
    note: [...new Set(notes.filter((note) => note !== ''))].join('\n'),
  };
  return inOrder([...locks.filter((known) => !joined.includes(known)), lock]);
}

/** Puts a lock with a note of its own in the place of what is locked there; what was locked around it stays as it is. */
export function putLock(locks: LockList, lock: ArchiveLock): LockList {
  return inOrder([...removeLocks(locks, lock), lock]);
}

/** Takes a time out of all locks; a lock that is longer is cut. */
export function removeLocks(locks: LockList, time: TimeRange): LockList {
  return locks.flatMap((lock) => {
    if (!overlaps(lock, time)) return [lock];
    const before = { ...lock, endMs: time.startMs };
    const after = { ...lock, startMs: time.endMs };
    return [before, after].filter(({ startMs, endMs }) => startMs < endMs);
  });
}

/** The locks that have something of a time. Found by halving: a stream may have thousands. */
export function locksIn<T extends TimeRange>(locks: readonly T[], time: TimeRange): readonly T[] {
  const found: T[] = [];
  for (let at = firstEndingAfter(locks, time.startMs); at < locks.length; at++) {
    const lock = locks[at];
    if (!lock || lock.startMs >= time.endMs) break;
    found.push(lock);
  }
  return found;
}

/** Whether all of a time is locked. */
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
