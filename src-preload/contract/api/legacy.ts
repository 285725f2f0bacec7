import { z } from 'zod';
import { mediaInfoSchema } from './media-info.ts';
import { playlistStateSchema } from './streams.ts';

/** `GET /server`. */
export const legacyServerSchema = z.object({
  version: z.string().describe('version of the program'),
  hostname: z.string().describe('host name of the machine'),
  uptime: z.number().int().describe('seconds'),
  total_clients: z.number().int().describe('current viewers'),
  total_streams: z.number().int().describe('open streams'),
  online_streams: z.number().int().describe('streams with frames'),
  input_kbit: z.number().int().describe('kbit/s of all inputs'),
  output_kbit: z.number().int().describe('kbit/s to all viewers'),
});
export type LegacyServer = z.infer<typeof legacyServerSchema>;

const pairSchema = z.tuple([z.string(), z.string()]);

/** State of a running stream in the legacy API. */
export const legacyStatsSchema = z.object({
  alive: z.boolean().describe('whether a frame came in the last 12 seconds'),
  bitrate: z.number().int().describe('kbit/s of the input'),
  bufferings: z.number().int().describe('interruptions of the input'),
  client_count: z.number().int().describe('current viewers'),
  dash: z.boolean().describe('whether DASH is served'),
  hds: z.boolean().describe('whether HDS is served; it is not'),
  hls: z.boolean().describe('whether HLS is served'),
  input_error_rate: z.number().describe('errors per second'),
  last_access_at: z
    .number()
    .int()
    .nullable()
    .describe('epoch milliseconds of the last request of a viewer; null before the first'),
  media_info: mediaInfoSchema.nullable().describe('size and tracks; null before the first frame'),
  out_bandwidth: z.number().int().describe('kbit/s to all viewers'),
  push_stats: z.record(z.string(), z.number().int()).describe('bytes by target'),
  remote: z.boolean().describe('whether it comes from another server of the cluster'),
  retry_count: z.number().int().describe('attempts to reconnect the input since its last frame'),
  running: z.boolean().describe('whether it is open, with or without frames'),
  start_running_at: z.number().int().nullable().describe('epoch milliseconds'),
  ts_delay: z.number().int().nullable().describe('milliseconds since the last frame; null before the first'),
  url: z.string().nullable().describe('input on air, without passwords'),
});
export type LegacyStats = z.infer<typeof legacyStatsSchema>;

/** Configuration of a stream in the legacy API. */
export const legacyOptionsSchema = z.object({
  static: z.boolean().describe('whether it runs without viewers'),
  retry_limit: z.number().int().nullable().describe('null: no limit'),
  clients_timeout: z.number().describe('seconds'),
  source_timeout: z.number().describe('seconds'),
  pushes: z.array(z.array(z.string())).describe('servers to which the stream is pushed'),
  add_audio_only: z.boolean().describe('whether HLS offers an audio-only variant'),
  dash_off: z.boolean().describe('whether DASH is switched off'),
  dvr_protected: z.boolean().describe('whether the archive has its own authorization'),
  hds_off: z.boolean().describe('whether HDS is switched off'),
  hls_off: z.boolean().describe('whether HLS is switched off'),
  m4f_off: z.boolean().describe('whether M4F is switched off'),
  m4s_off: z.boolean().describe('whether M4S is switched off'),
  mpegts_off: z.boolean().describe('whether MPEG-TS over HTTP is switched off'),
  pulse_off: z.boolean().describe('whether measurements are switched off'),
  rtmp_off: z.boolean().describe('whether RTMP to players is switched off'),
  rtsp_off: z.boolean().describe('whether RTSP to players is switched off'),
  webrtc_off: z.boolean().describe('whether WebRTC is switched off'),
});
export type LegacyOptions = z.infer<typeof legacyOptionsSchema>;

