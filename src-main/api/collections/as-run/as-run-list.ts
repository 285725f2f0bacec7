import {
  AS_RUN_FIELDS,
  asRunObjectSchema,
  type AsRunObject,
} from '../../../../src-preload/contract/api/as-run/as-run-object.ts';
import type { AsRunCondition, AsRunPlace } from '../../../../src-preload/contract/api/as-run/as-run-query.ts';
import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import type { AsRunLog } from '../../../control/advertising/as-run-log.ts';
import { jsonSchemaOf } from '../../endpoints/json-schema.ts';
import { printCursor, type Cursor } from '../cursor.ts';
import { FieldTable } from '../field-table.ts';
import { readListQuery, type ListQuery } from '../list-query.ts';
import { selectFields } from '../selection.ts';

/** What is asked of the log of advertisements. */
export type ShownAsRun = Pick<AsRunLog, 'rows' | 'count' | 'export' | 'publicKey'>;

const FIELDS = new FieldTable(jsonSchemaOf(asRunObjectSchema));

/** A portion of the log in the envelope of lists. Raises `bad_query` and `bad_cursor`. */
export async function asRunPortion(log: Pick<AsRunLog, 'rows' | 'count'>, url: string): Promise<Record<string, never>> {
  const query = readQuery(url);
  if (new URL(url, 'http://localhost').searchParams.has('format')) throw bad('format', 'The log has no metrics');
  const [time] = query.sort;
  if (query.sort.length !== 2 || time?.field.path !== 'sent_at')
    throw bad('sort', 'The log is sorted by sent_at alone');
  const { cursor, limit, select, binding } = query;
  const conditions = conditionsOf(query);
  const isBackward = cursor?.side === 'before';
  const found = await log.rows({
    ...{ conditions, isDescending: time.isDescending !== isBackward, limit: limit + 1 },
    ...(cursor ? { after: placeOf(cursor) } : {}),
  });
  const rows = found.slice(0, limit);
  if (isBackward) rows.reverse();
  const hasMore = found.length > limit;
  const print = (side: Cursor['side'], row: AsRunObject | undefined): string | null => {
    if (row) return printCursor({ side, isInclusive: false, place: [row.sent_at, row.id] }, binding);
    // Everything lies on the other side of the cursor.
    return cursor && cursor.side !== side
      ? printCursor({ side, isInclusive: !cursor.isInclusive, place: cursor.place }, binding)
      : null;
  };
  const body = {
    as_run: rows.map((row) => (select ? selectFields(row, select) : row)),
    next: hasMore || isBackward ? print('after', rows.at(-1)) : rows.length === 0 ? print('after', undefined) : null,
    prev: (isBackward ? hasMore : cursor !== undefined) || rows.length === 0 ? print('before', rows[0]) : null,
    estimated_count: await log.count(conditions),
    timing: {},
  };
  // It came out of the schema.
  return body as unknown as Record<string, never>;
}

function readQuery(url: string): ListQuery {
  const query = readListQuery(url, { name: 'as_run', fields: FIELDS, implicitSort: ['sent_at', 'id'] });
  if (query.search !== undefined) throw bad('q', 'No text is looked for in the log; filter by its fields');
  return query;
}

/** The filters of a request. Raises `bad_query`. @param url path and query */
export function asRunConditions(url: string): AsRunCondition[] {
  return conditionsOf(readQuery(url));
}

function conditionsOf({ filters }: ListQuery): AsRunCondition[] {
  return filters.map(({ field, operator, values }) => {
    const name = AS_RUN_FIELDS.find((one) => one === field.path);
    if (!name) throw bad(field.path, `There is no field ${field.path} to filter by`);
    return { field: name, operator, values: values.filter((value) => typeof value !== 'boolean' && value !== null) };
  });
}

function placeOf({ place: [sentAt, id], isInclusive }: Cursor): AsRunPlace {
  return { sentAt: Number(sentAt), id: String(id), isInclusive };
}

function bad(name: string, message: string): AirdeskError {
  return new AirdeskError('bad_query', message, { parameter: name });
}
