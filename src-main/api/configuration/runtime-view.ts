import { isObject, type JsonValue } from '../../config/schema/value-schema.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { pendingView, type RuntimeView } from '../../configuration/configuration-view.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { legacyMedia } from '../legacy/media.ts';
import { trafficFigures } from '../objects/traffic-figures.ts';
import { dvrTotals, withStats } from '../objects/dvr-objects.ts';
import type { JsonObject } from '../objects/object-source.ts';
import { archiveStats } from '../../streams/stream-stats.ts';

/** Runtime information about the server, shown beside its configuration. */
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
    ...trafficFigures(figures),
  };
}

function runtimeOfServer({ stats, describe }: ApiContext): { readonly [key: string]: JsonValue } {
  const { version, hostname } = describe();
  const figures = stats.figures();
  return {
    version,
    hostname,
    uptime: figures.uptimeSeconds,
    ...trafficFigures(figures),
    cpu_usage: figures.cpuPercent,
    memory_usage: figures.memoryPercent,
    scheduler_load: figures.schedulerPercent,
  };
}

/** Storages of the configuration with their measurements, and totals of all archives. */
function runtimeOfArchives(
  context: ApiContext,
  configured: JsonValue | undefined,
): { readonly [key: string]: JsonValue } {
  const state = context.archiveFigures?.state;
  if (!state) return {};
  const dvrs = isObject(configured) ? configured : {};
  const shown: Record<string, JsonObject> = {};
  for (const storage of state.storages) {
    const { name } = storage;
    if (name !== null) shown[name] = withStats(isObject(dvrs[name]) ? dvrs[name] : {}, storage);
  }
  return {
    ...(configured === undefined ? {} : { dvrs: { ...dvrs, ...shown } }),
    // The contract describes JSON, although its type has no index signature.
    dvr: { stats: dvrTotals(context) as unknown as JsonValue },
  };
}

function runtimeOfStream(context: ApiContext, name: string): { readonly [key: string]: JsonValue } {
  const entry = context.streams.get(name);
  // The contract describes JSON, although its type has no index signature.
  const stats = entry && { ...legacyMedia(context, entry).value.stats, ...archiveStats(entry) };
  return stats ? { stats: stats as unknown as JsonValue } : {};
}

/** Runtime data for `read_config`. */
export function runtimeView(context: ApiContext): RuntimeView {
  return {
    server: (settings) => ({ ...runtimeOfServer(context), ...runtimeOfArchives(context, settings['dvrs']) }),
    stream: (name) => runtimeOfStream(context, name),
  };
}
