import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ArchiveCatalog, ArchiveRanges } from '../../dvr/catalog/archive-catalog.ts';
import type { StoredExtent, TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { ArchiveDeletion, DeletedTime } from '../../dvr/keep/archive-deletion.ts';
import type { ArchiveLocks, LockedTimes } from '../../dvr/keep/archive-locks.ts';
import type { ArchiveJobState } from '../../dvr/keep/archive-job.ts';
import type { ArchiveJobName, ArchiveJobs } from '../../dvr/keep/archive-jobs.ts';
import type { ArchiveLock, LockList } from '../../dvr/keep/lock-set.ts';
import type { EventEmitter } from '../../events/event-bus.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import { archiveBlock, type ArchiveBlock } from '../../dvr/catalog/shown-block.ts';

/** A reason why nothing is deleted by limits, since when (epoch milliseconds). */
interface DeletionHold {
  readonly reason: 'clock' | 'locks' | 'catalog' | 'state';
  readonly sinceMs: number;
  readonly jumpMs?: number | undefined;
  readonly restored?: number | undefined;
  readonly unread?: number | undefined;
}

/** What the use cases of archives work with. */
export interface ArchiveDeskDeps {
  readonly catalog: ArchiveCatalog;
  /** Undefined where they cannot be kept. */
  readonly locks: ArchiveLocks | undefined;
  /** What episodes keep; without it they keep nothing. */
  readonly episodes?: LockedTimes | undefined;
  readonly clock: Clock;
  readonly events: EventEmitter;
  readonly deletion: Pick<ArchiveDeletion, 'remove'>;
  readonly jobs: Pick<ArchiveJobs, 'start' | 'state' | 'stop'>;
  /** Decides whether archives may be cleaned. */
  readonly guard: {
    readonly holds: readonly DeletionHold[];
    readonly isCatalogBeingMade: boolean;
    confirm(): readonly DeletionHold[];
  };
  /** Something was unlocked, and may be past its time. */
  readonly unlocked: () => void;
}

/** What is recorded, and what operators do with it: every change is an event with who and why. Times are epoch milliseconds. */
export class ArchiveService {
  readonly #deps: ArchiveDeskDeps;

  constructor(deps: ArchiveDeskDeps) {
    this.#deps = deps;
  }

  /** What is recorded of a stream between two times, without its holes. @param most ranges at most */
  async ranges(stream: string, time: TimeRange, most: number): Promise<ArchiveRanges> {
    return this.#deps.catalog.ranges(stream, time, most);
  }

  /** Names of streams that have something, configured or not, in order, from one behind `after` on. @param most names at most */
  async streams(after: string, most: number): Promise<readonly string[]> {
    return this.#deps.catalog.streams(after, most);
  }

  /** All that there is of a stream, whether the server knows it or not; undefined where nothing is. */
  async extent(stream: string): Promise<StoredExtent | undefined> {
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

  /** Blocks of a stream that have media between two times, whole and in their order. @param most blocks at most */
  async blocks(stream: string, time: TimeRange, most: number): Promise<readonly ArchiveBlock[]> {
    const blocks = await this.#deps.catalog.blocks(stream, time, most);
    return blocks.map(archiveBlock);
  }

  /**
   * Deletes a time up to now: every segment that has something of it. Raises `archive_locked` where some of it is locked and that is not to be deleted too, and
   * `disk_error` where not all of it could be deleted.
   *
   * @param note why
   */
  async remove(
    stream: string,
    time: TimeRange,
    by: ChangedBy,
    { note, withLocked }: { readonly note: string; readonly withLocked: boolean },
  ): Promise<Pick<DeletedTime, 'count' | 'bytes'>> {
    const { deletion, events, locks, episodes } = this.#deps;
    const isHeld = (when: TimeRange): boolean =>
      locks?.hasLocked(stream, when) !== false || episodes?.hasLocked(stream, when) === true;
    if (!withLocked) this.#locks();
    if (!withLocked && isHeld(time))
      throw new AirdeskError(
        'archive_locked',
        `Something of this time of ${stream} is locked, or belongs to an episode; unlock it first`,
      );
    const isKept = (when: TimeRange): boolean => !withLocked && isHeld(when);
    const { count, bytes, failures } = await deletion.remove(stream, time, isKept);
    const facts = { ...timeFields(time), note, ...authorFields(by) };
    events.emit('dvr_deleted_fragments', { media: stream, storage: null, count, bytes, reason: 'request', ...facts });
    const [failure] = failures;
    if (failure) {
      const why = failure.error instanceof Error ? failure.error.message : String(failure.error);
      throw new AirdeskError('disk_error', `${failures.length} blocks could not be deleted: ${failure.path}: ${why}`);
    }
    if (withLocked && locks) this.unlock(stream, time, by);
    return { count, bytes };
  }

  /** Starts a job. Raises `job_running` where it runs already. @param isDeep whether every byte is read */
  startJob(name: ArchiveJobName, { isDeep }: { readonly isDeep: boolean }): ArchiveJobState {
    const state = this.#deps.jobs.start(name, { isDeep });
    if (!state) throw new AirdeskError('job_running');
    return state;
  }

  /** How a job does, or did; undefined where it was not started since the start of the server. */
  job(name: ArchiveJobName): ArchiveJobState | undefined {
    return this.#deps.jobs.state(name);
  }

  /** Stops a job. @returns whether it ran */
  async stopJob(name: ArchiveJobName): Promise<boolean> {
    return this.#deps.jobs.stop(name);
  }

  /** Why nothing is deleted by limits; empty where deletion is allowed. */
  get holds(): readonly DeletionHold[] {
    return this.#deps.guard.holds;
  }

  /** Allows deletion again. Raises `job_running` while the lost catalog is made again. @returns whether it was held */
  allowDeletion(by: ChangedBy): boolean {
    const { guard } = this.#deps;
    if (guard.isCatalogBeingMade)
      throw new AirdeskError('job_running', 'The catalog of recordings is being made again; wait for it, or stop it');
    const ended = guard.confirm();
    if (ended.length === 0) return false;
    const reasons = ended.map(({ reason }) => reason).join(', ');
    this.#deps.events.emit('dvr_deletion_allowed', { reasons, ...authorFields(by) });
    this.#deps.unlocked();
    return true;
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
