import type { SystemPort } from '../../src-main/control/system/system-state.ts';

/** Server whose state is set by a test. */
export function systemPort(changes: Partial<SystemPort> = {}): SystemPort {
  return {
    facts: () => ({ version: '1.2.3', startedMs: 1000 }),
    process: {
      // Versions that are not shown are omitted.
      versions: { node: '24.0.0', v8: '13.6', uv: '1.51' } as unknown as NodeJS.ProcessVersions,
      platform: 'linux',
      arch: 'x64',
      pid: 42,
      memoryUsage: { rss: () => 200_000_000 },
    },
    keys: { renew: () => undefined },
    machine: () => ({ cores: 4, memoryBytes: 8_000_000_000 }),
    figures: () => ({
      uptimeSeconds: 60,
      totalStreams: 3,
      onlineStreams: 2,
      totalClients: 5,
      inputKbit: 4000.4,
      outputKbit: 20_000,
      bytesIn: 1,
      bytesOut: 2,
      cpuPercent: 37.4,
      memoryPercent: 50,
      schedulerPercent: 12,
      threads: [{ index: 0, load: 0.256, publishers: 2, evictedInputs: 0, refusedConnections: 0 }],
    }),
    listeners: () => [{ protocol: 'http', host: null, port: 8080 }],
    limits: () => ({
      connections: { open: 10, limit: 2000 },
      rtmpConnections: { open: 2, limit: 500 },
      openFiles: { count: 80, limit: 4096 },
      quarantine: { active: 0 },
    }),
    archive: {
      refresh: () => Promise.resolve(),
      state: {
        storages: [],
        streams: 0,
        isListed: true,
        own: {
          name: null,
          disks: [],
          streams: 0,
          recording: 0,
          finishedBlocks: 0,
          finishedBytes: 0,
          gaps: 0,
          gapMs: 0,
        },
      },
    },
    alerts: () => ({}),
    ...changes,
  };
}
