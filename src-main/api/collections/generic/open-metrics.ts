import { badParameter } from '../../../../src-preload/contract/errors.ts';
import { textPieces } from '../../../lib/text-pieces.ts';
import type { EndpointRequest } from '../../endpoints/endpoint.ts';
import { parameter } from '../../endpoints/query-flag.ts';
import { jsonSchemaOf, withoutNull, type JsonSchema } from '../../endpoints/json-schema.ts';
import type { Collection } from './collection.ts';

/** Media type of the metrics (OpenMetrics 1.0). */
export const METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Numeric or boolean field. Booleans count as 1 or 0. */
interface MetricField {
  readonly path: string;
  readonly description: string;
}

/** Numbers of a collection's objects as metrics, in pieces. The key of an object is its label. */
export function metricsText<Row>(collection: Collection<Row>, rows: readonly Row[]): AsyncGenerator<string, void> {
  return textPieces(lines(collection, rows));
}

function* lines<Row>({ item, key, schema, source }: Collection<Row>, rows: readonly Row[]): Generator<string> {
  const labelOf = source.getter(key);
  const labels = rows.map((row) => `{${key}="${escapeLabel(String(labelOf(row)))}"}`);
  for (const { path, description } of metricFields(jsonSchemaOf(schema), '')) {
    const name = `airdesk_${item}_${path.replaceAll('.', '_')}`;
    yield `# TYPE ${name} gauge\n${description === '' ? '' : `# HELP ${name} ${escapeLabel(description)}\n`}`;
    const get = source.getter(path);
    for (const [index, row] of rows.entries()) {
      const value = get(row);
      if (typeof value === 'number' || typeof value === 'boolean')
        yield `${name}${labels[index] ?? ''} ${Number(value)}\n`;
    }
  }
  yield '# EOF\n';
}

/** Metric fields of a schema. Deprecated fields are skipped because they repeat others. */
function* metricFields({ properties = {} }: JsonSchema, prefix: string): Generator<MetricField> {
  for (const [key, part] of Object.entries(properties)) {
    const schema = withoutNull(part);
    if (part.deprecated) continue;
    if (schema.properties) yield* metricFields(schema, `${prefix}${key}.`);
    else if (schema.type === 'number' || schema.type === 'integer' || schema.type === 'boolean')
      yield { path: prefix + key, description: part.description ?? '' };
  }
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Whether a list is requested as metrics, by `format` or by `Accept`. Raises `bad_query` for another format. */
export function wantsMetrics(request: EndpointRequest): boolean {
  const format = parameter(request, 'format') ?? '';
  switch (format) {
    case 'openmetrics':
      return true;
    case 'json':
      return false;
    case '':
      return /\bapplication\/openmetrics-text\b/i.test(request.headers.accept ?? '');
    default:
      throw badParameter('format', 'format must be one of json, openmetrics');
  }
}
