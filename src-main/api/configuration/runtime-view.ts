import type { JsonValue } from '../../config/schema/value-schema.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { pendingView, type RuntimeView } from '../../configuration/configuration-view.ts';
import type { ApiContext } from '../api-context.ts';
import { legacyMedia } from '../legacy/media.ts';

/** What the server says of itself beside its configuration. */
export function configStatsView(
  configuration: Configuration,
  { stats, describe }: Pick<ApiContext, 'stats' | 'describe'>,
  alerts: Readonly<Record<string, string>>,
): { readonly [key: string]: JsonValue } {
  const { hostname, version, started_at: startedMs } = describe();
  const figures = stats.figures();
  return {
    server_version: version,
    hostname,
    started_at: startedMs,
    uptime: figures.uptimeSeconds,
    streamer_status: configuration.error === null ? 'running' : 'broken_config',
    config_error: configuration.error,
    config_version: [...configuration.revision],
    next_version: null,
    version: configuration.versionId,
    saved: configuration.isOnDisk,
    pending: pendingView(configuration),
    text_alerts: alerts,
    cpu_usage: figures.cpuPercent,
    memory_usage: figures.memoryPercent,
    scheduler_load: figures.schedulerPercent,
    total_clients: figures.totalClients,
    total_streams: figures.totalStreams,
    online_streams: figures.onlineStreams,
    input_kbit: figures.inputKbit,
    output_kbit: figures.outputKbit,
  };
}

function runtimeOfServer({ stats, describe }: ApiContext): { readonly [key: string]: JsonValue } {
  const { version, hostname } = describe();
  const { uptimeSeconds, totalClients, totalStreams, onlineStreams, inputKbit, outputKbit } = stats.figures();
  return {
    version,
    hostname,
    uptime: uptimeSeconds,
    total_clients: totalClients,
    total_streams: totalStreams,
    online_streams: onlineStreams,
    input_kbit: inputKbit,
    output_kbit: outputKbit,
  };
}

function runtimeOfStream(context: ApiContext, name: string): { readonly [key: string]: JsonValue } {
  const entry = context.streams.get(name);
  // What the contract describes is JSON, though its type has no index.
  return entry ? { stats: legacyMedia(context, entry).value.stats as unknown as JsonValue } : {};
}

/** What runs, for `read_config`. */
export function runtimeView(context: ApiContext): RuntimeView {
  return { server: () => runtimeOfServer(context), stream: (name) => runtimeOfStream(context, name) };
}
