import type { LogCondition, LogQuery } from '../../src-preload/contract/api/log-query.ts';
import type { Connection } from './database.ts';

/** Maximum result of a count, because a list only shows an approximate number. */
const MAX_COUNTED = 100_000;
/** Number of rows that are removed in one turn. */
const REMOVAL_BATCH = 5000;

const OPERATORS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/**
 * Table whose rows are ordered by a time, then by their `id`. The names in this object become parts of SQL
 * statements.
 */
export interface LogTable<Row> {
  readonly table: string;
  /** Column of the time, epoch milliseconds. */
  readonly time: Extract<keyof Row, string>;
  /** Columns, equal to the fields of a row. */
  readonly fields: readonly Extract<keyof Row, string>[];
}

/** Reads a log by the queries of lists, and removes its old rows. */
export class LogRows<Row extends object> {
  readonly #connection: Connection;
  readonly #table: LogTable<Row>;

  constructor(connection: Connection, table: LogTable<Row>) {
    this.#connection = connection;
    this.#table = table;
  }

  /** Rows in the order of the query. */
  rows({ conditions, isDescending, after, limit }: LogQuery<Extract<keyof Row, string>>): Row[] {
    const { table, time, fields } = this.#table;
    const where = whereOf(conditions, fields);
    if (after) {
      const sign = `${isDescending ? '<' : '>'}${after.isInclusive ? '=' : ''}`;
      where.texts.push(`(${time}, id) ${sign} (?, ?)`);
      where.values.push(after.atMs, after.id);
    }
    const order = isDescending ? 'DESC' : 'ASC';
    const sql = `SELECT ${fields.join(', ')} FROM ${table} ${textOf(where)} ORDER BY ${time} ${order}, id ${order} LIMIT ?`;
    // The statement selects exactly the fields of a row.
    return this.#connection.prepare(sql).all(...where.values, limit) as Row[];
  }

  /** Number of matching rows, counted up to 100 000. */
  count(conditions: readonly LogCondition<Extract<keyof Row, string>>[]): number {
    const { table, fields } = this.#table;
    const where = whereOf(conditions, fields);
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${table} ${textOf(where)} LIMIT ?)`;
    return Number(
      this.#connection
        .prepare(sql)
        .pluck()
        .get(...where.values, MAX_COUNTED),
    );
  }

  /** Removes some of the rows before a time. Returns their number, 0 if none are left. @param limit maximum number */
  removeBefore(timeMs: number, limit = REMOVAL_BATCH): number {
    const { table, time } = this.#table;
    const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${time} < ? ORDER BY ${time} LIMIT ?)`;
    return this.#connection.prepare(sql).run(timeMs, limit).changes;
  }
}

interface Where {
  readonly texts: string[];
  readonly values: (string | number)[];
}

function textOf({ texts }: Where): string {
  return texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
}

function whereOf(conditions: readonly LogCondition<string>[], fields: readonly string[]): Where {
  const where: Where = { texts: [], values: [] };
  for (const { field, operator, values } of conditions) {
    // Only known names may become parts of the statement.
    if (!fields.includes(field)) throw new RangeError(`${field} is no column`);
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
      case 'below':
        where.texts.push(
          `EXISTS (SELECT 1 FROM json_each(?) WHERE ${field} = value OR substr(${field}, 1, length(value) + 1) = value || '/')`,
        );
        where.values.push(JSON.stringify(values));
        break;
      default:
        where.texts.push(`${field} ${OPERATORS[operator]} ?`);
        where.values.push(first);
    }
  }
  return where;
}
