import type { LegacyServer } from '../../../src-preload/contract/api/legacy.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { trafficFigures } from '../objects/traffic-figures.ts';

export function legacyServer({ stats, describe }: Pick<ApiContext, 'stats' | 'describe'>): LegacyServer {
  const { version, hostname } = describe();
  const figures = stats.figures();
  return { version, hostname, uptime: figures.uptimeSeconds, ...trafficFigures(figures) };
}
