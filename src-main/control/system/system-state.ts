import { printFault, type Fault } from '../../../src-preload/contract/api/alarm-faults.ts';
import type { KeyService } from './key-service.ts';
import type { SystemState } from '../../../src-preload/contract/operations/system-calls.ts';
import type { ServerFigures } from '../../streams/server-stats.ts';
import type { DiskState, ArchiveFigures } from '../archive/archive-figures.ts';

/** Number of open files or connections, and their maximum. */
interface Used {
  readonly open: number;
  readonly limit: number;
}

/** Sources of the server's state. */
export interface SystemPort {
  readonly facts: () => { readonly version: string; readonly startedMs: number };
  /** Information about the process; `process` in the server. */
  readonly process: Pick<NodeJS.Process, 'versions' | 'platform' | 'arch' | 'pid'> & {
    memoryUsage: { rss(): number };
  };
  readonly machine: () => { readonly cores: number; readonly memoryBytes: number };
  readonly figures: () => ServerFigures;
  readonly listeners: () => SystemState['listeners'];
  readonly limits: () => {
    readonly connections: Used;
    readonly rtmpConnections: Used;
    readonly openFiles: { readonly count: number; readonly limit: number } | undefined;
    readonly quarantine: { readonly active: number };
  };
  readonly archive: Pick<ArchiveFigures, 'refresh' | 'state'>;
  /** Confirms new keys for lost ones. */
  readonly keys: Pick<KeyService, 'renew'>;
  /** Alerts that need an operator, by subject. */
  readonly alerts: () => Readonly<Record<string, Fault>>;
}

/** Versions to show. All other entries of `process.versions` belong to one of these. */
const VERSIONS = ['electron', 'chrome', 'node', 'v8', 'openssl', 'sqlite'] as const;

/** State of the server and its machine: addresses, limits, threads, disks, and alerts. */
export async function systemState(port: SystemPort): Promise<SystemState> {
  await port.archive.refresh();
  const { version, startedMs } = port.facts();
  const figures = port.figures();
  const limits = port.limits();
  const machine = port.machine();
  const { storages, own } = port.archive.state;
  return {
    versions: [{ name: 'airdesk', version }, ...versionsOf(port.process.versions)],
    platform: `${port.process.platform} ${port.process.arch}`,
    pid: port.process.pid,
    started_at: startedMs,
    machine: {
      cores: machine.cores,
      cpu_percent: percent(figures.cpuPercent),
      memory_bytes: machine.memoryBytes,
      memory_percent: percent(figures.memoryPercent),
    },
    process: {
      memory_bytes: port.process.memoryUsage.rss(),
      server_thread_percent: percent(figures.schedulerPercent),
      threads: figures.threads.map(({ index, load, publishers }) => ({
        index,
        load_percent: Math.max(0, Math.round(load * 100)),
        publishers,
      })),
    },
    traffic: {
      streams: figures.totalStreams,
      online_streams: figures.onlineStreams,
      viewers: figures.totalClients,
      input_kbit: Math.round(figures.inputKbit),
      output_kbit: Math.round(figures.outputKbit),
    },
    listeners: port.listeners(),
    limits: {
      http: limits.connections,
      rtmp: limits.rtmpConnections,
      files: limits.openFiles ? { open: limits.openFiles.count, limit: limits.openFiles.limit } : null,
    },
    quarantined_inputs: limits.quarantine.active,
    disks: [...storages, own].flatMap(({ name, disks }) => disks.map((disk) => diskOf(name, disk))),
    alerts: Object.entries(port.alerts()).map(([about, { fault, facts }]) => ({
      about,
      message: printFault({ fault, facts }),
      fault,
      facts: { ...facts },
    })),
  };
}

function versionsOf(versions: Readonly<Partial<Record<string, string>>>): SystemState['versions'] {
  return VERSIONS.flatMap((name) => {
    const version = versions[name];
    return version === undefined ? [] : [{ name, version }];
  });
}

function diskOf(
  storage: string | null,
  { path, folder, space, fault, ...disk }: DiskState,
): SystemState['disks'][number] {
  return {
    storage,
    folder: folder ?? path,
    is_written: disk.isWritten,
    total_bytes: space?.totalBytes ?? null,
    free_bytes: space?.freeBytes ?? null,
    archive_bytes: disk.bytes,
    waiting_bytes: disk.waitingBytes,
    written_bytes_per_second: Math.max(0, disk.figures.writtenBytesPerSecond),
    slowest_write_ms: Math.max(0, disk.figures.slowestWriteMs),
    fault: fault === null ? null : { code: fault.code, message: fault.detail, explanation: fault.explanation ?? null },
  };
}

function percent(value: number): number {
  return Math.min(100, Math.max(0, Math.round(value)));
}
