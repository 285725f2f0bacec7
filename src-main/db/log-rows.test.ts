import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogCondition, LogQuery } from '../../src-preload/contract/api/log-query.ts';
import { LogRows } from './log-rows.ts';

interface Row {
  readonly id: string;
  readonly at_ms: number;
  readonly word: string | null;
}

const WORDS = ['a', 'ab', 'b', '%', 'a_', ''];
const row = fc.record({ at_ms: fc.nat(5), word: fc.option(fc.constantFrom(...WORDS), { nil: null }) });
const time = fc.nat(5);
const condition: fc.Arbitrary<LogCondition<keyof Row>> = fc.oneof(
  fc.record({
    field: fc.constant('at_ms' as const),
    operator: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
    values: fc.tuple(time),
  }),
  fc.record({
    field: fc.constant('word' as const),
    operator: fc.constantFrom('in' as const, 'ne' as const),
    values: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    field: fc.constant('word' as const),
    operator: fc.constantFrom('is' as const, 'is_not' as const),
    values: fc.constant([]),
  }),
  fc.record({
    field: fc.constant('word' as const),
    operator: fc.constant('like' as const),
    values: fc.tuple(fc.constantFrom(...WORDS)),
  }),
  fc.record({
    field: fc.constant('word' as const),
    operator: fc.constant('below' as const),
    values: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
  }),
);
const query: fc.Arbitrary<LogQuery<keyof Row>> = fc.record(
  {
    conditions: fc.array(condition, { maxLength: 3 }),
    isDescending: fc.boolean(),
    after: fc.record({ atMs: time, id: fc.constantFrom('00', '03', '07'), isInclusive: fc.boolean() }),
    limit: fc.nat(8),
  },
  { requiredKeys: ['conditions', 'isDescending', 'limit'] },
);

/** Log with some rows; their ids are their positions. */
function logOf(rows: readonly Omit<Row, 'id'>[]) {
  const connection = new Sqlite(':memory:');
  connection.exec('CREATE TABLE log (id TEXT, at_ms INTEGER, word TEXT)');
  const all = rows.map((one, at): Row => ({ id: String(at).padStart(2, '0'), ...one }));
  for (const one of all) connection.prepare('INSERT INTO log VALUES (@id, @at_ms, @word)').run(one);
  return { all, log: new LogRows<Row>(connection, { table: 'log', time: 'at_ms', fields: ['id', 'at_ms', 'word'] }) };
}

/** Whether a row meets a condition, evaluated without SQL. */
function meets(one: Row, { field, operator, values }: LogCondition<keyof Row>): boolean {
  const value = one[field];
  const [first = ''] = values;
  switch (operator) {
    case 'in':
      return value !== null && values.includes(value);
    case 'ne':
      return value === null || !values.includes(value);
    case 'is':
      return value === null;
    case 'is_not':
      return value !== null;
    case 'like':
      return value !== null && String(value).startsWith(String(first));
    case 'below':
      return value !== null && values.some((name) => `${value}/`.startsWith(`${name}/`));
    case 'lt':
      return Number(value) < Number(first);
    case 'lte':
      return Number(value) <= Number(first);
    case 'gt':
      return Number(value) > Number(first);
    case 'gte':
      return Number(value) >= Number(first);
  }
}

const order = (a: Pick<Row, 'at_ms' | 'id'>, b: Pick<Row, 'at_ms' | 'id'>): number =>
  a.at_ms - b.at_ms || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

describe('log rows', () => {
  it('are found by queries as by a filter of all rows', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), query, (rows, { conditions, isDescending, after, limit }) => {
        const { all, log } = logOf(rows);
        const matching = all.filter((one) => conditions.every((each) => meets(one, each)));
        const sign = isDescending ? -1 : 1;
        const following = matching.filter((one) => {
          const place = after ? sign * order(one, { at_ms: after.atMs, id: after.id }) : 1;
          return place > 0 || (place === 0 && after?.isInclusive === true);
        });
        const expected = following.sort((a, b) => sign * order(a, b)).slice(0, limit);
        expect(log.rows({ conditions, isDescending, limit, ...(after ? { after } : {}) })).toEqual(expected);
        expect(log.count(conditions)).toBe(matching.length);
      }),
    );
  });

  it('are removed before a time, the oldest first, some in each call', () => {
    const { log } = logOf([4, 1, 3, 2, 5].map((at) => ({ at_ms: at, word: null })));
    const left = () => log.rows({ conditions: [], isDescending: false, limit: 9 }).map((one) => one.at_ms);
    expect([log.removeBefore(4, 2), left()]).toEqual([2, [3, 4, 5]]);
    expect([log.removeBefore(4, 2), left()]).toEqual([1, [4, 5]]);
    expect(log.removeBefore(4, 2)).toBe(0);
  });

  it('are never found by a field that is no column', () => {
    const { log } = logOf([]);
    const field = '1=1 OR word' as 'word';
    expect(() => log.count([{ field, operator: 'is', values: [] }])).toThrow('is no column');
  });
});
