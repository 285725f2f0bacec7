import type { LogCondition, LogPlace, LogQuery } from '../../../../src-preload/contract/api/log-query.ts';
import { badParameter } from '../../../../src-preload/contract/errors.ts';
import { rowsInScope } from '../../../operators/require.ts';
import type { Answer, BodySchema, Endpoint, EndpointRequest, ParameterDoc } from '../../endpoints/endpoint.ts';
import { schemaRef } from '../../endpoints/open-api.ts';
import { exportReply, FORMAT, formatOf, type ExportFormat } from '../../endpoints/text-export.ts';
import { parameter } from '../../endpoints/query-flag.ts';
import { printCursor, type Cursor } from './cursor.ts';
import { FieldTable } from './field-table.ts';
import { listParameters } from './list-parameters.ts';
import { readListQuery, type ListQuery } from './list-query.ts';
import { selectFields } from './selection.ts';

/** Log that can be listed. */
export interface ShownLog<Row> {
  /** @param search text in lower case that rows must contain */
  rows(query: LogQuery<Extract<keyof Row, string>>, search?: string): Promise<readonly Row[]>;
  count(conditions: readonly LogCondition<Extract<keyof Row, string>>[], search?: string): Promise<number>;
}

/** Format of an export of a log, and conditions of its rows. */
interface ExportQuery<Row> {
  readonly format: ExportFormat;
  readonly conditions: LogCondition<Extract<keyof Row, string>>[];
  /** Text that rows must contain, in lower case; empty for none. */
  readonly search: string;
}

/** Description of an endpoint of a log, without the parts that follow from the log. */
type DescribedLog = Omit<Endpoint, 'method' | 'readsQuery' | 'parameters' | 'replies' | 'handle'>;

/** Parameters of a list that an export does not accept, because it contains all rows that pass the filters. */
const PORTION = ['sort', 'limit', 'cursor', 'select'];

/** Log as a list of the API, in pages. It can only be ordered by time. */
export class LogList<Row extends { readonly id: string }> {
  readonly #name: string;
  readonly #time: Extract<keyof Row, string>;
  readonly #names: readonly Extract<keyof Row, string>[];
  readonly #schema: BodySchema;
  readonly #fields: FieldTable;
  readonly #isSearched: boolean;
  readonly #stream: Extract<keyof Row, string> | undefined;

  /**
   * @param name name of the list in answers
   * @param time field of the order
   * @param names all fields; `isSearched`: whether text search is allowed; `stream`: field with the name of the stream, which
   * limits a caller to the rows of some streams
   */
  constructor(
    name: string,
    time: Extract<keyof Row, string>,
    names: readonly Extract<keyof Row, string>[],
    schema: BodySchema,
    {
      isSearched = false,
      stream,
    }: { readonly isSearched?: boolean; readonly stream?: Extract<keyof Row, string> } = {},
  ) {
    this.#stream = stream;
    this.#isSearched = isSearched;
    this.#name = name;
    this.#time = time;
    this.#names = names;
    this.#schema = schema;
    this.#fields = new FieldTable(schema);
  }

