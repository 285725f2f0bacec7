export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Metric with all its values, in the model of Prometheus. */
export interface MetricFamily {
  /** Letters, digits and `_`; ends with the unit, and with `_total` for counters. */
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: Iterable<MetricSample>;
}

/** Type of a metric by its name. */
export function typeOf(name: string): MetricFamily['type'] {
  return name.endsWith('_total') ? 'counter' : 'gauge';
}

/** Metric with one value; undefined while it has none. */
export function single(name: string, help: string, value: number | undefined): MetricFamily {
  return { name, type: typeOf(name), help, samples: value === undefined ? [] : [{ labels: {}, value }] };
}

/** Metric with a value for each name of a label. */
export function counted(
  name: string,
  help: string,
  label: string,
  values: Iterable<readonly [string, number]>,
): MetricFamily {
  const samples = [...values].map(([key, value]) => ({ labels: { [label]: key }, value }));
  return { name, type: typeOf(name), help, samples };
}

/** Media type of the text (Prometheus text format 0.0.4). */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in the Prometheus text format, line by line. */
export function* metricLines(families: Iterable<MetricFamily>): Generator<string, void> {
  for (const { name, help, type, samples } of families) {
    yield `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
    for (const { labels, value } of samples) yield `${name}${printLabels(labels)} ${printValue(value)}\n`;
  }
}

/** Metrics as JSON, in pieces of text. */
export function* metricJson(families: Iterable<MetricFamily>): Generator<string, void> {
  yield '{"metrics":[';
  let familySeparator = '';
  for (const { name, help, type, samples } of families) {
    yield `${familySeparator}${JSON.stringify({ name, help, type }).slice(0, -1)},"values":[`;
    familySeparator = ',';
    let separator = '';
    for (const sample of samples) {
      yield separator + JSON.stringify(sample);
      separator = ',';
    }
    yield ']}';
  }
  yield ']}';
}

function printLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function printValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
