import type { Connection } from './database.ts';

/** Case with its title and author. Times are epoch milliseconds. */
interface StoredCase {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly by: string;
  readonly atMs: number;
}

/** Clip, still or mark of a case. */
interface StoredCaseItem {
  readonly id: string;
  readonly caseId: string;
  readonly kind: 'clip' | 'still' | 'mark';
  readonly stream: string;
  readonly fromMs: number;
  /** Null for a still or a mark: they have no end. */
  readonly toMs: number | null;
  readonly text: string;
  readonly by: string;
  readonly atMs: number;
}

const CASES = `SELECT id, title, note, created_by AS "by", created_ms AS atMs,
  (SELECT count(*) FROM archive_case_item WHERE case_id = archive_case.id AND removed_ms IS NULL) AS itemCount FROM archive_case`;
const ITEMS = `SELECT id, case_id AS caseId, kind, stream, from_ms AS fromMs, to_ms AS toMs, text,
  added_by AS "by", added_ms AS atMs FROM archive_case_item`;
/** Time in which a removal can be undone, in milliseconds: a day. */
const UNDO_MS = 86_400_000;

/** Cases of archives with their items. */
export class CaseRepository {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All cases, newest first. */
  list(): (StoredCase & { readonly itemCount: number })[] {
    return this.#connection
      .prepare<[], StoredCase & { itemCount: number }>(`${CASES} WHERE removed_ms IS NULL ORDER BY number DESC`)
      .all();
  }

  find(id: string): (StoredCase & { readonly itemCount: number }) | undefined {
    return this.#connection
      .prepare<[string], StoredCase & { itemCount: number }>(`${CASES} WHERE id = ? AND removed_ms IS NULL`)
      .get(id);
  }

  /**
   * Adds a case.
   *
   * @param limit maximum number of cases
   * @returns false if there are too many
   */
  add(created: StoredCase, limit: number): boolean {
    this.#forget(created.atMs);
    if (this.#count('archive_case') >= limit) return false;
    this.#connection
      .prepare(
        'INSERT INTO archive_case (id, title, note, created_by, created_ms) VALUES (@id, @title, @note, @by, @atMs)',
      )
      .run({ ...created });
    return true;
  }

  /** Changes title and note of a case. @returns false if there is none */
  rename(id: string, { title, note }: Pick<StoredCase, 'title' | 'note'>): boolean {
    const { changes } = this.#connection
      .prepare('UPDATE archive_case SET title = ?, note = ? WHERE id = ? AND removed_ms IS NULL')
      .run(title, note, id);
    return changes > 0;
  }

  /** Removes a case with its items; can be undone for a day. @returns false if there is none */
  remove(id: string, nowMs: number): boolean {
    this.#forget(nowMs);
    const { changes } = this.#connection
      .prepare('UPDATE archive_case SET removed_ms = ? WHERE id = ? AND removed_ms IS NULL')
      .run(nowMs, id);
    return changes > 0;
  }

  /** Undoes the removal of a case. @returns false if there is none */
  restore(id: string): boolean {
    this.#connection.prepare('UPDATE archive_case SET removed_ms = NULL WHERE id = ?').run(id);
    return this.find(id) !== undefined;
  }

  /** Items of a case, in order. */
  items(caseId: string): StoredCaseItem[] {
    return this.#connection
      .prepare<[string], StoredCaseItem>(`${ITEMS} WHERE case_id = ? AND removed_ms IS NULL ORDER BY place, id`)
      .all(caseId);
  }

  /**
   * Appends an item to a case.
   *
   * @param limit maximum number of items of a case, and of all cases
   * @returns false if there are too many
   */
  addItem(item: StoredCaseItem, limit: { readonly ofCase: number; readonly inAll: number }): boolean {
    this.#forget(item.atMs);
    if (this.#itemCount(item.caseId) >= limit.ofCase || this.#count('archive_case_item') >= limit.inAll) return false;
    this.#connection
      .prepare(
        `INSERT INTO archive_case_item (id, case_id, place, kind, stream, from_ms, to_ms, text, added_by, added_ms)
         VALUES (@id, @caseId, (SELECT coalesce(max(place), 0) + 1 FROM archive_case_item WHERE case_id = @caseId),
           @kind, @stream, @fromMs, @toMs, @text, @by, @atMs)`,
      )
      .run({ ...item });
    return true;
  }

  /** Reorders the items of a case: named items come first, in the given order. */
  order(caseId: string, ids: readonly string[]): void {
    const named = new Set(ids);
    const rest = this.items(caseId).filter(({ id }) => !named.has(id));
    const place = this.#connection.prepare('UPDATE archive_case_item SET place = ? WHERE case_id = ? AND id = ?');
    this.#connection.transaction(() => {
      for (const [index, id] of [...named, ...rest.map((item) => item.id)].entries()) place.run(index + 1, caseId, id);
    })();
  }

  /** Removes an item; can be undone for a day. @returns false if there is none */
  removeItem(caseId: string, id: string, nowMs: number): boolean {
    const { changes } = this.#connection
      .prepare('UPDATE archive_case_item SET removed_ms = ? WHERE case_id = ? AND id = ? AND removed_ms IS NULL')
      .run(nowMs, caseId, id);
    return changes > 0;
  }

  /**
   * Undoes the removal of an item, at its former position.
   *
   * @param limit maximum number of items of a case
   * @returns undefined if the item no longer exists, or the case is full
   */
  restoreItem(caseId: string, id: string, limit: number): StoredCaseItem | undefined {
    if (this.#itemCount(caseId) < limit)
      this.#connection
        .prepare('UPDATE archive_case_item SET removed_ms = NULL WHERE case_id = ? AND id = ?')
        .run(caseId, id);
    return this.#connection
      .prepare<[string, string], StoredCaseItem>(`${ITEMS} WHERE case_id = ? AND id = ? AND removed_ms IS NULL`)
      .get(caseId, id);
  }

  /** Deletes items and cases that were removed more than a day ago. */
  #forget(nowMs: number): void {
    const cutoffMs = nowMs - UNDO_MS;
    this.#connection.transaction(() => {
      this.#connection
        .prepare(
          `DELETE FROM archive_case_item WHERE removed_ms < ?
             OR case_id IN (SELECT id FROM archive_case WHERE removed_ms < ?)`,
        )
        .run(cutoffMs, cutoffMs);
      this.#connection.prepare('DELETE FROM archive_case WHERE removed_ms < ?').run(cutoffMs);
    })();
  }

  #itemCount(caseId: string): number {
    return (
      this.#connection
        .prepare<[string], number>('SELECT count(*) FROM archive_case_item WHERE case_id = ? AND removed_ms IS NULL')
        .pluck()
        .get(caseId) ?? 0
    );
  }

  /** Number of rows, including recently removed ones, which still count towards the maximum. */
  #count(table: 'archive_case' | 'archive_case_item'): number {
    return this.#connection.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  }
}
