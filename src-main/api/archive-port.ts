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
  /** Unlocks a time; locks that are longer are cut. */
  unlock(stream: string, time: ArchiveTime, by: ChangedBy): void;
}

/** What a deletion freed, as headers of its answer. */
export function removedHeaders({ count, bytes }: RemovedTime): Readonly<Record<string, string>> {
  return { 'airdesk-deleted-blocks': String(count), 'airdesk-freed-bytes': String(bytes) };
}
