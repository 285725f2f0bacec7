import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ArchiveCatalog, ArchiveRanges } from '../../dvr/catalog/archive-catalog.ts';
import type { StoredExtent, TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { ArchiveDeletion, DeletedTime } from '../../dvr/keep/archive-deletion.ts';
import type { ArchiveLocks, LockedTimes } from '../../dvr/keep/archive-locks.ts';
import type { ArchiveJobName, ArchiveJobs } from '../../dvr/keep/archive-jobs.ts';
import type { ArchiveLock, LockList } from '../../dvr/keep/lock-set.ts';
import type { EventEmitter } from '../../events/event-bus.ts';
import type { Clock } from '../../lib/clock.ts';
import { isFullDisk } from '../../lib/full-disk.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import { archiveBlock, type ArchiveBlock } from '../../dvr/catalog/shown-block.ts';

/** Reason why no limit deletes recordings at present, with its start (epoch milliseconds). */
interface DeletionHold {
  readonly reason: 'clock' | 'locks' | 'catalog' | 'state';
  readonly sinceMs: number;
  readonly jumpMs?: number | undefined;
  readonly restored?: number | undefined;
  readonly unread?: number | undefined;
}

export interface ArchiveServiceDeps {
  readonly catalog: ArchiveCatalog;
  /** Media on disk that is in no finished block yet, which the catalog does not list. */
  readonly recordings: {
    readonly unfinishedStreams: readonly string[];
    unfinished(stream: string): TimeRange | undefined;
  };
  /** Undefined if locks cannot be stored. */
  readonly locks: ArchiveLocks | undefined;
  /** Ranges that episodes protect; absent if there are none. */
  readonly episodes?: LockedTimes | undefined;
  readonly clock: Clock;
  readonly events: EventEmitter;
  readonly deletion: Pick<ArchiveDeletion, 'remove'>;
  readonly jobs: Pick<ArchiveJobs, 'start' | 'state' | 'stop'>;
  /** Decides whether limits may delete recordings. */
  readonly guard: {
    readonly holds: readonly DeletionHold[];
    readonly isCatalogBeingRebuilt: boolean;
    confirm(): readonly DeletionHold[];
  };
  /** Called when a range was unlocked and may be past its limits. */
  readonly unlocked: () => void;
}

/**
 * Recordings, and operators' actions on them. Every change emits an event with its author and reason. Times are epoch
 * milliseconds.
 */
export class ArchiveService {
  readonly #deps: ArchiveServiceDeps;

  constructor(deps: ArchiveServiceDeps) {
    this.#deps = deps;
  }

  /** Lists the recorded ranges of a stream between two times. @param limit maximum number of ranges */
  async ranges(stream: string, time: TimeRange, limit: number): Promise<ArchiveRanges> {
    return this.#deps.catalog.ranges(stream, time, limit);
  }

  /**
   * Lists the names of streams with recordings, configured or not, in order and after the name `after`.
   *
   * @param limit maximum number of names
   */
  async streams(after: string, limit: number): Promise<readonly string[]> {
    const names = new Set(await this.#deps.catalog.streams(after, limit));
    for (const name of this.#deps.recordings.unfinishedStreams) if (name > after) names.add(name);
    return [...names].sort().slice(0, limit);
  }

  /**
   * Time range of the complete archive of a stream, configured or not, and number and size of its finished blocks; undefined if
   * it has none.
   */
  async extent(stream: string): Promise<StoredExtent | undefined> {
    const stored = await this.#deps.catalog.extent(stream);
    const open = this.#deps.recordings.unfinished(stream);
    if (!open) return stored;
    const { blocks, bytes, startMs, endMs } = stored ?? { blocks: 0, bytes: 0, ...open };
    return { blocks, bytes, startMs: Math.min(startMs, open.startMs), endMs: Math.max(endMs, open.endMs) };
  }

  /** Locks of a stream that overlap a time range, oldest first. */
  locks(stream: string, time: TimeRange): LockList {
    return this.#locks().list(stream, time);
  }

  /**
   * Locks a time range. Raises `archive_locks_full` if there are too many locks.
   * @param isAlone true to replace overlapping locks and their notes; false to merge the locks
   */
  lock(
    stream: string,
    { startMs, endMs, note }: TimeRange & { readonly note: string },
    by: ChangedBy,
    { isAlone }: { readonly isAlone: boolean },
  ): ArchiveLock {
    const locks = this.#locks();
    const { clock, events } = this.#deps;
    const newLock = { startMs, endMs, note, by: by.who, atMs: clock.now() };
    const lock = isAlone ? locks.put(stream, newLock) : locks.add(stream, newLock);
    if (!lock)
      throw new AirdeskError('archive_locks_full', `${stream} has too many locks, or their notes are too long`);
    events.emit('dvr_locked', { media: stream, ...timeFields({ startMs, endMs }), note, ...authorFields(by) });
    return lock;
  }

  /** Lists the complete blocks of a stream with media between two times, in order. @param limit maximum number of blocks */
  async blocks(stream: string, time: TimeRange, limit: number): Promise<readonly ArchiveBlock[]> {
    const blocks = await this.#deps.catalog.blocks(stream, time, limit);
    return blocks.map(archiveBlock);
  }

  /**
   * Deletes all segments that overlap a past time range. Raises `archive_locked` if a part is locked and `withLocked` is false,
   * and `disk_error` or `disk_full` if a part could not be deleted.
   * @param note reason
   */
  async remove(
    stream: string,
    time: TimeRange,
    by: ChangedBy,
    { note, withLocked }: { readonly note: string; readonly withLocked: boolean },
  ): Promise<Pick<DeletedTime, 'count' | 'bytes'>> {
    const { deletion, events, locks, episodes } = this.#deps;
    const isLocked = (when: TimeRange): boolean =>
      locks?.hasLocked(stream, when) !== false || episodes?.hasLocked(stream, when) === true;
    if (!withLocked) this.#locks();
    if (!withLocked && isLocked(time))
      throw new AirdeskError(
        'archive_locked',
        `A part of this range of ${stream} is locked or belongs to an episode; unlock it first`,
      );
    const mustKeep = (when: TimeRange): boolean => !withLocked && isLocked(when);
    const { count, bytes, failures } = await deletion.remove(stream, time, mustKeep);
    const facts = { ...timeFields(time), note, ...authorFields(by) };
    events.emit('dvr_deleted_fragments', { media: stream, storage: null, count, bytes, reason: 'request', ...facts });
    const [failure] = failures;
    if (failure) {
      const why = failure.error instanceof Error ? failure.error.message : String(failure.error);
      const code = isFullDisk(failure.error) ? 'disk_full' : 'disk_error';
      throw new AirdeskError(code, `${failures.length} blocks could not be deleted: ${failure.path}: ${why}`);
    }
    if (withLocked && locks) this.unlock(stream, time, by);
    return { count, bytes };
  }

  /**
   * Starts a job. Raises `job_running` if it, or a job that excludes it, already runs.
   * @param isDeep whether every byte is read
   */
  startJob(
    name: ArchiveJobName,
    { isDeep }: { readonly isDeep: boolean },
  ): NonNullable<ReturnType<ArchiveJobs['start']>> {
    const state = this.#deps.jobs.start(name, { isDeep });
    if (!state) throw new AirdeskError('job_running');
    return state;
  }

  /** State of the latest run of a job; undefined if it was not started since the start of the server. */
  job(name: ArchiveJobName): ReturnType<ArchiveJobs['state']> {
    return this.#deps.jobs.state(name);
  }

  /** Stops a job. @returns whether it was running */
  async stopJob(name: ArchiveJobName): Promise<boolean> {
    return this.#deps.jobs.stop(name);
  }

  /** Reasons why no limit deletes recordings at present; empty if deletion is allowed. */
  get holds(): readonly DeletionHold[] {
    return this.#deps.guard.holds;
  }

  /** Allows deletion again. Raises `job_running` while a lost catalog is rebuilt. @returns whether it was suspended */
  allowDeletion(by: ChangedBy): boolean {
    const { guard } = this.#deps;
    if (guard.isCatalogBeingRebuilt)
      throw new AirdeskError('job_running', 'The catalog of recordings is being rebuilt; wait for the end, or stop it');
    const ended = guard.confirm();
    if (ended.length === 0) return false;
    const reasons = ended.map(({ reason }) => reason).join(', ');
    this.#deps.events.emit('dvr_deletion_allowed', { reasons, ...authorFields(by) });
    this.#deps.unlocked();
    return true;
  }

  /** Unlocks a time range. Locks that extend beyond the range are shortened. */
  unlock(stream: string, time: TimeRange, by: ChangedBy): void {
    const found = this.#locks().remove(stream, time);
    if (found.length === 0) return;
    const note = found.map((lock) => lock.note).join('\n');
    this.#deps.events.emit('dvr_unlocked', { media: stream, ...timeFields(time), note, ...authorFields(by) });
    this.#deps.unlocked();
  }

  #locks(): ArchiveLocks {
    const { locks } = this.#deps;
    if (!locks) throw new AirdeskError('unavailable', 'Locks cannot be stored, because the database cannot be opened');
    return locks;
  }
}

function timeFields({ startMs, endMs }: TimeRange): { from: number; duration_ms: number } {
  return { from: startMs, duration_ms: endMs - startMs };
}

function authorFields({ who, fromWhere }: ChangedBy): { by: string; origin: string } {
  return { by: who, origin: fromWhere };
}
