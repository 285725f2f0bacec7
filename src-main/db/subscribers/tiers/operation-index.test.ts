import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATION_TYPES } from '../../../../src-preload/contract/api/operation-object.ts';
import { silentLog } from '../../../lib/log.ts';
import { Database } from '../../database.ts';
import { LOG_FILE_MIGRATIONS, SUBSCRIBERS_MIGRATIONS } from '../../migrations.ts';
import { statementOf } from './operation-index.ts';

const VALUES = {
  ...{ portal: 1, subscriber: 1, package: 1, above: 0, below: 9, most: 1 },
  ...Object.fromEntries(OPERATION_TYPES.map((_, place) => [`type${place}`, place])),
};

describe.each([
  ['the log', SUBSCRIBERS_MIGRATIONS],
  ['a file of older operations', LOG_FILE_MIGRATIONS],
])('queries of %s', (_, migrations) => {
  let database: Database;
  beforeEach(() => {
    database = Database.open(':memory:', { log: silentLog, now: () => 0, migrations });
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

  it.each(shapes)('look at nothing else and sort nothing: %o', ({ hasSubscriber, hasPackage, types }) => {
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
