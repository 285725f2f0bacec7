import type { LegacyServer } from '../../../src-preload/contract/api/legacy.ts';
import type { ServerFigures } from '../../streams/server-stats.ts';

/** Figures of streams, viewers and traffic of the server, with the names that all generations of the API use. */
export function trafficFigures(
  figures: ServerFigures,
): Pick<LegacyServer, 'total_clients' | 'total_streams' | 'online_streams' | 'input_kbit' | 'output_kbit'> {
  return {
    total_clients: figures.totalClients,
    total_streams: figures.totalStreams,
    online_streams: figures.onlineStreams,
    input_kbit: figures.inputKbit,
    output_kbit: figures.outputKbit,
  };
}
