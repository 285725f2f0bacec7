import type { LegacyServer } from '../../../src-preload/contract/api/legacy.ts';
import type { ApiContext } from '../api-context.ts';

/** The server as the legacy API shows it. */
export function legacyServer({ stats, describe }: Pick<ApiContext, 'stats' | 'describe'>): LegacyServer {
  const { version, hostname } = describe();
  const figures = stats.figures();
  return {
    version,
    hostname,
    uptime: figures.uptimeSeconds,
    total_clients: figures.totalClients,
    total_streams: figures.totalStreams,
    online_streams: figures.onlineStreams,
    input_kbit: figures.inputKbit,
    output_kbit: figures.outputKbit,
  };
}