/** One entry of `GET /media`. */
export const legacyMediaSchema = z.object({
  entry: z.literal('stream').describe('kind of the entry'),
  value: z
    .object({
      name: z.string().describe('unique name of the stream'),
      urls: z
        .array(
          z.object({
            value: z.string().describe('as configured, passwords masked'),
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
  ts_delay: z.number().int().describe('milliseconds since the last frame'),
});
export type LegacyHealth = z.infer<typeof legacyHealthSchema>;

/** A file that viewers play. */
export const legacyFileSchema = z.object({
  name: z.string().describe('the file'),
  worker_count: z.number().int().describe('processes that read it'),
  client_count: z.number().int().describe('current viewers'),
  url: z.string().describe('path or URL'),
  bytes_out: z.number().int().describe('bytes delivered'),
  bytes_in: z.number().int().describe('bytes read'),
  prefix: z.string().describe('prefix of the location'),
});

/** `GET /files`. */
export const legacyFilesSchema = z.object({
  files: z.array(legacyFileSchema).describe('open files: those played most recently'),
});
export type LegacyFiles = z.infer<typeof legacyFilesSchema>;

/** A session of a viewer. */
export const legacySessionSchema = z.object({
  id: z.string().describe('id of the viewer; not unique'),
  session_id: z.string().describe('unique'),
  ip: z.string().describe('address of the viewer'),
  name: z.string().describe('stream or file, with its prefix'),
  created_at: z.number().int().describe('epoch milliseconds'),
  duration: z.number().int().describe('milliseconds'),
  type: z.string().describe('protocol, such as `hls`'),
  bytes_sent: z.number().int().describe('bytes delivered so far'),
  country: z.string().nullable().describe('two letters; null if unknown'),
});
export type LegacySession = z.infer<typeof legacySessionSchema>;

/** `GET /sessions`. */
export const legacySessionsSchema = z.object({
  name: z.string().optional().describe('requested stream or file'),
  sessions: z.array(legacySessionSchema).describe('open sessions'),
});

/** `GET /playlist/{name}`. */
export const legacyPlaylistSchema = playlistStateSchema;

/** About one minute of an archive. */
export const legacyDvrBlockSchema = z.object({
  timestamp: z.number().int().describe('start, epoch seconds'),
  path: z.string().describe('path of the block in the archive'),
  bitrate: z.number().int().describe('kbit/s'),
  segments: z
    .array(
      z.object({
        second: z.number().int().describe('start within the block, in seconds'),
        utc: z.number().int().describe('start, epoch seconds'),
        duration: z.number().describe('seconds'),
        size: z.number().int().describe('bytes'),
        bitrate: z.number().int().describe('kbit/s'),
        jpeg: z.string().optional().describe('path of its first picture, below the server; absent without video'),
      }),
    )
    .describe('segments of the block'),
});

/** `GET /dvr_status/{year}/{month}/{day}/{name}`. */
export const legacyDvrStatusSchema = z.array(legacyDvrBlockSchema);
export type LegacyDvrStatus = z.infer<typeof legacyDvrStatusSchema>;

/** Body of `POST /dvr/lock` and `POST /dvr/unlock`. */
export const legacyDvrLockSchema = z.strictObject({
  stream: z.string().min(1).describe('name of the stream'),
  from: z.number().int().min(0).max(253_402_300_799).describe('start of the range, epoch seconds'),
  duration: z.number().int().min(1).max(253_402_300_799).describe('length of the range in seconds'),
  note: z.string().max(1000).optional().describe('reason; for locks only'),
});

/** Body of `POST /dvr/delete`. */
export const legacyDvrDeleteSchema = z.strictObject({
  stream: z.string().min(1).describe('name of the stream'),
  from: z.number().int().min(0).max(253_402_300_799).describe('start of the range, epoch seconds'),
  duration: z.number().int().min(1).max(253_402_300_799).describe('length of the range in seconds'),
  note: z.string().max(1000).optional().describe('reason, for the event'),
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
  name: z.string().describe('file or folder name'),
  type: z.enum(['file', 'directory']).describe('kind of the entry'),
  prefix: z.string().describe('prefix of the location'),
});

/** `GET /list_files`. */
export const legacyListFilesSchema = z.object({
  files: z.array(legacyVodEntrySchema).describe('files and folders by name'),
});
export type LegacyListFiles = z.infer<typeof legacyListFilesSchema>;

/** Another server of the cluster. Counters are null until the first answer of that server. */
export const legacyClusterServerSchema = z.object({
  client_count: z.number().int().nullable().describe('current viewers'),
  config2: z.boolean().describe('whether it has the newer configuration format'),
  cpu_usage: z.number().nullable().describe('percent'),
  fetch_delay: z.number().int().nullable().describe('milliseconds'),
  id: z.string().nullable().describe('unique id of the server'),
  is_peer: z.boolean().describe('whether it is configured as a peer'),
  is_source: z.boolean().describe('whether it is configured as a source'),
  key: z.string().nullable().describe('secret of the cluster, masked; null without one'),
  memory_usage: z.number().nullable().describe('percent'),
  output_bitrate: z.number().int().nullable().describe('kbit/s'),
  persistent: z.boolean().describe('whether it is in the configuration'),
  ports: z.record(z.string(), z.number().int()).describe('ports by protocol'),
  stream_count: z.number().int().nullable().describe('open streams'),
  uptime: z.number().int().nullable().describe('seconds'),
  version: z.string().nullable().describe('version of its program'),
});
export type LegacyClusterServer = z.infer<typeof legacyClusterServerSchema>;

/** `GET /cluster_servers`, by name. */
export const legacyClusterServersSchema = z.record(z.string(), legacyClusterServerSchema);
export type LegacyClusterServers = z.infer<typeof legacyClusterServersSchema>;

/** Answer of actions. */
export const legacyTrueSchema = z.literal(true);
