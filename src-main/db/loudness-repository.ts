import {
  LOUDNESS_FIELDS,
  type LoudnessField,
  type LoudnessRow,
} from '../../src-preload/contract/api/loudness-object.ts';
import type { LogCondition, LogQuery } from '../../src-preload/contract/api/log-query.ts';
import type { Connection } from './database.ts';
import { LogRows } from './log-rows.ts';

/** Loudness of streams, hour by hour and day by day. */
export class LoudnessRepository {
  readonly #connection: Connection;
  readonly #log: LogRows<LoudnessRow>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#log = new LogRows(connection, { table: 'loudness', time: 'from_at', fields: LOUDNESS_FIELDS });
  }

  write(row: LoudnessRow): void {
    const values = LOUDNESS_FIELDS.map((field) => `@${field}`).join(', ');
    this.#connection
      .prepare(`INSERT OR REPLACE INTO loudness (${LOUDNESS_FIELDS.join(', ')}) VALUES (${values})`)
      .run(row);
  }

  /** Whether there are figures of a span. */
  has(name: string, span: LoudnessRow['span'], fromMs: number): boolean {
    const sql = 'SELECT 1 FROM loudness WHERE name = ? AND from_at = ? AND span = ?';
    return this.#connection.prepare(sql).get(name, fromMs, span) !== undefined;
  }

  /** Rows of a stream in the order of the query. */
  rows(name: string, { conditions, ...query }: LogQuery<LoudnessField>): LoudnessRow[] {
    return this.#log.rows({ ...query, conditions: [ofStream(name), ...conditions] });
  }

  /** Number of a stream's matching rows. */
  count(name: string, conditions: readonly LogCondition<LoudnessField>[]): number {
    return this.#log.count([ofStream(name), ...conditions]);
  }

  /** Removes some of the rows before a time. Returns their number, 0 if none are left. */
  removeBefore(timeMs: number): number {
    return this.#log.removeBefore(timeMs);
  }
}

function ofStream(name: string): LogCondition<LoudnessField> {
  return { field: 'name', operator: 'in', values: [name] };
}
