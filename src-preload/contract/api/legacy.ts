import { z } from 'zod';
import { mediaInfoSchema } from './media-info.ts';
import { reasonSchema } from './plain-text.ts';
import { playlistStateSchema } from './streams.ts';
import { flag, integer, integerOrNull, number, numberOrNull, optionalText, text, textOrNull } from './api-parts.ts';

/** `GET /server`. */
export const legacyServerSchema = z.object({
  version: text('version of the program'),
  hostname: text('host name of the machine'),
  uptime: integer('seconds'),
  total_clients: integer('current viewers'),
  total_streams: integer('open streams'),
  online_streams: integer('streams with frames'),
  input_kbit: integer('kbit/s of all inputs'),
  output_kbit: integer('kbit/s to all viewers'),
});
export type LegacyServer = z.infer<typeof legacyServerSchema>;

const pairSchema = z.tuple([z.string(), z.string()]);

/** State of a running stream in the legacy API. */
export const legacyStatsSchema = z.object({
  alive: flag('whether a frame came in the last 12 seconds'),
  bitrate: integer('kbit/s of the input'),
  bufferings: integer('interruptions of the input'),
  client_count: integer('current viewers'),
  dash: flag('whether DASH is served'),
  hds: flag('whether HDS is served; it is not'),
  hls: flag('whether HLS is served'),
  input_error_rate: number('errors per second'),
  last_access_at: integerOrNull('epoch milliseconds of the last request of a viewer; null before the first'),
  media_info: mediaInfoSchema.nullable().describe('size and tracks; null before the first frame'),
  out_bandwidth: integer('kbit/s to all viewers'),
  push_stats: z.record(z.string(), z.number().int()).describe('bytes by target'),
  remote: flag('whether it comes from another server of the cluster'),
  retry_count: integer('attempts to reconnect the input since its last frame'),
  running: flag('whether it is open, with or without frames'),
  start_running_at: integerOrNull('epoch milliseconds'),
  ts_delay: integerOrNull('milliseconds since the last frame; null before the first'),
  url: textOrNull('input on air, without passwords'),
});
export type LegacyStats = z.infer<typeof legacyStatsSchema>;

/** Configuration of a stream in the legacy API. */
export const legacyOptionsSchema = z.object({
  static: flag('whether it runs without viewers'),
  retry_limit: integerOrNull('null: no limit'),
  clients_timeout: number('seconds'),
  source_timeout: number('seconds'),
  pushes: z.array(z.array(z.string())).describe('servers to which the stream is pushed'),
  add_audio_only: flag('whether HLS offers an audio-only variant'),
  dash_off: flag('whether DASH is switched off'),
  dvr_protected: flag('whether the archive has its own authorization'),
  hds_off: flag('whether HDS is switched off'),
  hls_off: flag('whether HLS is switched off'),
  m4f_off: flag('whether M4F is switched off'),
  m4s_off: flag('whether M4S is switched off'),
  mpegts_off: flag('whether MPEG-TS over HTTP is switched off'),
  pulse_off: flag('whether measurements are switched off'),
  rtmp_off: flag('whether RTMP to players is switched off'),
  rtsp_off: flag('whether RTSP to players is switched off'),
  webrtc_off: flag('whether WebRTC is switched off'),
});
export type LegacyOptions = z.infer<typeof legacyOptionsSchema>;

/** One entry of `GET /media`. */
export const legacyMediaSchema = z.object({
  entry: z.literal('stream').describe('kind of the entry'),
  value: z
    .object({
      name: text('unique name of the stream'),
      urls: z
        .array(
          z.object({
            value: text('as configured, passwords masked'),
            options: z.array(pairSchema).describe('pairs of key and value'),
          }),
        )
        .describe('inputs in the order of the configuration'),
      stats: legacyStatsSchema.describe('current state of the stream'),
      options: legacyOptionsSchema.describe('configuration'),
    })
    .describe('the stream'),
});
export type LegacyMedia = z.infer<typeof legacyMediaSchema>;

/** `GET /media_info/{name}`. */
export const legacyMediaInfoSchema = mediaInfoSchema;

/** `GET /input_media_info/{name}` of a stream without a transcoder. */
export const legacyNoTranscoderSchema = z.object({
  error: z.literal('no_transcoder').describe('the stream has no transcoder'),
});
export type LegacyNoTranscoder = z.infer<typeof legacyNoTranscoderSchema>;

/** `GET /stream_health/{name}` of a stream with at least one frame. */
export const legacyHealthSchema = z.object({
  ts_delay: integer('milliseconds since the last frame'),
});
export type LegacyHealth = z.infer<typeof legacyHealthSchema>;

/** A file that viewers play. */
export const legacyFileSchema = z.object({
  name: text('the file'),
  worker_count: integer('processes that read it'),
  client_count: integer('current viewers'),
  url: text('path or URL'),
  bytes_out: integer('bytes delivered'),
  bytes_in: integer('bytes read'),
  prefix: text('prefix of the location'),
});

