import type { ChangedBy } from '../../operators/caller.ts';

/** Time range in epoch milliseconds, without its end. */
export interface ArchiveTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** Range of an archive that no limit deletes. */
export interface ShownLock extends ArchiveTime {
  readonly note: string;
  /** Author and time of the last lock, in epoch milliseconds. */
  readonly by: string;
  readonly atMs: number;
}

/** Job on all archives. */
export type ArchiveJobName = 'rebuild' | 'check' | 'cleanup' | 'copies';

/** State of a job on archives. */
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

/** Reason for which limits delete nothing, with its start (epoch milliseconds). */
interface ShownHold {
  readonly reason: 'clock' | 'locks' | 'catalog' | 'state';
  readonly sinceMs: number;
  readonly jumpMs?: number | undefined;
  readonly restored?: number | undefined;
  readonly unread?: number | undefined;
}

/** Result of a deletion. */
export interface RemovedTime {
  /** Number of blocks that were deleted or shortened. */
  readonly count: number;
  readonly bytes: number;
}

/** Block of an archive. */
export interface ShownBlock extends ArchiveTime {
  /** Path of the file below its disk. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly hasPicture: boolean;
  /** Segments of its first video track, or else of its first track, with the bytes of all tracks. */
  readonly segments: readonly (ArchiveTime & { readonly sizeBytes: number })[];
}

/** Recordings and the operations on them. Times are epoch milliseconds. */
export interface RecordedArchive {
  /** Lists the recorded ranges of a stream between two times, and the start of the next one if there are more than `limit`. */
  ranges(
    stream: string,
    time: ArchiveTime,
    limit: number,
  ): Promise<{ readonly ranges: readonly ArchiveTime[]; readonly nextMs?: number }>;
  /**
   * Lists the names of streams with recordings, configured or not, in order and after the name `after`.
   *
   * @param limit maximum number of names
   */
  streams(after: string, limit: number): Promise<readonly string[]>;
  /** Complete archive of a stream, known to the server or not; undefined if it has none. */
  extent(stream: string): Promise<(ArchiveTime & { readonly blocks: number; readonly bytes: number }) | undefined>;
  /** Locks of a stream that overlap a time range, oldest first. */
  locks(stream: string, time: ArchiveTime): readonly ShownLock[];
  /**
   * Locks a time range. Raises `archive_locks_full` if there are too many locks.
   *
   * @param isAlone whether its note replaces that of an overlapping lock; otherwise the locks are merged
   */
  lock(
    stream: string,
    lock: ArchiveTime & { readonly note: string },
    by: ChangedBy,
    { isAlone }: { readonly isAlone: boolean },
  ): ShownLock;
  /** Lists the complete blocks of a stream with media between two times, in order. @param limit maximum number of blocks */
  blocks(stream: string, time: ArchiveTime, limit: number): Promise<readonly ShownBlock[]>;
  /**
   * Deletes all segments that overlap a past time range. Raises `archive_locked` if part of it is locked and locks are respected,
   * and `disk_error` or `disk_full` if a part could not be deleted.
   */
  remove(
    stream: string,
    time: ArchiveTime,
    by: ChangedBy,
    { note, withLocked }: { readonly note: string; readonly withLocked: boolean },
  ): Promise<RemovedTime>;
  /** Starts a job. Raises `job_running` if it already runs. */
  startJob(name: ArchiveJobName, { isDeep }: { readonly isDeep: boolean }): ShownArchiveJob;
  /** State of the latest run of a job; undefined if it was not started since the start of the server. */
  job(name: ArchiveJobName): ShownArchiveJob | undefined;
  /** Stops a job. @returns whether it was running */
  stopJob(name: ArchiveJobName): Promise<boolean>;
  /** Reasons for which limits delete nothing; empty if deletion is allowed. */
  readonly holds: readonly ShownHold[];
  /** Allows deletion again. @returns whether it was suspended */
  allowDeletion(by: ChangedBy): boolean;
  /** Unlocks a time range; longer locks are shortened. */
  unlock(stream: string, time: ArchiveTime, by: ChangedBy): void;
}

/** Headers with the number of blocks and bytes that a deletion freed. */
export function removedHeaders({ count, bytes }: RemovedTime): Readonly<Record<string, string>> {
  return { 'airdesk-deleted-blocks': String(count), 'airdesk-freed-bytes': String(bytes) };
}