  /** Endpoint that lists the log. @param schema name of its envelope in the document */
  listEndpoint(described: DescribedLog, schema: string, log: (request: EndpointRequest) => ShownLog<Row>): Endpoint {
    const parameters = (): ParameterDoc[] => this.#parameters();
    return {
      ...described,
      ...(this.#stream === undefined ? {} : { isScoped: true }),
      method: 'GET',
      readsQuery: true,
      get parameters() {
        return parameters();
      },
      replies: { 200: { description: 'A page, in its envelope', schema: schemaRef(schema) } },
      handle: async (request) => ({ status: 200, body: await this.#page(log(request), request) }),
    };
  }

  /** Endpoint that sends the log as a file. @param content description of the answer */
  exportEndpoint(
    described: DescribedLog,
    content: string,
    answer: (query: ExportQuery<Row>, request: EndpointRequest) => Answer | Promise<Answer>,
  ): Endpoint {
    const parameters = (): ParameterDoc[] => this.#parameters();
    return {
      ...described,
      ...(this.#stream === undefined ? {} : { isScoped: true }),
      method: 'GET',
      readsQuery: true,
      get parameters() {
        return [FORMAT, ...parameters().filter(({ name }) => !PORTION.includes(name))];
      },
      replies: { 200: exportReply(content) },
      handle: async (request) => answer(this.#exportQuery(request), request),
    };
  }

  /** Parameters of the list. Logs have a fixed order and no metrics, and most of them no text search. */
  #parameters(): ParameterDoc[] {
    const order = { type: 'string', enum: [this.#time, `-${this.#time}`] };
    return listParameters(this.#schema)
      .filter(({ name }) => name !== 'format' && (name !== 'q' || this.#isSearched))
      .map((one) => (one.name === 'sort' ? { ...one, schema: order } : one));
  }

  /** Page of the log in the envelope of lists. Raises `bad_query` and `bad_cursor`. */
  async #page(log: ShownLog<Row>, { url, caller }: EndpointRequest): Promise<Record<string, never>> {
    const query = this.#read(url);
    if (new URL(url, 'http://localhost').searchParams.has('format'))
      throw badParameter('format', 'The log has no metrics');
    const [time] = query.sort;
    if (query.sort.length !== 2 || time?.field.path !== this.#time)
      throw badParameter('sort', `The log can only be sorted by ${this.#time}`);
    const { cursor, limit, select, binding } = query;
    const conditions = this.#conditionsOf(query, caller);
    const isBackward = cursor?.side === 'before';
    const found = await log.rows(
      {
        conditions,
        isDescending: time.isDescending !== isBackward,
        limit: limit + 1,
        ...(cursor ? { after: positionOf(cursor) } : {}),
      },
      query.search,
    );
    const rows = found.slice(0, limit);
    if (isBackward) rows.reverse();
    const hasMore = found.length > limit;
    const print = (side: Cursor['side'], row: Row | undefined): string | null => {
      if (row) return printCursor({ side, isInclusive: false, values: [Number(row[this.#time]), row.id] }, binding);
      // If the page is empty, all rows are on the other side of the cursor.
      return cursor && cursor.side !== side
        ? printCursor({ side, isInclusive: !cursor.isInclusive, values: cursor.values }, binding)
        : null;
    };
    const body = {
      [this.#name]: rows.map((row) => (select ? selectFields(row, select) : row)),
      next: hasMore || isBackward ? print('after', rows.at(-1)) : rows.length === 0 ? print('after', undefined) : null,
      prev: (isBackward ? hasMore : cursor !== undefined) || rows.length === 0 ? print('before', rows[0]) : null,
      estimated_count: await log.count(conditions, query.search),
      timing: {},
    };
    // The schema of the envelope determines the type.
    return body as unknown as Record<string, never>;
  }

  /** Format and filters of an export. Raises `bad_query`. */
  #exportQuery(request: EndpointRequest): ExportQuery<Row> {
    const format = formatOf(request);
    for (const name of PORTION)
      if (parameter(request, name) !== undefined) throw badParameter(name, `An export has no parameter ${name}`);
    const query = this.#read(request.url);
    return { format, conditions: this.#conditionsOf(query, request.caller), search: query.search ?? '' };
  }

  #read(url: string): ListQuery {
    const query = readListQuery(url, { name: this.#name, fields: this.#fields, implicitSort: [this.#time, 'id'] });
    if (query.search !== undefined && !this.#isSearched)
      throw badParameter('q', 'The log has no text search; filter by its fields');
    return query;
  }

  /** Filters of a query, and the limit to the caller's streams. */
  #conditionsOf({ filters }: ListQuery, caller: EndpointRequest['caller']): LogCondition<Extract<keyof Row, string>>[] {
    const conditions = filters.map(({ field, operator, values }): LogCondition<Extract<keyof Row, string>> => {
      const name = this.#names.find((one) => one === field.path);
      if (!name) throw badParameter(field.path, `There is no field ${field.path} to filter by`);
      return { field: name, operator, values: values.filter((value) => typeof value !== 'boolean' && value !== null) };
    });
    return this.#stream === undefined ? conditions : [...rowsInScope(caller, this.#stream), ...conditions];
  }
}

function positionOf({ values: [time, id], isInclusive }: Cursor): LogPlace {
  return { atMs: Number(time), id: String(id), isInclusive };
}
