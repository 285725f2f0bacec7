import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { printId } from '../../subscribers/snowflake.ts';
import type { SearchPosition } from '../../subscribers/subscriber-query.ts';
import { Database } from '../database.ts';
import { SUBSCRIBERS_SCHEMA } from '../schemas/subscribers.ts';
import { SubscriberReader } from './subscriber-reader.ts';
import { rowId } from '../subscriber-rows.ts';

const PORTAL = printId(1n);

interface Person {
  readonly name: string;
  readonly code: string;
  readonly phone: string;
  readonly customer: string;
}

const person = fc.record({
  name: fc.oneof(fc.constantFrom('a', 'A', 'aB', 'Ab', 'b', '1', '12', 'é'), fc.string({ minLength: 1, maxLength: 3 })),
  code: fc.constantFrom('', '1', '49'),
  phone: fc.constantFrom('', '1', '12', '121', '2'),
  customer: fc.constantFrom('', '', '1', '12', 'a'),
});

/** Compares without regard to the case of A to Z. */
const isPrefix = (prefix: string, text: string): boolean => {
  const folded = (one: string): string => one.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return folded(text).startsWith(folded(prefix));
};

describe('the search for subscribers', () => {
  let database: Database;
  let reader: SubscriberReader;
  beforeEach(() => {
    database = Database.open(':memory:', { log: silentLog, now: () => 0, schema: SUBSCRIBERS_SCHEMA });
    database.connection.exec(
      "INSERT INTO portal (id, name, is_auto_registration, is_disabled, chain_length, chain_hash) VALUES (1, 'x', 0, 0, 0, zeroblob(32))",
    );
    reader = new SubscriberReader(database.connection);
  });
  afterEach(() => {
    database.close();
  });

  const add = (id: number, { name, code, phone, customer }: Person): void => {
    database.connection
      .prepare("INSERT OR IGNORE INTO subscriber VALUES (1, ?, ?, ?, ?, 0, ?, '')")
      .run(id, name, code, phone, customer);
  };

  it('finds each subscriber once, with any changes between the pages', () => {
    fc.assert(
      fc.property(
        fc.array(person, { maxLength: 30 }),
        fc.array(person, { maxLength: 10 }),
        fc.constantFrom('a', 'A', 'ab', '1', '12', 'é', '2'),
        fc.integer({ min: 1, max: 5 }),
        (people, newcomers, text, limit) => {
          database.connection.exec('DELETE FROM subscriber');
          for (const [id, one] of people.entries()) add(2 * id + 1000, one);
          const all = reader.subscribers(PORTAL, {
            phoneCountryCode: undefined,
            phone: undefined,
            packageId: undefined,
            afterId: undefined,
            limit: 1000,
          }).items;

          const seen: string[] = [];
          let after: SearchPosition | undefined;
          let pageCount = 0;
          do {
            const page = reader.subscribersLike(PORTAL, text, after, limit);
            // The subscriber with this customer number is listed first.
            expect(page.items.length).toBeLessThanOrEqual(limit + (pageCount === 0 ? 1 : 0));
            seen.push(...page.items.map(({ subscriberId }) => subscriberId));
            after = page.next;
            // The last returned subscriber is removed, and another one is added at any position.
            const last = page.items.at(-1)?.subscriberId;
            const newcomer = newcomers[pageCount];
            if (pageCount % 2 === 0 && last !== undefined)
              database.connection.prepare('DELETE FROM subscriber WHERE id = ?').run(rowId(last));
            if (newcomer) add(2 * pageCount + 1001, newcomer);
            pageCount++;
          } while (after && pageCount < 200);
          expect(new Set(seen).size).toBe(seen.length);
          const expected = all.filter(
            ({ name, phone, customerNumber }) =>
              customerNumber === text || isPrefix(text, name) || (phone !== '' && isPrefix(text, phone)),
          );
          for (const { subscriberId } of expected) expect(seen).toContain(subscriberId);
        },
      ),
    );
  });

  it('reads only one page, in the order of an index', () => {
    const statements: string[] = [];
    const { connection } = database;
    const prepare = connection.prepare.bind(connection);
    connection.prepare = (sql: string) => {
      statements.push(sql);
      return prepare(sql);
    };
    for (const by of [undefined, 'name', 'phone'] as const)
      reader.subscribersLike(PORTAL, 'a', by && { by, value: 'a', rest: '1' }, 5);
    const found = statements.filter((sql) => sql.includes('FROM subscriber s'));
    expect(found.length).toBeGreaterThanOrEqual(6);
    for (const sql of found) {
      const values = Array.from(sql.matchAll(/\?/g), () => 1);
      const plan = connection
        .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values);
      expect(plan).toHaveLength(1);
      expect(plan[0]?.detail).toMatch(
        /^SEARCH s USING INDEX subscriber_(number \(portal_id=\? AND customer_number=\?\)|(name|phone) \(portal_id=\? AND (name|phone)(>\? AND (name|phone)<\?|=\? AND (id|phone_country_code)>\?)\))$/,
      );
    }
  });
});
