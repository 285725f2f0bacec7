import { runInTurns } from '../../../lib/turns.ts';
import {
  PiecesBody,
  TextBody,
  type Answer,
  type BodySchema,
  type Endpoint,
  type EndpointDoc,
  type EndpointRequest,
} from '../../endpoints/endpoint.ts';
import { schemaRef } from '../../endpoints/open-api.ts';
import { METRICS_TYPE, metricsText, wantsMetrics } from './open-metrics.ts';
import { readerObjects } from '../../objects/reader-objects.ts';
import { sourceFor } from '../../objects/scoped-objects.ts';
import type { Collection } from './collection.ts';
import { FieldTable } from './field-table.ts';
import { listParameters, PAGE_PARAMETERS } from './list-parameters.ts';
import { readListQuery, type Queryable } from './list-query.ts';
import { readPage, type Page } from './page.ts';
import { selectFields } from './selection.ts';

const PAGE_REPLY = {
  description: 'A page, in its envelope',
  otherTypes: [METRICS_TYPE.split(';')[0] ?? METRICS_TYPE],
} as const;

/** `GET` of the list of a collection. */
export function listEndpoint<Row>(collection: Collection<Row>): Endpoint {
  const { path, name, item, example, schema, isScoped = false } = collection;
  const shown = example && { [name]: [example.shown], next: null, prev: null, estimated_count: 1, timing: {} };
  return {
    id: `${item}_list`,
    tag: name,
    method: 'GET',
    path,
    access: 'view',
    isScoped,
    readsQuery: true,
    summary: `Lists ${name}`,
    description:
      'Filters are parameters with the name of a field, with dots for nested fields; an object must match all of them. A comma inside a value is written `\\,`. Null is neither less nor greater than any value.',
    get parameters() {
      return listParameters(schema);
    },
    replies: {
      200: {
        ...PAGE_REPLY,
        schema: schemaRef(`${item}_list`),
        ...(shown ? { example: shown } : {}),
      },
    },
    handle: listHandler(collection),
  };
}

/**
 * List of a collection at another address. It supports the queries of the collection, but has its own cursors.
 * @param schema envelope of a page
 * @param more returns additional fields of the envelope
 */
export function listView<Row>(
  collection: Collection<Row>,
  described: Pick<EndpointDoc, 'id' | 'tag' | 'summary' | 'errors'>,
  schema: BodySchema,
  more?: () => object,
): Endpoint {
  const { path, isScoped = false } = collection;
  return {
    ...described,
    method: 'GET',
    path,
    access: 'view',
    isScoped,
    readsQuery: true,
    parameters: PAGE_PARAMETERS,
    replies: { 200: { ...PAGE_REPLY, schema } },
    handle: listHandler(collection, `${described.tag} ${path}`, more),
  };
}

/**
 * Answers requests for a list: a page in its envelope, or metrics of everything that passes the filters. Tokens limited to some
 * streams see only these.
 * @param address binding of the list's cursors; default: the name of the collection
 * @param more returns additional fields of the envelope
 */
export function listHandler<Row>(
  collection: Collection<Row>,
  address = collection.name,
  more: () => object = () => ({}),
): Endpoint['handle'] {
  const { name, schema, implicitSort, refresh } = collection;
  const queryable = { name: address, fields: new FieldTable(schema), implicitSort };
  return async (request) => {
    await refresh?.();
    const source = sourceFor(collection.source, request.caller);
    return listAnswer(
      request,
      { ...collection, source: request.caller.mayWrite ? source : readerObjects(source, name) },
      queryable,
      more,
    );
  };
}

async function listAnswer<Row>(
  request: EndpointRequest,
  collection: Collection<Row>,
  queryable: Queryable,
  more: () => object,
): Promise<Answer> {
  const startMs = performance.now();
  const query = readListQuery(request.url, queryable);
  const rows = collection.source.rows();
  const isMetrics = wantsMetrics(request);
  const loadMs = performance.now() - startMs;
  const page = await runInTurns(
    readPage(rows, isMetrics && !query.isLimited ? { ...query, limit: rows.length || 1 } : query, collection.source),
  );
  if (isMetrics) return { status: 200, body: new PiecesBody(metricsText(collection, page.rows), METRICS_TYPE) };
  const text = await runInTurns(envelope(collection, page, query.select, loadMs, more()));
  return { status: 200, body: new TextBody(text, 'application/json; charset=utf-8') };
}

/** Envelope as JSON text, object by object. */
function* envelope<Row>(
  { name, source }: Collection<Row>,
  page: Page<Row>,
  select: Parameters<typeof selectFields>[1] | undefined,
  loadMs: number,
  more: object,
): Generator<void, string> {
  const startMs = performance.now();
  const texts: string[] = [];
  for (const row of page.rows) {
    texts.push(
      select
        ? JSON.stringify(selectFields(source.object(row), select))
        : (source.text?.(row) ?? JSON.stringify(source.object(row))),
    );
    yield;
  }
  const timing = { ...page.timing, load: loadMs, select: performance.now() - startMs };
  const rounded = Object.fromEntries(Object.entries(timing).map(([key, ms]) => [key, Math.round(ms * 1000) / 1000]));
  const rest = JSON.stringify({
    next: page.next,
    prev: page.prev,
    estimated_count: page.count,
    timing: rounded,
    ...more,
  });
  return `{${JSON.stringify(name)}:[${texts.join(',')}],${rest.slice(1)}`;
}
