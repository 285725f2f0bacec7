import { createHash } from 'node:crypto';
import { badParameter } from '../../../src-preload/contract/index.ts';
import { printId, readId } from '../../subscribers/snowflake.ts';
import type { PageRequest } from '../../subscribers/subscriber-query.ts';
import type { EndpointRequest, ParameterDoc } from './endpoint.ts';
import { inQuery } from './parameters.ts';
import { integerOf } from './query-flag.ts';

/** Default and maximum number of objects in a list. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** Size of the parts of a cursor, in bytes: an id, and a digest of the list and its filters. */
const ID_BYTES = 8;
const BINDING_BYTES = 10;

/** Date, or date and time to the second, in UTC. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/;

/** Parameters of every list. */
export const PAGE_PARAMETERS: readonly ParameterDoc[] = [
  inQuery('limit', `number of objects; default ${DEFAULT_LIMIT}`, {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  inQuery('cursor', '`next` of the previous page, with the same filters'),
];

/** Query of a list: filters by name, and the requested page. */
export interface ListRequest extends PageRequest {
  /** Values of each filter in the query, in their order. */
  readonly filters: ReadonlyMap<string, readonly string[]>;
  /** Cursor of the page that starts after an object, for the answer. */
  cursorAfter(id: string): string;
}

/**
 * Parses the query of a list. Raises `bad_query` for an unknown name, and for a repeated name that may not be repeated;
 * `bad_cursor` for a cursor of another list, other filters or another portal.
 * @param names names of the filters; `true` for filters that may repeat
 */
export function readListRequest(
  { query }: Pick<EndpointRequest, 'query'>,
  portalId: string,
  list: string,
  names: Readonly<Record<string, boolean>>,
): ListRequest {
  const filters = new Map<string, string[]>();
  const portion = new Map<string, string>();
  for (const { name, value = '' } of query) {
    const isPortion = name === 'limit' || name === 'cursor';
    if (!isPortion && !Object.hasOwn(names, name))
      throw badParameter(name, `There is no parameter ${name.slice(0, 100)} here`);
    const values = filters.get(name);
    if (portion.has(name) || (values && names[name] !== true)) throw badParameter(name, `${name} may not repeat`);
    if (isPortion) portion.set(name, value);
    else if (values) values.push(value);
    else filters.set(name, [value]);
  }
  const binding = bindingOf(portalId, list, filters);
  const cursor = portion.get('cursor') ?? '';
  return {
    filters,
    limit: integerOf(portion.get('limit') ?? String(DEFAULT_LIMIT), 'limit', { min: 1, max: MAX_LIMIT }),
    afterId: cursor === '' ? undefined : readCursor(cursor, binding),
    cursorAfter: (id) => printCursor(id, binding),
  };
}

/** Digest of a list and its filters. The order of the values of a filter does not matter. */
function bindingOf(portalId: string, list: string, filters: ReadonlyMap<string, readonly string[]>): Buffer {
  const conditions = [...filters].map(([name, values]) => [name, ...new Set(values.toSorted())]);
  const text = JSON.stringify([portalId, list, ...conditions.map((one) => JSON.stringify(one)).sort()]);
  return createHash('sha256').update(text).digest().subarray(0, BINDING_BYTES);
}

function printCursor(id: string, binding: Buffer): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.writeBigUInt64BE(readId(id) ?? 0n);
  return Buffer.concat([bytes, binding]).toString('base64url');
}

function readCursor(text: string, binding: Buffer): string {
  const bytes = Buffer.from(text, 'base64url');
  const isOurs =
    bytes.length === ID_BYTES + BINDING_BYTES &&
    bytes.toString('base64url') === text &&
    bytes.subarray(ID_BYTES).equals(binding) &&
    bytes.readBigUInt64BE() >> 63n === 0n;
  if (!isOurs) throw badParameter('cursor', 'The cursor is not from this list with these filters', 'bad_cursor');
  return printId(bytes.readBigUInt64BE());
}

/** Value of a filter that does not repeat; undefined if absent. */
export function singleValue({ filters }: Pick<ListRequest, 'filters'>, name: string): string | undefined {
  return filters.get(name)?.[0];
}

/** Value of an id filter; undefined if absent. Raises `bad_query` if the value is not an id. */
export function singleId(request: Pick<ListRequest, 'filters'>, name: string): string | undefined {
  const [id] = request.filters.get(name) ?? [];
  return id === undefined ? undefined : requireId(id, name);
}

/** Parses an id. Raises `bad_query` if it is invalid. */
export function requireId(text: string, parameter: string): string {
  if (readId(text) === undefined) throw badParameter(parameter, `${parameter} must be an id`);
  return text;
}

/** Value of a time filter in epoch milliseconds; undefined if absent. Raises `bad_query` if the value is not a time. */
export function timeOf(list: Pick<ListRequest, 'filters'>, parameter: string): number | undefined {
  const text = singleValue(list, parameter);
  if (text === undefined) return undefined;
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Excludes dates such as 31 February, which `Date` reads as a day in March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.replace('Z', '')))
    throw badParameter(parameter, `${parameter} must be YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ`);
  return ms;
}
