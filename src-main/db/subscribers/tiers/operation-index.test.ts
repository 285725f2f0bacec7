import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATION_TYPES } from '../../../../src-preload/contract/api/subscribers/operation-object.ts';
import { silentLog } from '../../../lib/log.ts';
import { Database } from '../../database.ts';
import { LOG_FILE_SCHEMA } from '../../schemas/log-file.ts';
import { SUBSCRIBERS_SCHEMA } from '../../schemas/subscribers.ts';
import { printId } from '../../../subscribers/snowflake.ts';
import { busyStatementOf, OperationIndex, quietStatementOf, statementOf } from './operation-index.ts';

const VALUES = {
  portal: 1,
  subscriber: 1,
  subscribers: '[1]',
  package: 1,
  above: 0,
  below: 9,
  limit: 1,
  ...Object.fromEntries(OPERATION_TYPES.map((_, place) => [`type${place}`, place])),
};

describe.each([
  ['the log', SUBSCRIBERS_SCHEMA],
  ['a file of older operations', LOG_FILE_SCHEMA],
])('queries of one subscriber at most, of %s,', (_, schema) => {
  let database: Database;
  beforeEach(() => {
    database = Database.open(':memory:', { log: silentLog, now: () => 0, schema });
  });
  afterEach(() => {
    database.close();
  });

  const shapes = [true, false].flatMap((hasSubscriber) =>
    [true, false].flatMap((hasPackage) =>
      [undefined, 1, 2, OPERATION_TYPES.length]
        .filter((types) => types !== undefined || !(hasSubscriber || hasPackage))
        .map((types) => ({ hasSubscriber, hasPackage, types })),
    ),
  );

  it.each(shapes)('read no other rows and need no sorting: %o', ({ hasSubscriber, hasPackage, types }) => {
    const equal = [
      'portal_id=?',
      ...(hasSubscriber ? ['subscriber_id=?'] : []),
      ...(hasPackage ? ['package_id=?'] : []),
      ...(types === undefined ? [] : ['type=?']),
    ].join(' AND ');
    for (const isDescending of [false, true]) {
      const sql = statementOf(hasSubscriber, hasPackage, types, isDescending);
      const steps = database.connection
        .prepare<[typeof VALUES], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(VALUES)
        .map(({ detail }) => detail);
      const searches = steps.filter((step) => !['MERGE (UNION ALL)', 'LEFT', 'RIGHT'].includes(step));
      expect(searches).toHaveLength(types ?? 1);
      for (const step of searches) {
        expect(step).toMatch(/^SEARCH operation USING (COVERING INDEX|PRIMARY KEY) /);
        expect(step).toContain(`(${equal} AND id>? AND id<?)`);
      }
    }
  });
});

describe.each([
  ['the log', SUBSCRIBERS_SCHEMA],
  ['a file of older operations', LOG_FILE_SCHEMA],
])('queries of several subscribers, of %s,', (_, schema) => {
  it.each([
    ...[true, false].map((hasPackage) => busyStatementOf(hasPackage)),
    ...[true, false].flatMap((hasPackage) =>
      [undefined, 1, 3].map((types) => quietStatementOf(hasPackage, types, false)),
    ),
  ])('read only operations of these subscribers: %s', (sql) => {
    const database = Database.open(':memory:', { log: silentLog, now: () => 0, schema });
    const steps = database.connection
      .prepare<[typeof VALUES], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(VALUES)
      .map(({ detail }) => detail)
      .filter((step) => step.startsWith('SEARCH') || step.includes('operation'));
    expect(steps).toEqual([
      expect.stringMatching(/^SEARCH o USING COVERING INDEX .*\(portal_id=\? AND subscriber_id=\?/),
    ]);
    database.close();
  });
});

describe('operations of several subscribers', () => {
  it('are in order, whether a subscriber has few or many', () => {
    const database = Database.open(':memory:', { log: silentLog, now: () => 0, schema: SUBSCRIBERS_SCHEMA });
    const insert = database.connection.prepare("INSERT INTO operation VALUES (1, ?, ?, ?, ?, 1, '{}', zeroblob(32))");
    // The first subscriber has most operations.
    const rows = Array.from({ length: 400 }, (_, at) => {
      const subscriber = at % 5 === 0 ? (at % 7) + 2 : 1;
      return { id: at + 1, type: (at * 13) % OPERATION_TYPES.length, subscriber, own: at % 3 === 0 ? 1 : null };
    });
    for (const { id, type, subscriber, own } of rows) insert.run(id, type, subscriber, own);
    const index = new OperationIndex(database.connection);
    const option = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        option(fc.uniqueArray(fc.constantFrom(...OPERATION_TYPES), { minLength: 1, maxLength: 4 })),
        option(fc.constant(1)),
        fc.nat(400),
        fc.integer({ min: 1, max: 401 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 120 }),
        (subscribers, types, own, above, below, isDescending, limit) => {
          const filter = {
            subscriberIds: subscribers.map((one) => printId(BigInt(one))),
            types,
            packageId: own === undefined ? undefined : printId(BigInt(own)),
          };
          const bounds = { above: BigInt(above), below: BigInt(below) };
          const expected = rows
            .filter(({ subscriber }) => subscribers.includes(subscriber))
            .filter(({ type }) => !types || types.includes(OPERATION_TYPES[type] ?? 'createPackage'))
            .filter((row) => own === undefined || row.own === own)
            .map(({ id }) => id)
            .filter((id) => id > above && id < below);
          if (isDescending) expected.reverse();
          expect(index.find(1n, filter, bounds, isDescending, limit).map(Number)).toEqual(expected.slice(0, limit));
        },
      ),
    );
    database.close();
  });
});
