import type { OlderServer } from '../../src-preload/contract/api/older.ts';
import type { ApiHouse } from './api-house.ts';

/** The server as the older API shows it. */
export function olderServer({ stats, describe }: Pick<ApiHouse, 'stats' | 'describe'>): OlderServer {
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
