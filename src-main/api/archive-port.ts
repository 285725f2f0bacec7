import type { ChangedBy } from '../operators/caller.ts';

/** A range of time, in epoch milliseconds; its end is not in it. */
export interface ArchiveTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** A range of an archive that no limit deletes. */
export interface ShownLock extends ArchiveTime {
  readonly note: string;
  /** Who locked it last, and when, in epoch milliseconds. */
  readonly by: string;
  readonly atMs: number;
}

/** A job on all archives. */
export type ArchiveJobName = 'rebuild' | 'check' | 'cleanup' | 'copies';

/** How a job on archives does. */
export interface ShownArchiveJob {
  readonly status: 'running' | 'done' | 'stopped' | 'error';
  /** Percent, 0 to 100. */
  readonly progress: number;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly finishedMs: number | null;
  readonly error: string | null;
  readonly blocks: number;
  readonly bytes: number;
  readonly faultCount: number;
  readonly faults: readonly {
    readonly disk: string;
    readonly path: string;
    readonly kind: string;
    readonly detail: string;
  }[];
}

/** A reason why nothing is deleted by limits, since when (epoch milliseconds). */
interface ShownHold {
  readonly reason: 'clock' | 'locks' | 'catalog' | 'state';
  readonly sinceMs: number;
  readonly jumpMs?: number | undefined;
  readonly restored?: number | undefined;
  readonly unread?: number | undefined;
}

/** What was deleted. */
export interface RemovedTime {
  /** Blocks that are gone, or are shorter than they were. */
  readonly count: number;
  readonly bytes: number;
}

/** A block of an archive. */
export interface ShownBlock extends ArchiveTime {
  /** Path of the file below its disk. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Whether it has video. */
  readonly hasPicture: boolean;
  /** Segments of its first video track, or of its first track, with the bytes of all tracks. */
  readonly segments: readonly (ArchiveTime & { readonly sizeBytes: number })[];
}

/** What is recorded, and what is done with it. Times are epoch milliseconds. */
export interface RecordedArchive {
  /** What is recorded of a stream between two times, without its holes, and where the next range begins if there are more than `most`. */
  ranges(
    stream: string,
    time: ArchiveTime,
    most: number,
  ): Promise<{ readonly ranges: readonly ArchiveTime[]; readonly nextMs?: number }>;
  /** Names of streams that have something, configured or not, in order, from one behind `after` on. @param most names at most */
  streams(after: string, most: number): Promise<readonly string[]>;
  /** All that there is of a stream, whether the server knows it or not; undefined where nothing is. */
  extent(stream: string): Promise<(ArchiveTime & { readonly blocks: number; readonly bytes: number }) | undefined>;
  /** The locks of a stream that have something of a time, oldest first. */
  locks(stream: string, time: ArchiveTime): readonly ShownLock[];
  /**
   * Locks a time. Raises `archive_locks_full` where there are too many locks.
   *
   * @param isAlone whether it has its own note in the place of what is locked there; otherwise it is joined with that
   */
  lock(
    stream: string,
    lock: ArchiveTime & { readonly note: string },
    by: ChangedBy,
    { isAlone }: { readonly isAlone: boolean },
  ): ShownLock;
  /** Blocks of a stream that have media between two times, whole and in their order. @param most blocks at most */
  blocks(stream: string, time: ArchiveTime, most: number): Promise<readonly ShownBlock[]>;
  /**
   * Deletes a time up to now: every segment that has something of it. Raises `archive_locked` where some of it is locked and that is not to be deleted too, and
   * `disk_error` where not all of it could be deleted.
   */
  remove(
    stream: string,
    time: ArchiveTime,
    by: ChangedBy,
    { note, withLocked }: { readonly note: string; readonly withLocked: boolean },
  ): Promise<RemovedTime>;
  /** Starts a job. Raises `job_running` where it runs already. */
  startJob(name: ArchiveJobName, { isDeep }: { readonly isDeep: boolean }): ShownArchiveJob;
  /** How a job does, or did; undefined where it was not started since the start of the server. */
  job(name: ArchiveJobName): ShownArchiveJob | undefined;
  /** Stops a job. @returns whether it ran */
  stopJob(name: ArchiveJobName): Promise<boolean>;
  /** Why nothing is deleted by limits; empty where deletion is allowed. */
  readonly holds: readonly ShownHold[];
  /** Allows deletion again. @returns whether it was held */
  allowDeletion(by: ChangedBy): boolean;
  /** Unlocks a time; locks that are longer are cut. */
  unlock(stream: string, time: ArchiveTime, by: ChangedBy): void;
}

/** What a deletion freed, as headers of its answer. */
export function removedHeaders({ count, bytes }: RemovedTime): Readonly<Record<string, string>> {
  return { 'airdesk-deleted-blocks': String(count), 'airdesk-freed-bytes': String(bytes) };
}
