import { randomUUID } from 'node:crypto';
import type { StreamStats } from '../../src-preload/contract/api/stream-object.ts';
import type { ProblemStatus } from '../engine/messages.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import { leftOutTracks } from './left-out-tracks.ts';
import { mediaInfo } from './media-info.ts';
import { pushStates } from './stream-pushes.ts';
import { isPublishStream } from './publish-policy.ts';
import type { StreamRates } from './server-stats.ts';
import type { StreamEntry } from './stream-entry.ts';
import { isAlive, pushStats, statusOf } from './stream-state.ts';

/** Context of the figures of a stream. */
export interface StreamStatsContext {
  /** Epoch milliseconds. */
  readonly nowMs: number;
  readonly rates: (entry: StreamEntry) => StreamRates;
}

type Reader<K extends keyof StreamStats> = (entry: StreamEntry, context: StreamStatsContext) => StreamStats[K];

/** Maximum number of problems in the figures of a stream. */
const MAX_PROBLEMS = 10;

/** Readers of the figures of a stream by name, so that each can be read separately. */
export const STREAM_STATS: { readonly [K in keyof StreamStats]: Reader<K> } = {
  id: runUuid,
  source_id: () => null,
  status: (entry, { nowMs }) => statusOf(entry, isAlive(entry, nowMs)),
  alive: (entry, { nowMs }) => isAlive(entry, nowMs),
  running: (entry) => entry.runId !== undefined,
  opened_at: (entry) => (entry.runId === undefined ? null : entry.openedMs),
  started_at: startedAt,
  start_running_at: startedAt,
  lifetime: (entry, { nowMs }) => (entry.runId === undefined ? 0 : Math.max(0, nowMs - entry.openedMs)),
  last_access_at: ({ output }) => (output.lastActiveMs === 0 ? null : output.lastActiveMs),
  last_dts_at: ({ status }) => (status && status.lastUnitMs > 0 ? status.lastUnitMs : null),
  last_dts: () => null,
  ts_delay: tsDelay,
  delay: tsDelay,
  bitrate: ({ status }) =>
    status ? Math.round(status.tracks.reduce((sum, { bitrate }) => sum + bitrate, 0) / 1000) : 0,
  input_bitrate: (entry, { rates }) => rates(entry).inputKbit,
  output_bitrate: (entry, { rates }) => rates(entry).outputKbit,
  out_bandwidth: (entry, { rates }) => rates(entry).outputKbit,
  bytes_in: ({ status }) => status?.bytesIn ?? 0,
  bytes_out: ({ bytesOut }) => bytesOut,
  online_clients: clients,
  client_count: clients,
  clients_count: clients,
  input_error_rate: ({ status }) => Math.round((status?.errorsPerSecond ?? 0) * 100) / 100,
  retry_count: ({ status }) => status?.retryCount ?? 0,
  url: (entry) => {
    const input = entry.inputs[(entry.status?.isBackupOnAir === true ? null : entry.status?.activeInput) ?? 0];
    return input ? maskSecrets(input.url) : null;
  },
  source_error: (entry, { nowMs }) => (isAlive(entry, nowMs) ? null : (newestFault(entry) ?? null)),
  input_switches: ({ status }) => status?.inputSwitches ?? 0,
  active_input: ({ status }) => status?.activeInput ?? null,
  selected_input: ({ status }) => status?.selectedInput ?? null,
  backup_running: ({ status }) => status?.isBackupOnAir === true,
  publish_enabled: (entry) => !entry.settings.isDisabled && (!entry.isConfigured || isPublishStream(entry.settings)),
  published_from: ({ status }) => publisher(status?.publisher).from,
  published_via: ({ status }) => publisher(status?.publisher).via,
  media_info: ({ status }) => mediaInfo(status?.tracks ?? []),
  pushes: pushStates,
  push_stats: pushStats,
  dvr_enabled: ({ isRecording }) => isRecording,
  dvr_only: isArchiveOnly,
  dvr_info: ({ archive }) => archiveInfo(archive),
  dvr_replication_running: () => false,
  dvr_replication: () => null,
  remote: () => false,
  running_on: () => [],
  running_transcoder: () => false,
  transcoder_overloaded: () => false,
  coder_error: () => null,
  current_agent_id: () => null,
  agent_status: () => null,
  left_out: ({ status }) => leftOutTracks(status?.leftOut),
  problems: (entry) => problems(entry).slice(0, MAX_PROBLEMS),
};

// `Object.keys` loses the type: the keys of the table are the names of the figures.
const NAMES = Object.keys(STREAM_STATS) as readonly (keyof StreamStats)[];

/** All figures of a stream. */
export function streamStats(entry: StreamEntry, context: StreamStatsContext): StreamStats {
  const stats: Record<string, unknown> = {};
  for (const name of NAMES) stats[name] = STREAM_STATS[name](entry, context);
  // The table has a reader for each name.
  return stats as StreamStats;
}

/** Archive figures of a stream. */
export function archiveStats(entry: StreamEntry): Pick<StreamStats, 'dvr_enabled' | 'dvr_only' | 'dvr_info'> {
  return { dvr_enabled: entry.isRecording, dvr_only: isArchiveOnly(entry), dvr_info: archiveInfo(entry.archive) };
}

/** Reports whether only its archive can be played. */
function isArchiveOnly(entry: StreamEntry): boolean {
  return entry.isArchiveOnly || (entry.runId === undefined && entry.archive !== undefined);
}

function archiveInfo(archive: StreamEntry['archive']): StreamStats['dvr_info'] {
  if (!archive) return null;
  const from = Math.floor(archive.startMs / 1000);
  const { blocks, bytes } = archive;
  return { from, depth: Math.max(0, Math.ceil(archive.endMs / 1000) - from), blocks, bytes };
}

function startedAt({ status }: StreamEntry): number | null {
  return status && status.startedMs > 0 ? status.startedMs : null;
}

function tsDelay({ status }: StreamEntry, { nowMs }: StreamStatsContext): number | null {
  return status && status.lastUnitMs > 0 ? Math.max(0, nowMs - status.lastUnitMs) : null;
}

function clients({ output }: StreamEntry): number {
  return output.viewerCount;
}

function problems({ status, refusals }: StreamEntry): ProblemStatus[] {
  return [...(status?.problems ?? []), ...refusals.list()].sort((a, b) => b.at - a.at);
}

function newestFault(entry: StreamEntry): string | undefined {
  return problems(entry)[0]?.code;
}

/** Parses the engine's description of a publisher: its address, and its software. */
function publisher(text: string | undefined): { readonly from: string | null; readonly via: string | null } {
  if (text === undefined) return { from: null, via: null };
  const [from = '', ...via] = text.split(' ');
  return { from, via: via.length === 0 ? null : via.join(' ').replace(/^\((.*)\)$/, '$1') };
}

const UUIDS = new WeakMap<StreamEntry, { readonly openedMs: number; readonly id: string }>();

/** Returns a new id each time that the stream is opened. */
function runUuid(entry: StreamEntry): string {
  const cached = UUIDS.get(entry);
  if (cached && cached.openedMs === entry.openedMs) return cached.id;
  const id = randomUUID();
  UUIDS.set(entry, { openedMs: entry.openedMs, id });
  return id;
}
