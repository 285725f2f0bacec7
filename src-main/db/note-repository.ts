import type { Connection } from './database.ts';

/** Note of an operator at a time of an archive. Times are epoch milliseconds. */
interface StoredNote {
  readonly id: string;
  readonly stream: string;
  readonly atMs: number;
  readonly text: string;
  readonly by: string;
}

const COLUMNS = 'id, stream, at_ms AS atMs, text, noted_by AS "by"';
/** Time in which a removal can be undone, in milliseconds: a day. */
const UNDO_MS = 86_400_000;
/** Maximum number of notes of all streams. */
const MAX_ROWS = 200_000;

/** Notes at times of archives. */
export class NoteRepository {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Notes of a stream between two times, oldest first. @param limit maximum number */
  list(
    stream: string,
    { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
    limit: number,
  ): StoredNote[] {
    return this.#connection
      .prepare<[string, number, number, number], StoredNote>(
        `SELECT ${COLUMNS} FROM archive_note
         WHERE stream = ? AND at_ms >= ? AND at_ms < ? AND removed_ms IS NULL ORDER BY at_ms, id LIMIT ?`,
      )
      .all(stream, startMs, endMs, limit);
  }

  /**
   * Adds a note.
   *
   * @param limit maximum number of notes of a stream
   * @returns false if there are too many
   */
  add({ id, stream, atMs, text, by }: StoredNote, nowMs: number, limit: number): boolean {
    this.#connection.prepare('DELETE FROM archive_note WHERE removed_ms < ?').run(nowMs - UNDO_MS);
    if (this.#count('WHERE stream = ?', stream) >= limit || this.#count('') >= MAX_ROWS) return false;
    this.#connection
      .prepare('INSERT INTO archive_note (id, stream, at_ms, text, noted_by, noted_ms) VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, stream, atMs, text, by, nowMs);
    return true;
  }

  #count(where: string, ...values: readonly string[]): number {
    const sql = `SELECT count(*) FROM archive_note ${where}`;
    return (
      this.#connection
        .prepare<string[], number>(sql)
        .pluck()
        .get(...values) ?? 0
    );
  }

  /** Removes a note. @returns false if there is none */
  remove(stream: string, id: string, nowMs: number): boolean {
    const { changes } = this.#connection
      .prepare('UPDATE archive_note SET removed_ms = ? WHERE stream = ? AND id = ? AND removed_ms IS NULL')
      .run(nowMs, stream, id);
    return changes > 0;
  }

  /** Undoes the removal of a note; undefined if it no longer exists. */
  restore(stream: string, id: string): StoredNote | undefined {
    this.#connection.prepare('UPDATE archive_note SET removed_ms = NULL WHERE stream = ? AND id = ?').run(stream, id);
    return this.#connection
      .prepare<[string, string], StoredNote>(`SELECT ${COLUMNS} FROM archive_note WHERE stream = ? AND id = ?`)
      .get(stream, id);
  }
}
