import { METRICS_TYPE, metricJson, metricLines, type MetricFamily } from '../metrics/metrics.ts';
import { textPieces } from '../../lib/text-pieces.ts';
import { PiecesBody, type Answer, type EndpointRequest } from '../endpoints/endpoint.ts';

/** Metrics as Prometheus text, or as JSON for clients that prefer it. */
export function metricsAnswer(
  { headers }: Pick<EndpointRequest, 'headers'>,
  families: readonly MetricFamily[],
): Answer {
  const body = prefersJson(headers.accept)
    ? new PiecesBody(textPieces(metricJson(families)))
    : new PiecesBody(textPieces(metricLines(families)), METRICS_TYPE);
  return { status: 200, body };
}

/** Whether an `Accept` header (RFC 9110 section 12.5.1) prefers JSON to text. */
export function prefersJson(accept: string | undefined): boolean {
  return qualityOf(accept, 'application/json') > qualityOf(accept, 'text/plain');
}

function qualityOf(accept: string | undefined, type: string): number {
  const ranges = new Map(
    (accept ?? '*/*').split(',').map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
      return [name, Number.isFinite(quality) ? quality : 0] as const;
    }),
  );
  return ranges.get(type) ?? ranges.get(`${type.split('/')[0] ?? ''}/*`) ?? ranges.get('*/*') ?? 0;
}
