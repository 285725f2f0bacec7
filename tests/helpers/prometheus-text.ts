/** One sample of the Prometheus text format. */
interface ReadSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric of the Prometheus text format. */
export interface ReadMetric {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ReadSample[];
}

/**
 * Strict parser of the Prometheus text format 0.0.4: throws for everything that a scraper would refuse, such as a
 * sample before its TYPE, a duplicate, or a metric whose samples are not together.
 */
export function readPrometheus(text: string): Map<string, ReadMetric> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  const metrics = new Map<string, { type: string; help: string; samples: ReadSample[]; keys: Set<string> }>();
  let current = '';
  for (const line of text.split('\n').slice(0, -1)) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) ([^\n]*)$/.exec(line);
    if (comment) {
      const [, kind = '', name = '', rest = ''] = comment;
      if (name !== current && metrics.has(name)) throw new Error(`${name} comes again: ${line}`);
      const metric = metrics.get(name) ?? { type: '', help: '', samples: [], keys: new Set<string>() };
      if (metric.samples.length > 0) throw new Error(`${kind} after samples: ${line}`);
      if (kind === 'TYPE' && !/^(counter|gauge|histogram|summary|untyped)$/.test(rest))
        throw new Error(`no such type: ${line}`);
      metrics.set(name, { ...metric, ...(kind === 'TYPE' ? { type: rest } : { help: rest }) });
      current = name;
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^\n]*)\})? (-?(?:[0-9.]+(?:e[+-]?[0-9]+)?)|NaN|[+-]Inf)$/.exec(
      line,
    );
    if (!sample) throw new Error(`no sample: ${line}`);
    const [, name = '', labels, value = ''] = sample;
    const metric = metrics.get(name);
    if (!metric || name !== current || metric.type === '') throw new Error(`a sample without its metric: ${line}`);
    const read = readLabels(labels ?? '', line);
    const key = JSON.stringify(Object.entries(read).sort());
    if (metric.keys.has(key)) throw new Error(`twice: ${line}`);
    metric.keys.add(key);
    metric.samples.push({ labels: read, value: Number(value.replace('Inf', 'Infinity')) });
  }
  return metrics;
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const match = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/.exec(rest);
    if (!match) throw new Error(`bad labels: ${line}`);
    const [printed, name = '', value = ''] = match;
    if (Object.hasOwn(labels, name)) throw new Error(`a label twice: ${line}`);
    labels[name] = value.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    rest = rest.slice(printed.length);
  }
  return labels;
}
