import { AS_RUN_FIELDS, type AsRunObject } from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import { Database, type Connection, type DatabaseOptions } from '../database.ts';
import { AS_RUN_SHOWINGS } from '../migrations/as-run-0001-showings.ts';
import type { AsRunCondition, AsRunQuery } from '../../../src-preload/contract/api/as-run/as-run-query.ts';

/** Rows that are counted at most: a list says about how many there are. */
const MOST_COUNTED = 100_000;
/** Rows that are removed in one turn. */
const REMOVED_AT_ONCE = 5000;

const OPERATORS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** The log of advertisements that were sent, in a file of its own. */
export class AsRunTable {
  readonly #connection: Connection;
  readonly #close: () => void;
  readonly #writeAll: (rows: readonly AsRunObject[]) => void;

  constructor(connection: Connection, close: () => void = () => undefined) {
    this.#connection = connection;
    this.#close = close;
    const names = AS_RUN_FIELDS.join(', ');
    const values = AS_RUN_FIELDS.map((name) => `@${name}`).join(', ');
    // Of a showing that is known only what went on since is another.
    const write = connection.prepare(
      `INSERT INTO showing (${names}) VALUES (${values})
       ON CONFLICT (id) DO UPDATE SET sent = max(sent, excluded.sent), progress = max(progress, excluded.progress)`,
    );
    this.#writeAll = connection.transaction((rows: readonly AsRunObject[]): void => {
      for (const row of rows) write.run(row);
    });
  }

  /** Opens the file. Raises what `Database.open` raises. */
  static open(path: string, options: Pick<DatabaseOptions, 'log' | 'now'>): AsRunTable {
    const database = Database.open(path, { ...options, migrations: [AS_RUN_SHOWINGS] });
    return new AsRunTable(database.connection, () => {
      database.close();
    });
  }

  /** Writes rows in one transaction. The same rows again change nothing. */
  write(rows: readonly AsRunObject[]): void {
    this.#writeAll(rows);
  }

  /** Rows in the order of the query. */
  rows({ conditions, isDescending, after, limit }: AsRunQuery): AsRunObject[] {
    const where = whereOf(conditions);
    if (after) {
      const sign = `${isDescending ? '<' : '>'}${after.isInclusive ? '=' : ''}`;
      where.texts.push(`(sent_at, id) ${sign} (?, ?)`);
      where.values.push(after.sentAt, after.id);
    }
    const order = isDescending ? 'DESC' : 'ASC';
    const sql = `SELECT ${AS_RUN_FIELDS.join(', ')} FROM showing ${textOf(where)} ORDER BY sent_at ${order}, id ${order} LIMIT ?`;
    // The columns are those of the object.
    return this.#connection.prepare(sql).all(...where.values, limit) as AsRunObject[];
  }

  /** How many rows the conditions let through, counted up to 100 000. */
  count(conditions: readonly AsRunCondition[]): number {
    const where = whereOf(conditions);
    const sql = `SELECT count(*) FROM (SELECT 1 FROM showing ${textOf(where)} LIMIT ?)`;
    return Number(
      this.#connection
        .prepare(sql)
        .pluck()
        .get(...where.values, MOST_COUNTED),
    );
  }

  /** Removes some of the rows before a time; how many, 0 where none are left. */
  removeBefore(timeMs: number): number {
    const sql =
      'DELETE FROM showing WHERE rowid IN (SELECT rowid FROM showing WHERE sent_at < ? ORDER BY sent_at LIMIT ?)';
    return this.#connection.prepare(sql).run(timeMs, REMOVED_AT_ONCE).changes;
  }

  /** Ends the connection. */
  close(): void {
    this.#close();
  }
}

interface Where {
  readonly texts: string[];
  readonly values: (string | number)[];
}

function textOf({ texts }: Where): string {
  return texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
}

function whereOf(conditions: readonly AsRunCondition[]): Where {
  const where: Where = { texts: [], values: [] };
  for (const { field, operator, values } of conditions) {
    // Names go into the text of the statement.
    if (!AS_RUN_FIELDS.includes(field)) throw new RangeError(`${field} is no column`);
    const [first = ''] = values;
    switch (operator) {
      case 'in':
        where.texts.push(values.length === 1 ? `${field} = ?` : `${field} IN (SELECT value FROM json_each(?))`);
        where.values.push(values.length === 1 ? first : JSON.stringify(values));
        break;
      case 'ne':
        where.texts.push(`(${field} IS NULL OR ${field} NOT IN (SELECT value FROM json_each(?)))`);
        where.values.push(JSON.stringify(values));
        break;
      case 'is':
      case 'is_not':
        where.texts.push(`${field} IS ${operator === 'is' ? '' : 'NOT '}NULL`);
        break;
      case 'like':
        where.texts.push(`substr(${field}, 1, length(?)) = ?`);
        where.values.push(first, first);
        break;
      default:
        where.texts.push(`${field} ${OPERATORS[operator]} ?`);
        where.values.push(first);
    }
  }
  return where;
}
