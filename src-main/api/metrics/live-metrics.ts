import type { ShownContext } from '../endpoints/api-context.ts';
import { typeOf, type MetricFamily, type MetricSample } from './metrics.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import { isAlive } from '../../streams/stream-state.ts';

/** Reads one number of a stream; undefined if it has none at the moment. */
type Reading = (entry: StreamEntry, context: Pick<ShownContext, 'stats'>, nowMs: number) => number | undefined;

/** Metrics of every stream, labelled with its name. Their names start with `airdesk_stream_`. */
const READINGS: readonly (readonly [name: string, help: string, read: Reading])[] = [
  ['alive', '1 if the stream receives frames', (entry, _services, nowMs) => Number(isAlive(entry, nowMs))],
  ['running', 'Whether the stream is open, with or without frames', ({ runId }) => Number(runId !== undefined)],
  [
    'frame_age_seconds',
    'Time since the last frame; absent before the first',
    ({ status }, _services, nowMs) =>
      status && status.lastUnitMs > 0 ? Math.max(0, nowMs - status.lastUnitMs) / 1000 : undefined,
  ],
  [
    'input_bits_per_second',
    'Bit rate of the tracks over the last seconds',
    ({ status }) => Math.round((status?.tracks ?? []).reduce((sum, { bitrate }) => sum + bitrate, 0)),
  ],
  [
    'output_bits_per_second',
    'Bit rate delivered to all viewers over the last seconds',
    (entry, { stats }) => stats.rates(entry).outputKbit * 1000,
  ],
  ['received_bytes_total', 'Bytes received since the stream was opened', ({ status }) => status?.bytesIn ?? 0],
  ['sent_bytes_total', 'Bytes delivered', ({ output }) => output.bytesOut],
  ['clients', 'Viewers', ({ output }) => output.viewerCount],
  ['retries', 'Attempts to open the input since the last frame', ({ status }) => status?.retryCount ?? 0],
  [
    'input_switches_total',
    'Switches to another input since the stream was opened',
    ({ status }) => status?.inputSwitches ?? 0,
  ],
  ['input_errors_per_second', 'Faults of the input on air', ({ status }) => status?.errorsPerSecond ?? 0],
];

/** Metrics of all streams. Iterating takes long, so do it in steps. */
export function liveMetrics(context: Pick<ShownContext, 'streams' | 'stats' | 'clock'>): MetricFamily[] {
  const entries = context.streams.list();
  const nowMs = context.clock.now();
  return [
    ...READINGS.map(([end, help, read]): MetricFamily => {
      const name = `airdesk_stream_${end}`;
      const samples = samplesOf(entries, (entry) => read(entry, context, nowMs));
      return { name, type: typeOf(name), help, samples };
    }),
    {
      name: 'airdesk_stream_problems_total',
      type: 'counter',
      help: 'Faults by their code since the stream was opened',
      samples: problemsOf(entries),
    },
  ];
}

function* samplesOf(
  entries: readonly StreamEntry[],
  read: (entry: StreamEntry) => number | undefined,
): Generator<MetricSample, void> {
  for (const entry of entries) {
    const value = read(entry);
    if (value !== undefined) yield { labels: { name: entry.name }, value };
  }
}

function* problemsOf(entries: readonly StreamEntry[]): Generator<MetricSample, void> {
  for (const { name, status } of entries) {
    for (const { code, count } of status?.problems ?? []) yield { labels: { name, code }, value: count };
  }
}
