import { printCursor, type Cursor } from './cursor.ts';
import { compareScalars, scalarOf, type FieldType, type Scalar } from './field-table.ts';
import { compileFilter } from './filter.ts';
import { FirstRows } from './first-rows.ts';
import type { ListQuery } from './list-query.ts';
import { placeOrder } from './sort.ts';

/** Reads the objects of a collection field by field for filters and sorting, so that no complete object is created. */
export interface RowReader<Row> {
  /** Creates a reader of a field from its path. */
  readonly getter: (path: string) => (row: Row) => unknown;
  /** Texts that the free text search covers. */
  readonly texts: (row: Row) => Iterable<string | null | undefined>;
}

/** Page of a collection. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly prev: string | null;
  /** Number of objects that pass the filters, on all pages. */
  readonly count: number;
  /** Durations in milliseconds. */
  readonly timing: { readonly filter: number; readonly sort: number; readonly limit: number };
}

/** Number of rows that are processed before other work of the thread runs. */
const ROWS_IN_A_STEP = 200;

/** Finds the page of a collection that a query requests, in steps. */
export function* readPage<Row>(
  rows: readonly Row[],
  query: ListQuery,
  reader: RowReader<Row>,
): Generator<void, Page<Row>> {
  const startMs = performance.now();
  const test = testOf(query, reader);
  const keys = query.sort.map(({ field, isDescending }): Key<Row> => ({
    get: reader.getter(field.path),
    type: field.type ?? 'string',
    sign: isDescending ? -1 : 1,
  }));
  const compare = placeOrder(query.sort);
  const { cursor } = query;
  const isBackward = cursor?.side === 'before';
  const direction = isBackward ? -1 : 1;
  const first = new FirstRows<Row, Scalar[]>(query.limit, isBackward ? (a, b) => compare(b, a) : compare);
  const sortKey: Scalar[] = keys.map(() => null);
  let count = 0;
  let limit = 0;
  const visit = (row: Row): void => {
    if (!test(row)) return;
    count++;
    const side = placeRow(row, keys, sortKey, cursor, first.last, direction);
    if (side === 'other') return;
    limit++;
    if (side === 'first') first.offer(row, [...sortKey]);
  };
  // The inner loop is not a generator, because a plain loop is faster.
  for (let from = 0; from < rows.length; from += ROWS_IN_A_STEP) {
    yield;
    for (const row of rows.slice(from, from + ROWS_IN_A_STEP)) visit(row);
  }
  const filteredMs = performance.now();
  const found = first.sorted();
  const ordered = isBackward ? [...found].reverse() : found;
  const sortedMs = performance.now();
  const hasMore = limit > ordered.length;
  const hasOthers = count > limit;
  const cursors = cursorsOf(
    ordered.map((item) => item.sortKey),
    cursor,
    isBackward ? hasOthers : hasMore,
    isBackward ? hasMore : hasOthers,
  );
  const print = (target: Cursor | undefined): string | null => (target ? printCursor(target, query.binding) : null);
  return {
    rows: ordered.map(({ row }) => row),
    next: print(cursors.next),
    prev: print(cursors.prev),
    count,
    timing: { filter: filteredMs - startMs, sort: sortedMs - filteredMs, limit: performance.now() - sortedMs },
  };
}

/**
 * Cursors to the pages before and after a page. An empty page still has a cursor to the other side, because objects may have
 * been removed since the cursor was issued.
 */
function cursorsOf(
  places: readonly (readonly Scalar[])[],
  cursor: Cursor | undefined,
  isFollowed: boolean,
  isPreceded: boolean,
): { readonly next: Cursor | undefined; readonly prev: Cursor | undefined } {
  const [head, tail] = [places[0], places.at(-1)];
  if (head && tail) {
    return {
      next: isFollowed ? { side: 'after', isInclusive: false, values: tail } : undefined,
      prev: isPreceded ? { side: 'before', isInclusive: false, values: head } : undefined,
    };
  }
  // The page is empty: all matching objects are on the other side of the cursor.
  const others: Cursor | undefined = cursor && {
    side: cursor.side === 'after' ? 'before' : 'after',
    isInclusive: !cursor.isInclusive,
    values: cursor.values,
  };
  return { next: isFollowed ? others : undefined, prev: isPreceded ? others : undefined };
}

/** Field of the order, with its reader. */
interface Key<Row> {
  readonly get: (row: Row) => unknown;
  readonly type: FieldType;
  readonly sign: 1 | -1;
}

/**
 * Finds the position of a row, reading no more fields than needed: on the `other` side of the cursor, `behind` (after) the
 * page, or among the `first` rows.
 * @param sortKey receives the field values; complete for `first` only
 * @param last position after which no row is on the page
 * @param direction -1 for pages that go backward
 */
function placeRow<Row>(
  row: Row,
  keys: readonly Key<Row>[],
  sortKey: Scalar[],
  cursor: Cursor | undefined,
  last: readonly Scalar[] | undefined,
  direction: 1 | -1,
): 'other' | 'after' | 'first' {
  let toCursor = cursor ? 0 : 1;
  let toLast = last ? 0 : -1;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (!key) continue;
    const value = scalarOf(key.get(row), key.type);
    sortKey[index] = value;
    if (toCursor === 0) {
      toCursor = compareScalars(value, cursor?.values[index] ?? null) * key.sign * direction;
      if (toCursor < 0) return 'other';
    }
    if (toLast === 0) toLast = compareScalars(value, last?.[index] ?? null) * key.sign * direction;
    if (toLast > 0 && toCursor > 0) return 'after';
  }
  if (toCursor === 0 && !cursor?.isInclusive) return 'other';
  return toLast < 0 ? 'first' : 'after';
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
  return (row) => {
    for (const test of tests) if (!test(row)) return false;
    return true;
  };
}
