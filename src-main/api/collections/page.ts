import { printCursor, type Cursor } from './cursor.ts';
import { scalarOf, type Scalar } from './field-table.ts';
import { compileFilter } from './filter.ts';
import { FirstRows } from './first-rows.ts';
import type { ListQuery } from './list-query.ts';
import { comparePlaces } from './sort.ts';

/** How the objects of a collection are read while they are filtered and sorted: field by field, so that no whole object is made for it. */
export interface RowReader<Row> {
  /** The way to the value of a field, by its path. */
  readonly getter: (path: string) => (row: Row) => unknown;
  /** What free text is looked for in. */
  readonly texts: (row: Row) => Iterable<string | null | undefined>;
}

/** One portion of a collection. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly prev: string | null;
  /** Objects that the filters let through, whatever the cursor. */
  readonly count: number;
  /** Milliseconds. */
  readonly timing: { readonly filter: number; readonly sort: number; readonly limit: number };
}

/** Rows that are looked at between two chances to let others work. */
const ROWS_IN_A_STEP = 100;

/** Cuts the portion that a query asks for out of a collection, in steps. */
export function* readPage<Row>(rows: readonly Row[], query: ListQuery, reader: RowReader<Row>): Generator<void, Page<Row>> {
  const startMs = performance.now();
  const test = testOf(query, reader);
  const keys = query.sort.map(({ field }) => ({ get: reader.getter(field.path), type: field.type ?? 'string' }));
  const compare = (a: readonly Scalar[], b: readonly Scalar[]): number => comparePlaces(a, b, query.sort);
  const { cursor } = query;
  const isBackward = cursor?.side === 'before';
  const first = new FirstRows<Row, Scalar[]>(query.limit, isBackward ? (a, b) => compare(b, a) : compare);
  const place: Scalar[] = keys.map(() => null);
  const copy = (from: Scalar[]): Scalar[] => [...from];
  let count = 0;
  let wanted = 0;
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_IN_A_STEP === 0) yield;
    if (!test(row)) continue;
    count++;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index];
      if (key) place[index] = scalarOf(key.get(row), key.type);
    }
    if (cursor && !isOnSide(compare(place, cursor.place), cursor)) continue;
    wanted++;
    first.offer(row, place, copy);
  }
  const filteredMs = performance.now();
  const found = first.sorted();
  const ordered = isBackward ? [...found].reverse() : found;
  const sortedMs = performance.now();
  const hasMore = wanted > ordered.length;
  const hasOthers = count > wanted;
  const cursors = cursorsOf(ordered.map((item) => item.place), cursor, isBackward ? hasOthers : hasMore, isBackward ? hasMore : hasOthers);
  const print = (made: Cursor | undefined): string | null => (made ? printCursor(made, query.binding) : null);
  return {
    rows: ordered.map(({ row }) => row),
    next: print(cursors.next),
    prev: print(cursors.prev),
    count,
    timing: { filter: filteredMs - startMs, sort: sortedMs - filteredMs, limit: performance.now() - sortedMs },
  };
}

/** A portion that came out empty, because what followed is gone, still leads back to what is before it, and the other way round. */
function cursorsOf(places: readonly (readonly Scalar[])[], cursor: Cursor | undefined, isFollowed: boolean, isPreceded: boolean): { readonly next: Cursor | undefined; readonly prev: Cursor | undefined } {
  const [head, tail] = [places[0], places.at(-1)];
  if (head && tail) {
    return {
      next: isFollowed ? { side: 'after', isInclusive: false, place: tail } : undefined,
      prev: isPreceded ? { side: 'before', isInclusive: false, place: head } : undefined,
    };
  }
  // Everything that the filters let through lies on the other side.
  const others: Cursor | undefined = cursor && { side: cursor.side === 'after' ? 'before' : 'after', isInclusive: !cursor.isInclusive, place: cursor.place };
  return { next: isFollowed ? others : undefined, prev: isPreceded ? others : undefined };
}

function isOnSide(order: number, { side, isInclusive }: Cursor): boolean {
  if (order === 0) return isInclusive;
  return side === 'after' ? order > 0 : order < 0;
}

function testOf<Row>({ filters, search }: ListQuery, reader: RowReader<Row>): (row: Row) => boolean {
  const tests = filters.map((filter) => compileFilter(filter, reader.getter(filter.field.path)));
  if (search !== undefined) {
    tests.push((row) => {
      for (const text of reader.texts(row)) if (text?.toLowerCase().includes(search)) return true;
      return false;
    });
  }
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (row) => tests.every((test) => test(row));
}
