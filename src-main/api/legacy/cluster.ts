import type { LegacyClusterServer, LegacyClusterServers } from '../../../src-preload/contract/api/legacy.ts';
import { MASK } from '../../config/schema/secrets.ts';
import type { ApiContext } from '../endpoints/api-context.ts';

/**
 * Other servers of the cluster, from the configuration. Fields that only the other server knows are null, because this version
 * does not query other servers.
 */
export function legacyClusterServers({ config }: Pick<ApiContext, 'config'>): LegacyClusterServers {
  const { peers, sources, clusterKey } = config();
  const names = [...new Set([...peers.keys(), ...sources.keys()])];
  return Object.fromEntries(
    names.map((name): [string, LegacyClusterServer] => {
      const peer = peers.get(name);
      const source = sources.get(name);
      const key = peer?.clusterKey ?? source?.clusterKey ?? clusterKey;
      return [
        name,
        {
          client_count: null,
          config2: false,
          cpu_usage: null,
          fetch_delay: null,
          id: null,
          is_peer: peer !== undefined,
          is_source: source !== undefined,
          key: key === null ? null : MASK,
          memory_usage: null,
          output_bitrate: null,
          persistent: true,
          ports: portsOf([peer?.apiUrl, peer?.publicPayloadUrl, peer?.privatePayloadUrl, name]),
          stream_count: null,
          uptime: null,
          version: null,
        },
      ];
    }),
  );
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, rtmp: 1935 };

/** Ports in addresses, by protocol. For each protocol, the first port counts. */
function portsOf(addresses: readonly (string | null | undefined)[]): Record<string, number> {
  const ports: Record<string, number> = {};
  for (const address of addresses) {
    const [, scheme = 'http', port] =
      /^(?:([a-z][a-z0-9+.-]*):\/\/)?[^/]*?(?::([0-9]{1,5}))?(?:\/|$)/i.exec(address ?? '') ?? [];
    const number = port === undefined ? DEFAULT_PORTS[scheme] : Number(port);
    if (address && number !== undefined) ports[scheme] ??= number;
  }
  return ports;
}
