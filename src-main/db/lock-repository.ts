import type { Connection } from './database.ts';

/** Range of a stream's archive that no limit deletes. Times are epoch milliseconds. */
interface StoredLock {
  readonly startMs: number;
  readonly endMs: number;
  readonly note: string;
  readonly by: string;
  readonly atMs: number;
}

/** Locks of archives. */
export class LockRepository {
  readonly #connection: Connection;
  readonly #change: (stream: string, removed: readonly number[], added: readonly StoredLock[]) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    const remove = connection.prepare('DELETE FROM archive_lock WHERE stream = ? AND start_ms = ?');
    const add = connection.prepare(
      `INSERT INTO archive_lock (stream, start_ms, end_ms, note, locked_by, locked_ms)
       VALUES (@stream, @startMs, @endMs, @note, @by, @atMs)`,
    );
    this.#change = connection.transaction(
      (stream: string, removed: readonly number[], added: readonly StoredLock[]): void => {
        for (const startMs of removed) remove.run(stream, startMs);
        for (const lock of added) add.run({ stream, ...lock });
      },
    );
  }

  /** All locks, by stream and start. */
  all(): Iterable<StoredLock & { readonly stream: string }> {
    return this.#connection
      .prepare<[], StoredLock & { readonly stream: string }>(
        `SELECT stream, start_ms AS startMs, end_ms AS endMs, note, locked_by AS "by", locked_ms AS atMs
         FROM archive_lock ORDER BY stream, start_ms`,
      )
      .iterate();
  }

  /** Replaces locks of a stream in one transaction. @param removed starts of removed locks */
  change(stream: string, removed: readonly number[], added: readonly StoredLock[]): void {
    this.#change(stream, removed, added);
  }
}
