import { badParameter } from '../../../../src-preload/contract/index.ts';
import { cursorBinding, readCursor, type Cursor } from './cursor.ts';
import type { FieldTable } from './field-table.ts';
import { readFilter, type Filter } from './filter.ts';
import { integerOf } from '../../endpoints/query-flag.ts';
import { readQueryString } from '../../endpoints/query-string.ts';
import { readSelection, type Selection } from './selection.ts';
import { readSort, type SortKey } from './sort.ts';

export interface ListQuery {
  readonly filters: readonly Filter[];
  /** Free text, in lower case. */
  readonly search: string | undefined;
  /** Complete order: the requested fields, and fields that make the order unique. */
  readonly sort: readonly SortKey[];
  readonly limit: number;
  /** Whether the request has a limit. */
  readonly isLimited: boolean;
  readonly cursor: Cursor | undefined;
  readonly select: Selection | undefined;
  /** Text to which the cursors of this list are bound. */
  readonly binding: string;
}

/** Collection that can be queried. */
export interface Queryable {
  readonly name: string;
  readonly fields: FieldTable;
  /** Fields that are added at the end of every order. The last of them is unique. */
  readonly implicitSort: readonly string[];
}

export const DEFAULT_LIMIT = 100;
/** Maximum number of items in a list. */
export const MAX_LIMIT = 1000;

const MAX_SEARCH_LENGTH = 200;
const WORDS = ['sort', 'limit', 'cursor', 'select', 'q', 'format'] as const;

/** Parses the query of a list. Raises `bad_query` or `bad_cursor`, with the name of the parameter. @param url path and query */
export function readListQuery(url: string, collection: Queryable): ListQuery {
  const filters: Filter[] = [];
  const parameters = new Map<string, string>();
  for (const parameter of readQueryString(url)) {
    const { name, value = '' } = parameter;
    if (!WORDS.some((word) => word === name)) filters.push(readFilter(parameter, collection.fields));
    else if (parameters.has(name)) throw badParameter(name, `${name} is given twice`);
    else parameters.set(name, value);
  }
  const search = readSearch(parameters.get('q'));
  const sort = readSort(parameters.get('sort'), collection.fields, collection.implicitSort);
  const binding = cursorBinding(collection.name, sort, filters, search);
  const [limit, cursor, select] = [parameters.get('limit'), parameters.get('cursor'), parameters.get('select')];
  return {
    filters,
    search,
    sort,
    limit: limit === undefined ? DEFAULT_LIMIT : integerOf(limit, 'limit', { min: 1, max: MAX_LIMIT }),
    isLimited: limit !== undefined,
    cursor: cursor === undefined || cursor === '' ? undefined : readCursor(cursor, binding, sort),
    select: select === undefined || select === '' ? undefined : readSelection(select, collection.fields),
    binding,
  };
}

function readSearch(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length > MAX_SEARCH_LENGTH) throw badParameter('q', `q has at most ${MAX_SEARCH_LENGTH} characters`);
  return text.toLowerCase();
}
