import {
  AS_RUN_FIELDS,
  type AsRunField,
  type AsRunObject,
} from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import type { LogCondition, LogQuery } from '../../../src-preload/contract/api/log-query.ts';
import { Database, type Connection, type DatabaseOptions } from '../database.ts';
import { LogRows } from '../log-rows.ts';
import { AS_RUN_SCHEMA } from '../schemas/as-run.ts';

/**
 * Number of rows that are removed at once. The rows are in six indexes, and other reads and writes wait during the
 * removal.
 */
const REMOVAL_BATCH = 500;

/** Log of sent advertisements, in a file of its own. */
export class AsRunTable {
  readonly #log: LogRows<AsRunObject>;
  readonly #close: () => void;
  readonly #writeAll: (rows: readonly AsRunObject[]) => void;

  constructor(connection: Connection, close: () => void = () => undefined) {
    this.#log = new LogRows(connection, { table: 'showing', time: 'sent_at', fields: AS_RUN_FIELDS });
    this.#close = close;
    const names = AS_RUN_FIELDS.join(', ');
    const values = AS_RUN_FIELDS.map((name) => `@${name}`).join(', ');
    // For a known showing, only its progress is updated.
    const write = connection.prepare(
      `INSERT INTO showing (${names}) VALUES (${values})
       ON CONFLICT (id) DO UPDATE SET sent = max(sent, excluded.sent), progress = max(progress, excluded.progress)`,
    );
    this.#writeAll = connection.transaction((rows: readonly AsRunObject[]): void => {
      for (const row of rows) write.run(row);
    });
  }

  /** Opens the file. Raises the errors of `Database.open`. */
  static open(path: string, options: Pick<DatabaseOptions, 'log' | 'now'>): AsRunTable {
    const database = Database.open(path, { ...options, schema: AS_RUN_SCHEMA });
    return new AsRunTable(database.connection, () => {
      database.close();
    });
  }

  /** Writes rows in one transaction. A row of a known showing only increases its progress. */
  write(rows: readonly AsRunObject[]): void {
    this.#writeAll(rows);
  }

  /** Rows in the order of the query. */
  rows(query: LogQuery<AsRunField>): AsRunObject[] {
    return this.#log.rows(query);
  }

  /** Number of matching rows, counted up to 100 000. */
  count(conditions: readonly LogCondition<AsRunField>[]): number {
    return this.#log.count(conditions);
  }

  /** Removes some of the rows before a time. Returns their number, 0 if none are left. */
  removeBefore(timeMs: number): number {
    return this.#log.removeBefore(timeMs, REMOVAL_BATCH);
  }

  close(): void {
    this.#close();
  }
}