/** `GET /files`. */
export const legacyFilesSchema = z.object({
  files: z.array(legacyFileSchema).describe('open files: those played most recently'),
});
export type LegacyFiles = z.infer<typeof legacyFilesSchema>;

/** A session of a viewer. */
export const legacySessionSchema = z.object({
  id: text('id of the viewer; not unique'),
  session_id: text('unique'),
  ip: text('address of the viewer'),
  name: text('stream or file, with its prefix'),
  created_at: integer('epoch milliseconds'),
  duration: integer('milliseconds'),
  type: text('protocol, such as `hls`'),
  bytes_sent: integer('bytes delivered so far'),
  country: textOrNull('two letters; null if unknown'),
});
export type LegacySession = z.infer<typeof legacySessionSchema>;

/** `GET /sessions`. */
export const legacySessionsSchema = z.object({
  name: optionalText('requested stream or file'),
  sessions: z.array(legacySessionSchema).describe('open sessions'),
});

/** `GET /playlist/{name}`. */
export const legacyPlaylistSchema = playlistStateSchema;

/** About one minute of an archive. */
export const legacyDvrBlockSchema = z.object({
  timestamp: integer('start, epoch seconds'),
  path: text('path of the block in the archive'),
  bitrate: integer('kbit/s'),
  segments: z
    .array(
      z.object({
        second: integer('start within the block, in seconds'),
        utc: integer('start, epoch seconds'),
        duration: number('seconds'),
        size: integer('bytes'),
        bitrate: integer('kbit/s'),
        jpeg: optionalText('path of its first picture, below the server; absent without video'),
      }),
    )
    .describe('segments of the block'),
});

/** `GET /dvr_status/{year}/{month}/{day}/{name}`. */
export const legacyDvrStatusSchema = z.array(legacyDvrBlockSchema);
export type LegacyDvrStatus = z.infer<typeof legacyDvrStatusSchema>;

const legacyDvrRange = z.strictObject({
  stream: z.string().min(1).describe('name of the stream'),
  from: z.number().int().min(0).max(253_402_300_799).describe('start of the range, epoch seconds'),
  duration: z.number().int().min(1).max(253_402_300_799).describe('length of the range in seconds'),
});

/** Body of `POST /dvr/lock` and `POST /dvr/unlock`. */
export const legacyDvrLockSchema = legacyDvrRange.extend({
  note: reasonSchema.optional().describe('reason; for locks only'),
});

/** Body of `POST /dvr/delete`. */
export const legacyDvrDeleteSchema = legacyDvrRange.extend({
  note: reasonSchema.optional().describe('reason, for the event'),
});

/** Maximum number of entries in one answer of `GET /list_files`. */
export const LEGACY_LIST_FILES_MAX = 10_000;

/** Query of `GET /list_files`. */
export const legacyListFilesQuerySchema = z.object({
  prefix: z.string().min(1).max(200),
  path: z.string().min(1).max(4096),
  subpath: z.string().min(1).max(4096),
  from: z.string().max(1024).optional(),
  limit: z
    .string()
    .regex(/^[1-9][0-9]{0,6}$/, 'a number from 1')
    .transform(Number)
    .optional(),
});
export type LegacyListFilesQuery = z.infer<typeof legacyListFilesQuerySchema>;

/** Entry of a folder in a VOD location. */
export const legacyVodEntrySchema = z.object({
  name: text('file or folder name'),
  type: z.enum(['file', 'directory']).describe('kind of the entry'),
  prefix: text('prefix of the location'),
});

/** `GET /list_files`. */
export const legacyListFilesSchema = z.object({
  files: z.array(legacyVodEntrySchema).describe('files and folders by name'),
});
export type LegacyListFiles = z.infer<typeof legacyListFilesSchema>;

/** Another server of the cluster. Counters are null until the first answer of that server. */
export const legacyClusterServerSchema = z.object({
  client_count: integerOrNull('current viewers'),
  config2: flag('whether it has the newer configuration format'),
  cpu_usage: numberOrNull('percent'),
  fetch_delay: integerOrNull('milliseconds'),
  id: textOrNull('unique id of the server'),
  is_peer: flag('whether it is configured as a peer'),
  is_source: flag('whether it is configured as a source'),
  key: textOrNull('secret of the cluster, masked; null without one'),
  memory_usage: numberOrNull('percent'),
  output_bitrate: integerOrNull('kbit/s'),
  persistent: flag('whether it is in the configuration'),
  ports: z.record(z.string(), z.number().int()).describe('ports by protocol'),
  stream_count: integerOrNull('open streams'),
  uptime: integerOrNull('seconds'),
  version: textOrNull('version of its program'),
});
export type LegacyClusterServer = z.infer<typeof legacyClusterServerSchema>;

/** `GET /cluster_servers`, by name. */
export const legacyClusterServersSchema = z.record(z.string(), legacyClusterServerSchema);
export type LegacyClusterServers = z.infer<typeof legacyClusterServersSchema>;

/** Answer of actions. */
export const legacyTrueSchema = z.literal(true);
