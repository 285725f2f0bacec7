import type { ShownContext } from '../endpoints/api-context.ts';
import type { MetricFamily, MetricSample } from './metrics.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import { isAlive } from '../../streams/stream-state.ts';

/** Reads one number of a stream; undefined if it has none at the moment. */
type Reading = (entry: StreamEntry, context: Pick<ShownContext, 'stats'>, nowMs: number) => number | undefined;

/** Metrics of every stream, labelled with its name. */
const READINGS: readonly (readonly [name: string, type: 'gauge' | 'counter', help: string, read: Reading])[] = [
  [
    'airdesk_stream_alive',
    'gauge',
    '1 if the stream receives frames',
    (entry, _services, nowMs) => Number(isAlive(entry, nowMs)),
  ],
  [
    'airdesk_stream_running',
    'gauge',
    'Whether the stream is open, with or without frames',
    ({ runId }) => Number(runId !== undefined),
  ],
  [
    'airdesk_stream_frame_age_seconds',
    'gauge',
    'Time since the last frame; absent before the first',
    ({ status }, _services, nowMs) =>
      status && status.lastUnitMs > 0 ? Math.max(0, nowMs - status.lastUnitMs) / 1000 : undefined,
  ],
  [
    'airdesk_stream_input_bits_per_second',
    'gauge',
    'Bit rate of the tracks over the last seconds',
    ({ status }) => Math.round((status?.tracks ?? []).reduce((sum, { bitrate }) => sum + bitrate, 0)),
  ],
  [
    'airdesk_stream_output_bits_per_second',
    'gauge',
    'Bit rate delivered to all viewers over the last seconds',
    (entry, { stats }) => stats.rates(entry).outputKbit * 1000,
  ],
  [
    'airdesk_stream_received_bytes_total',
    'counter',
    'Bytes received since the stream was opened',
    ({ status }) => status?.bytesIn ?? 0,
  ],
  ['airdesk_stream_sent_bytes_total', 'counter', 'Bytes delivered', ({ output }) => output.bytesOut],
  ['airdesk_stream_clients', 'gauge', 'Viewers', ({ output }) => output.viewerCount],
  [
    'airdesk_stream_retries',
    'gauge',
    'Attempts to open the input since the last frame',
    ({ status }) => status?.retryCount ?? 0,
  ],
  [
    'airdesk_stream_input_switches_total',
    'counter',
    'Switches to another input since the stream was opened',
    ({ status }) => status?.inputSwitches ?? 0,
  ],
  [
    'airdesk_stream_input_errors_per_second',
    'gauge',
    'Faults of the input on air',
    ({ status }) => status?.errorsPerSecond ?? 0,
  ],
];

/** Metrics of all streams. Iterating takes long, so do it in steps. */
export function liveMetrics(context: Pick<ShownContext, 'streams' | 'stats' | 'clock'>): MetricFamily[] {
  const entries = context.streams.list();
  const nowMs = context.clock.now();
  return [
    ...READINGS.map(([name, type, help, read]): MetricFamily => ({
      name,
      type,
      help,
      samples: samplesOf(entries, (entry) => read(entry, context, nowMs)),
    })),
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
