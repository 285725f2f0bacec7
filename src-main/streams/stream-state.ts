import type { InputState, PlaylistState, StreamState, StreamStatus } from '../../src-preload/contract/api/streams.ts';
import type { StreamMeasurements } from '../engine/messages.ts';
import { frameRate } from './frame-rate.ts';
import { maskExplained, maskSecrets } from '../lib/mask-secrets.ts';
import { leftOutTracks } from './left-out-tracks.ts';
import { mediaInfo } from './media-info.ts';
import { pushLamps } from './stream-pushes.ts';
import { isPublishStream, STATIC_APPLICATION } from './publish-policy.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Maximum age of the last frame of a live stream, in milliseconds. */
const ALIVE_MS = 12_000;

/** Maximum number of problems in the state of a stream. */
const MAX_PROBLEMS = 10;

/** Context of the state of a stream. */
export interface StreamStateContext {
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** `rtmp://host:port` for encoders; null for none. */
  readonly rtmpUrl: string | null;
  /** Base address of the HTTP server. */
  readonly baseUrl: string;
}

/** Reports whether a frame arrived within `ALIVE_MS`. */
export function isAlive({ status }: Pick<StreamEntry, 'status'>, nowMs: number): boolean {
  return (
    status !== undefined && status.phase === 'running' && status.lastUnitMs > 0 && nowMs - status.lastUnitMs <= ALIVE_MS
  );
}

/**
 * Age of the newest media for viewers, in milliseconds; null without media. It is unknown, and null too, if the clock of
 * the stream runs ahead of the server, because the age would be negative.
 */
export function liveLatency({ window }: Pick<StreamEntry, 'window'>, nowMs: number): number | null {
  const edgeMs = window.bounds()?.toMs;
  return edgeMs === undefined || edgeMs > nowMs ? null : Math.round(nowMs - edgeMs);
}

/** Bytes sent to each target, by its address without the key. Targets with the same address are added. */
export function pushStats({ status }: Pick<StreamEntry, 'status'>): Record<string, number> {
  const bytes = new Map<string, number>();
  for (const push of status?.pushes ?? []) bytes.set(push.url, (bytes.get(push.url) ?? 0) + push.bytes);
  return Object.fromEntries(bytes);
}

/** State of one stream for the desk and the APIs. */
export function streamState(entry: StreamEntry, context: StreamStateContext): StreamState {
  const { settings, status, output } = entry;
  const lastUnitMs = status?.lastUnitMs ?? 0;
  const tsDelay = lastUnitMs === 0 ? null : Math.max(0, context.nowMs - lastUnitMs);
  const isAliveNow = isAlive(entry, context.nowMs);
  const tracks = status?.tracks ?? [];
  const path = encodeURI(`/${entry.name}`);
  const isBackup = status?.isBackupOnAir === true;
  const input = entry.inputs[(isBackup ? null : status?.activeInput) ?? 0];
  const urls = publishUrls(entry, context);
  const pushes = pushLamps(entry, context);
  const video = tracks.find(({ track }) => track.content === 'video');
  return {
    name: entry.name,
    ...(settings.title === null ? {} : { title: settings.title }),
    named_by: entry.isConfigured ? 'config' : 'user',
    status: statusOf(entry, isAliveNow),
    alive: isAliveNow,
    ts_delay: tsDelay,
    ...(input ? { input_url: maskSecrets(input.url) } : {}),
    static: settings.isStatic,
    inputs: inputStates(entry, context),
    active_input: status?.activeInput ?? null,
    selected_input: status?.selectedInput ?? null,
    backup_running: isBackup,
    input_switches: status?.inputSwitches ?? 0,
    publish_urls: urls,
    ...(urls.length > 0 && settings.password !== null ? { publish_password: true as const } : {}),
    ...(settings.isDisabled ? { is_disabled: true as const } : {}),
    ...(entry.isArchiveOnly ? { is_archive_only: true as const } : {}),
    ...(settings.dvr === null && settings.dvrOffline === null ? {} : { is_recorded: entry.isRecording }),
    playback: {
      hls: `${path}/index.m3u8`,
      dash: `${path}/index.mpd`,
      ts: `${path}/mpegts`,
      embed: `${path}/embed.html`,
      preview: `${path}/preview.jpg`,
    },
    media_info: mediaInfo(tracks),
    left_out: leftOutTracks(status?.leftOut),
    bitrate: Math.round(tracks.reduce((sum, { bitrate }) => sum + bitrate, 0) / 1000),
    fps: video ? frameRate(video) : null,
    input_error_rate: Math.round((status?.errorsPerSecond ?? 0) * 100) / 100,
    bytes_in: status?.bytesIn ?? 0,
    bytes_out: entry.bytesOut,
    client_count: output.viewerCount,
    retry_count: status?.retryCount ?? 0,
    started_at: status && status.startedMs > 0 ? status.startedMs : null,
    ...(status?.playlist ? { playlist: playlistState(status.playlist) } : {}),
    problems: [...(status?.problems ?? []), ...entry.refusals.list()]
      .sort((a, b) => b.at - a.at)
      .slice(0, MAX_PROBLEMS),
    ...(pushes ? { pushes } : {}),
  };
}

function playlistState({
  currentEntry,
  currentType,
  durationMs,
  positionMs,
}: NonNullable<StreamMeasurements['playlist']>): PlaylistState {
  return { current_entry: currentEntry, current_type: currentType, duration: durationMs, position: positionMs };
}

function inputStates({ inputs, status }: StreamEntry, { nowMs }: StreamStateContext): InputState[] {
  return inputs.map(({ url, priority }, index) => {
    const input = status?.inputs[index];
    return {
      url: maskSecrets(url),
      priority,
      phase: input?.phase ?? (url.startsWith('publish://') ? 'waiting' : 'standby'),
      is_active: input !== undefined && status?.activeInput === index,
      ts_delay: input && input.lastUnitMs > 0 ? Math.max(0, nowMs - input.lastUnitMs) : null,
      retry_count: input?.retryCount ?? 0,
      error_count: input?.errorCount ?? 0,
      last_error: input?.lastFault ? { ...input.lastFault, ...maskExplained(input.lastFault) } : null,
    };
  });
}

/** Status of a stream. */
export function statusOf(
  { settings, status }: Pick<StreamEntry, 'settings' | 'status'>,
  isAliveNow: boolean,
): StreamStatus {
  const hasLeftOut = (status?.leftOut.length ?? 0) > 0;
  if (isAliveNow) return hasLeftOut ? 'warning' : 'running';
  // A retry after a failed attempt does not count as starting.
  const hasFailed = status?.phase === 'error' || (status?.phase === 'opening' && status.retryCount > 0);
  return !settings.isDisabled && (hasLeftOut || hasFailed) ? 'error' : 'waiting';
}

function publishUrls(entry: StreamEntry, { rtmpUrl, baseUrl }: StreamStateContext): string[] {
  if (entry.isConfigured && !isPublishStream(entry.settings)) return [];
  const urls = [`${baseUrl}${encodeURI(`/${entry.name}`)}/mpegts`];
  if (rtmpUrl !== null)
    urls.unshift(`${rtmpUrl}/${encodeURI(entry.isConfigured ? `${STATIC_APPLICATION}/${entry.name}` : entry.name)}`);
  return urls;
}
