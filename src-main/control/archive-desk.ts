import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ArchiveCatalog, ArchiveRanges } from '../dvr/catalog/archive-catalog.ts';
import type { StoredExtent, TimeRange } from '../dvr/catalog/catalog-store.ts';
import type { ArchiveLocks } from '../dvr/keep/archive-locks.ts';
import type { ArchiveLock, LockList } from '../dvr/keep/lock-set.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { ChangedBy } from '../operators/caller.ts';

/** What the use cases of archives work with. */
export interface ArchiveDeskDeps {
  readonly catalog: ArchiveCatalog;
  /** Undefined where they cannot be kept. */
  readonly locks: ArchiveLocks | undefined;
  readonly clock: Clock;
  readonly events: EventEmitter;
  /** Something was unlocked, and may be past its time. */
  readonly unlocked: () => void;
}

/** What is recorded, and what operators do with it: every change is an event with who and why. Times are epoch milliseconds. */
export class ArchiveDesk {
  readonly #deps: ArchiveDeskDeps;

  constructor(deps: ArchiveDeskDeps) {
    this.#deps = deps;
  }

  /** What is recorded of a stream between two times, without its holes. @param most ranges at most */
  async ranges(stream: string, time: TimeRange, most: number): Promise<ArchiveRanges> {
    return this.#deps.catalog.ranges(stream, time, most);
  }

  /** All that there is of a stream, whether the server knows it or not; undefined where nothing is. */
  extent(stream: string): StoredExtent | undefined {
    return this.#deps.catalog.extent(stream);
  }

  /** The locks of a stream that have something of a time, oldest first. */
  locks(stream: string, time: TimeRange): LockList {
    return this.#locks().list(stream, time);
  }

  /**
   * Locks a time. Raises `archive_locks_full` where there are too many.
   *
   * @param isAlone whether it has its own note in the place of what is locked there; otherwise it is joined with that
   */
  lock(
    stream: string,
    { startMs, endMs, note }: TimeRange & { readonly note: string },
    by: ChangedBy,
    { isAlone }: { readonly isAlone: boolean },
  ): ArchiveLock {
    const locks = this.#locks();
    const { clock, events } = this.#deps;
    const wanted = { startMs, endMs, note, by: by.who, atMs: clock.now() };
    const lock = isAlone ? locks.put(stream, wanted) : locks.add(stream, wanted);
    if (!lock) throw new AirdeskError('archive_locks_full', `${stream} has too many locks, or they say too much`);
    events.emit('dvr_locked', { media: stream, ...timeFields({ startMs, endMs }), note, ...authorFields(by) });
    return lock;
  }

  /** Unlocks a time; locks that are longer are cut. */
  unlock(stream: string, time: TimeRange, by: ChangedBy): void {
    const found = this.#locks().remove(stream, time);
    if (found.length === 0) return;
    const note = found.map((lock) => lock.note).join('\n');
    this.#deps.events.emit('dvr_unlocked', { media: stream, ...timeFields(time), note, ...authorFields(by) });
    this.#deps.unlocked();
  }

  #locks(): ArchiveLocks {
    const { locks } = this.#deps;
    if (!locks) throw new AirdeskError('unavailable', 'Locks cannot be kept, because the database cannot be opened');
    return locks;
  }
}

function timeFields({ startMs, endMs }: TimeRange): { from: number; duration_ms: number } {
  return { from: startMs, duration_ms: endMs - startMs };
}

function authorFields({ who, fromWhere }: ChangedBy): { by: string; origin: string } {
  return { by: who, origin: fromWhere };
}
