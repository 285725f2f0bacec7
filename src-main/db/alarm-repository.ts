import { ALARM_FIELDS, type AlarmField, type AlarmObject } from '../../src-preload/contract/api/alarm-object.ts';
import type { LogCondition, LogQuery } from '../../src-preload/contract/api/log-query.ts';
import type { Connection } from './database.ts';
import { LogRows } from './log-rows.ts';

/** Maximum number of rows, so that a query without an index takes few milliseconds. */
const MAX_ROWS = 50_000;

/** Row of the table. */
type Row = Omit<AlarmObject, 'facts'> & { readonly facts: string };

/** History of alarms. */
export class AlarmRepository {
  readonly #connection: Connection;
  readonly #log: LogRows<Row>;
  readonly #writeAll: (rows: readonly AlarmObject[]) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#log = new LogRows(connection, { table: 'alarm', time: 'raised_at', fields: ALARM_FIELDS });
    const write = connection.prepare(
      `INSERT OR REPLACE INTO alarm (${ALARM_FIELDS.join(', ')}) VALUES (${ALARM_FIELDS.map((name) => `@${name}`).join(', ')})`,
    );
    this.#writeAll = connection.transaction((rows: readonly AlarmObject[]): void => {
      for (const row of rows) write.run({ ...row, facts: JSON.stringify(row.facts) } satisfies Row);
    });
  }

  /** Writes rows in one transaction. Each replaces its previous version. */
  write(rows: readonly AlarmObject[]): void {
    this.#writeAll(rows);
  }

  /** Rows in the order of the query. */
  rows(query: LogQuery<AlarmField>): AlarmObject[] {
    // `write` stored the facts as JSON of this type.
    return this.#log.rows(query).map((row) => ({ ...row, facts: JSON.parse(row.facts) as AlarmObject['facts'] }));
  }

  /** Number of matching rows. */
  count(conditions: readonly LogCondition<AlarmField>[]): number {
    return this.#log.count(conditions);
  }

  /** Alarms of streams, oldest first: raised ones, and ones cleared after `clearedAfterMs` (epoch milliseconds) but not acknowledged. */
  open(clearedAfterMs: number): AlarmObject[] {
    const rows = this.#connection
      .prepare<[number], Row>(
        `SELECT ${ALARM_FIELDS.join(', ')} FROM alarm WHERE name IS NOT NULL
           AND (cleared_at IS NULL OR (acknowledged_at IS NULL AND cleared_at > ?)) ORDER BY raised_at`,
      )
      .all(clearedAfterMs);
    // `write` stored the facts as JSON of this type.
    return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) as AlarmObject['facts'] }));
  }

  /**
   * Clears the alarms of the server itself that were raised when it stopped. They are raised again if their faults
   * still exist.
   */
  endServerAlarms(nowMs: number): void {
    this.#connection
      .prepare('UPDATE alarm SET cleared_at = max(?, raised_at) WHERE cleared_at IS NULL AND name IS NULL')
      .run(nowMs);
  }

  /** Shelved keys, each with the end of its shelving in epoch milliseconds. */
  shelved(): ReadonlyMap<string, number> {
    const rows = this.#connection
      .prepare<[], readonly [string, number]>('SELECT key, until_at FROM shelved_alarm ORDER BY until_at')
      .raw()
      .all();
    return new Map(rows);
  }

  /** Shelves a key until a time; null ends the shelving. */
  shelve(key: string, untilMs: number | null): void {
    if (untilMs === null) this.#connection.prepare('DELETE FROM shelved_alarm WHERE key = ?').run(key);
    else
      this.#connection.prepare('INSERT OR REPLACE INTO shelved_alarm (key, until_at) VALUES (?, ?)').run(key, untilMs);
  }

  /** Removes some of the rows before a time, or beyond the 50 000 newest. Returns their number, 0 if none are left. */
  removeBefore(timeMs: number): number {
    const beyond = this.#connection
      .prepare<[number], number>('SELECT raised_at FROM alarm ORDER BY raised_at DESC LIMIT 1 OFFSET ?')
      .pluck()
      .get(MAX_ROWS);
    return this.#log.removeBefore(Math.max(timeMs, beyond ?? 0));
  }
}
