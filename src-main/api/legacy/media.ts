import type {
  LegacyHealth,
  LegacyMedia,
  LegacyNoTranscoder,
  LegacyOptions,
  LegacyStats,
} from '../../../src-preload/contract/api/legacy.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { MediaInfo } from '../../../src-preload/contract/api/media-info.ts';
import type { PlaylistState } from '../../../src-preload/contract/api/streams.ts';
import type { InputConfig } from '../../config/schema/config.ts';
import { isSecretKey, masked, maskPushAddress } from '../../config/schema/secrets.ts';
import { maskSecrets } from '../../lib/mask-secrets.ts';
import { requireStream, stateContext, type ShownContext } from '../endpoints/api-context.ts';
import { mediaInfo } from '../../streams/media-info.ts';
import { protocolsOff } from '../../configuration/protocols-off.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import { pushStats, streamState } from '../../streams/stream-state.ts';

/** Codes of problems that mean that the frames of an input stopped. */
const BUFFERINGS: ReadonlySet<string> = new Set(['input_stalled', 'input_timed_out']);

/** Streams in the order of their creation; only those in `names` if given. */
export function legacyMediaEntries(
  { streams }: Pick<ShownContext, 'streams'>,
  names: readonly string[] | undefined,
): readonly StreamEntry[] {
  if (!names) return streams.list();
  return [...new Set(names)].flatMap((name) => streams.get(name) ?? []);
}

/** Stream as an entry of the media list. */
export function legacyMedia(context: ShownContext, entry: StreamEntry): LegacyMedia {
  return {
    entry: 'stream',
    value: {
      name: entry.name,
      urls: entry.inputs.map(urlOf),
      stats: statsOf(context, entry),
      options: optionsOf(entry),
    },
  };
}

/** Size and tracks of a stream; no tracks before the first frame. */
export function legacyMediaInfo(context: ShownContext, name: string): MediaInfo {
  return mediaInfo(requireStream(context, name).status?.tracks ?? []) ?? { streams: [], tracks: [] };
}

/**
 * Size and tracks of the input of a transcoded stream. Always answers that the stream has no transcoder, because this version
 * does not transcode.
 */
export function legacyInputMediaInfo(context: ShownContext, name: string): LegacyNoTranscoder {
  requireStream(context, name);
  return { error: 'no_transcoder' };
}

/** Whether frames arrive; raises `stream_no_frames` if not. */
export function legacyHealth(context: ShownContext, name: string): LegacyHealth {
  const { alive, ts_delay: tsDelay } = streamState(requireStream(context, name), stateContext(context));
  if (!alive || tsDelay === null)
    throw new AirdeskError('stream_no_frames', `${name} has no recent frames`, { ts_delay: tsDelay });
  return { ts_delay: tsDelay };
}

/** State of a playlist; raises `playlist_not_open` for streams without one. */
export function legacyPlaylist(context: ShownContext, name: string): PlaylistState {
  const { playlist } = streamState(requireStream(context, name), stateContext(context));
  if (!playlist) throw new AirdeskError('playlist_not_open', `${name} does not play a playlist`);
  return playlist;
}

function urlOf({ url, priority, sourceTimeoutMs, options }: InputConfig): LegacyMedia['value']['urls'][number] {
  const others = Object.entries(options).map(([key, value]): [string, string] => [
    key,
    masked(value, isSecretKey(key)),
  ]);
  return {
    value: maskSecrets(url),
    options: [['priority', String(priority)], ['source_timeout', String(sourceTimeoutMs / 1000)], ...others],
  };
}

function statsOf(context: ShownContext, entry: StreamEntry): LegacyStats {
  const state = streamState(entry, stateContext(context));
  const off = protocolsOff(entry.settings);
  return {
    alive: state.alive,
    bitrate: state.bitrate,
    bufferings: (entry.status?.problems ?? []).reduce(
      (sum, { code, count }) => (BUFFERINGS.has(code) ? sum + count : sum),
      0,
    ),
    client_count: state.client_count,
    dash: !off.includes('dash'),
    hds: false,
    hls: !off.includes('hls'),
    input_error_rate: state.input_error_rate,
    last_access_at: entry.output.lastActiveMs || null,
    media_info: state.media_info,
    out_bandwidth: context.stats.rates(entry).outputKbit,
    push_stats: pushStats(entry),
    remote: false,
    retry_count: state.retry_count,
    running: entry.runId !== undefined,
    start_running_at: state.started_at,
    ts_delay: state.ts_delay,
    url: state.input_url ?? null,
  };
}

function optionsOf({ settings }: StreamEntry): LegacyOptions {
  return {
    static: settings.isStatic,
    retry_limit: settings.retryLimit,
    clients_timeout: settings.clientsTimeoutMs / 1000,
    source_timeout: settings.sourceTimeoutMs / 1000,
    pushes: settings.pushes.map(({ url }) => [maskPushAddress(url)]),
    add_audio_only: settings.hasAudioOnly,
    dash_off: settings.isDashOff,
    dvr_protected: settings.isDvrProtected,
    hds_off: settings.isHdsOff,
    hls_off: settings.isHlsOff,
    m4f_off: settings.isM4fOff,
    m4s_off: settings.isM4sOff,
    mpegts_off: settings.isMpegtsOff,
    pulse_off: settings.isPulseOff,
    rtmp_off: settings.isRtmpOff,
    rtsp_off: settings.isRtspOff,
    webrtc_off: settings.isWebrtcOff,
  };
}
