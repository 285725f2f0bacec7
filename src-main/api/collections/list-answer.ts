import { ReaderObjects } from '../objects/reader-objects.ts';
import { runInTurns } from '../../lib/turns.ts';
import { PiecesBody, TextBody, type Answer, type EndpointRequest } from '../endpoints/endpoint.ts';
import type { Collection } from './collection.ts';
import { readListQuery, type Queryable } from './list-query.ts';
import { METRICS_TYPE, metricsText } from '../metrics/open-metrics.ts';
import { readPage, type Page } from './page.ts';
import { selectFields } from './selection.ts';

/** The answer to a request for a list: a portion in its envelope, or metrics of everything that the filters let through. */
export async function listAnswer<Row>(
  request: EndpointRequest,
  whole: Collection<Row>,
  queryable: Queryable,
): Promise<Answer> {
  const collection = request.caller.mayWrite
    ? whole
    : { ...whole, source: new ReaderObjects(whole.source, whole.name) };
  const startMs = performance.now();
  const query = readListQuery(request.url, queryable);
  const rows = collection.source.rows();
  const isMetrics = wantsMetrics(request);
  const loadMs = performance.now() - startMs;
  const page = await runInTurns(
    readPage(rows, isMetrics && !query.isLimited ? { ...query, limit: rows.length || 1 } : query, collection.source),
  );
  if (isMetrics) return { status: 200, body: new PiecesBody(metricsText(collection, page.rows), METRICS_TYPE) };
  const text = await runInTurns(envelope(collection, page, query.select, loadMs));
  return { status: 200, body: new TextBody(text, 'application/json; charset=utf-8') };
}

/** The envelope as JSON text, object by object. */
function* envelope<Row>(
  { name, source }: Collection<Row>,
  page: Page<Row>,
  select: Parameters<typeof selectFields>[1] | undefined,
  loadMs: number,
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
  const rest = JSON.stringify({ next: page.next, prev: page.prev, estimated_count: page.count, timing: rounded });
  return `{${JSON.stringify(name)}:[${texts.join(',')}],${rest.slice(1)}`;
}

function wantsMetrics({ headers, query }: EndpointRequest): boolean {
  const format = query.find(({ name }) => name === 'format')?.value;
  return (
    format === 'openmetrics' ||
    (format === undefined && /\bapplication\/openmetrics-text\b/i.test(headers.accept ?? ''))
  );
}
