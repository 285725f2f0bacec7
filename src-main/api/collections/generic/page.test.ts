import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runAtOnce } from '../../../lib/turns.ts';
import { FieldTable } from './field-table.ts';
import { jsonSchemaOf } from '../../endpoints/json-schema.ts';
import { readListQuery, type Queryable } from './list-query.ts';
import { readPage, type Page, type RowReader } from './page.ts';

const rowSchema = z.object({
  name: z.string(),
  rank: z.number().int().nullable(),
  share: z.number().nullable(),
  isOn: z.boolean(),
  site: z.string().nullable(),
});
type Row = z.infer<typeof rowSchema>;

const COLLECTION: Queryable = {
  name: 'rows',
  fields: new FieldTable(jsonSchemaOf(rowSchema)),
  implicitSort: ['rank', 'name'],
};
const READER: RowReader<Row> = {
  getter: (path) => (row) => row[path as keyof Row],
  texts: (row) => [row.name, row.site],
};

function pageOf(rows: readonly Row[], query: string): Page<Row> {
  return runAtOnce(readPage(rows, readListQuery(`/rows?${query}`, COLLECTION), READER));
}

/** Expected order, written a second time and as simply as possible. */
function ordered(rows: readonly Row[], sort: readonly string[]): Row[] {
  const keys = [...sort, 'rank', 'name'].map((key) => ({
    key: key.replace(/^-/, '') as keyof Row,
    sign: key.startsWith('-') ? -1 : 1,
  }));
  return [...rows].sort((a, b) => {
    for (const { key, sign } of keys) {
      const [one, other] = [a[key], b[key]];
      if (one === other) continue;
      if (one === null) return -sign;
      if (other === null) return sign;
      return one < other ? -sign : sign;
    }
    return 0;
  });
}

// Few values, so that ties and nulls are frequent.
const values = fc.record({
  rank: fc.option(fc.integer({ min: 0, max: 2 })),
  share: fc.option(fc.constantFrom(0.5, -1.25, 1e300)),
  isOn: fc.boolean(),
  site: fc.option(fc.constantFrom('north', 'nord', 'south', 'a,b', '')),
});
const rowsArbitrary = fc
  .array(values, { maxLength: 40 })
  .map((items) => items.map((item, index): Row => ({ name: `row${(index * 7) % 41}`, ...item })));
const sortArbitrary = fc
  .uniqueArray(fc.constantFrom('rank', 'share', 'isOn', 'site', 'name'), { maxLength: 3 })
  .chain((keys) => fc.tuple(...keys.map((key) => fc.constantFrom(key, `-${key}`))));
const limitArbitrary = fc.integer({ min: 1, max: 9 });
const FILTERS: readonly (readonly [query: string, test: (row: Row) => boolean])[] = [
  ['', () => true],
  ['isOn=true', (row) => row.isOn],
  ['isOn', (row) => row.isOn],
  ['rank=0,2', (row) => row.rank === 0 || row.rank === 2],
  ['rank_ne=1', (row) => row.rank !== 1],
  ['rank_is=null', (row) => row.rank === null],
  ['site_is_not=null', (row) => row.site !== null],
  ['site_like=nor', (row) => row.site !== null && row.site.startsWith('nor')],
  ['share_gt=-1.25', (row) => row.share !== null && row.share > -1.25],
  ['rank_lte=1', (row) => row.rank !== null && row.rank <= 1],
  ['rank_lt=2&rank_gte=1', (row) => row.rank === 1],
  ['site=a\\,b,south', (row) => row.site === 'a,b' || row.site === 'south'],
  ['site=', (row) => row.site === ''],
  ['q=ORT', (row) => row.site === 'north'],
];
const filterArbitrary = fc.constantFrom(...FILTERS);

function names(rows: readonly Row[]): string[] {
  return rows.map(({ name }) => name);
}

describe('readPage', () => {
  it('returns the filtered and sorted list in pages, forward and backward', () => {
    fc.assert(
      fc.property(
        rowsArbitrary,
        sortArbitrary,
        limitArbitrary,
        filterArbitrary,
        (rows, sort, limit, [filter, test]) => {
          const expected = names(ordered(rows.filter(test), sort));
          const query = `${filter}&sort=${sort.join(',')}&limit=${limit}`;
          const forward: string[][] = [];
          let page = pageOf(rows, query);
          expect(page.prev).toBeNull();
          for (;;) {
            expect(page.count).toBe(expected.length);
            forward.push(names(page.rows));
            if (page.next === null) break;
            page = pageOf(rows, `${query}&cursor=${page.next}`);
            expect(page.rows.length).toBeGreaterThan(0);
          }
          expect(forward.flat()).toEqual(expected);
          expect(forward.slice(0, -1).every((part) => part.length === limit)).toBe(true);
          const back = [forward.at(-1)];
          while (page.prev !== null) {
            page = pageOf(rows, `${query}&cursor=${page.prev}`);
            back.unshift(names(page.rows));
          }
          expect(back).toEqual(forward);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('neither skips nor repeats an object while objects are added and removed between pages', () => {
    const changes = fc.array(
      fc.record({ adds: fc.array(values, { maxLength: 4 }), removes: fc.array(fc.nat(40), { maxLength: 4 }) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(
        rowsArbitrary,
        sortArbitrary,
        limitArbitrary,
        filterArbitrary,
        changes,
        (start, sort, limit, [filter, test], steps) => {
          const query = `${filter}&sort=${sort.join(',')}&limit=${limit}`;
          let rows: readonly Row[] = start;
          let stays = new Set(names(rows));
          const seen: string[] = [];
          let page = pageOf(rows, query);
          for (let step = 0; ; step++) {
            seen.push(...names(page.rows));
            if (page.next === null) break;
            const { adds, removes } = steps[step % steps.length] ?? { adds: [], removes: [] };
            // After some steps no new rows are added, so that the list ends.
            const fresh = step < 30 ? adds.map((item, index): Row => ({ name: `new${step}-${index}`, ...item })) : [];
            rows = [...rows.filter((_row, index) => !removes.includes(index)), ...fresh];
            stays = new Set([...stays].filter((name) => rows.some((row) => row.name === name)));
            page = pageOf(rows, `${query}&cursor=${page.next}`);
          }
          expect(new Set(seen).size).toBe(seen.length);
          const expected = names(
            ordered(
              start.filter((row) => test(row) && stays.has(row.name)),
              sort,
            ),
          );
          const old = new Set(expected);
          expect(seen.filter((name) => old.has(name))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('continues past pages that have become empty', () => {
    const rows = ordered(
      Array.from({ length: 6 }, (_, index): Row => ({
        name: `row${index}`,
        rank: index,
        share: null,
        isOn: true,
        site: null,
      })),
      [],
    );
    const { next } = pageOf(rows, 'limit=3');
    const left = rows.slice(0, 3);
    const empty = pageOf(left, `limit=3&cursor=${next}`);
    expect(empty).toMatchObject({ rows: [], next: null, count: 3 });
    expect(names(pageOf(left, `limit=3&cursor=${empty.prev}`).rows)).toEqual(['row0', 'row1', 'row2']);
    const second = pageOf(rows, `limit=3&cursor=${next}`);
    const right = rows.slice(3);
    const emptyBefore = pageOf(right, `limit=3&cursor=${second.prev}`);
    expect(emptyBefore).toMatchObject({ rows: [], prev: null });
    expect(names(pageOf(right, `limit=3&cursor=${emptyBefore.next}`).rows)).toEqual(['row3', 'row4', 'row5']);
  });
});
