import type { ChangedBy } from '../operators/caller.ts';

/** A stretch of time, in epoch milliseconds; its end is not in it. */
export interface ArchiveTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** A stretch of an archive that no limit deletes. */
export interface ShownLock extends ArchiveTime {
  readonly note: string;
  /** Who locked it last, and when, in epoch milliseconds. */
  readonly by: string;
  readonly atMs: number;
}

/** What is recorded, and what is done with it. Times are epoch milliseconds. */
export interface RecordedArchive {
  /** What is recorded of a stream between two times, without its holes, and where the next range begins if there are more than `most`. */
  ranges(
    stream: string,
    time: ArchiveTime,
    most: number,
  ): Promise<{ readonly ranges: readonly ArchiveTime[]; readonly nextMs?: number }>;
  /** All that there is of a stream, whether the server knows it or not; undefined where nothing is. */
  extent(stream: string): (ArchiveTime & { readonly blocks: number; readonly bytes: number }) | undefined;
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
  /** Unlocks a time; locks that are longer are cut. */
  unlock(stream: string, time: ArchiveTime, by: ChangedBy): void;
}
