import { z } from 'zod';
import { mediaInfoSchema, playlistStateSchema } from '../index.ts';

/** `GET /server`. */
export const legacyServerSchema = z.object({
  version: z.string().describe('version of the program'),
  hostname: z.string().describe('host name of the machine'),
  uptime: z.number().int().describe('seconds'),
  total_clients: z.number().int().describe('viewers at the moment'),
  total_streams: z.number().int().describe('streams that are open'),
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
  bufferings: z.number().int().describe('how often the frames of the input stopped'),
  client_count: z.number().int().describe('viewers at the moment'),
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
  retry_count: z.number().int().describe('attempts to get the input back since frames last came'),
  running: z.boolean().describe('whether it is open, with or without frames'),
  start_running_at: z.number().int().nullable().describe('epoch milliseconds'),
  ts_delay: z.number().int().nullable().describe('milliseconds since the last frame; null before the first'),
  url: z.string().nullable().describe('the input on air, without passwords'),
});
export type LegacyStats = z.infer<typeof legacyStatsSchema>;

/** Configuration of a stream in the legacy API. */
export const legacyOptionsSchema = z.object({
  static: z.boolean().describe('whether it runs without viewers'),
  retry_limit: z.number().int().nullable().describe('null: no limit'),
  clients_timeout: z.number().describe('seconds'),
  source_timeout: z.number().describe('seconds'),
  pushes: z.array(z.array(z.string())).describe('servers that the stream is sent to'),
  add_audio_only: z.boolean().describe('whether HLS offers a variant with sound alone'),
  dash_off: z.boolean().describe('whether DASH is switched off'),
  dvr_protected: z.boolean().describe('whether the archive asks the backend on its own'),
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
      stats: legacyStatsSchema.describe('state of the stream at the moment'),
      options: legacyOptionsSchema.describe('what is configured'),
    })
    .describe('the stream'),
});
export type LegacyMedia = z.infer<typeof legacyMediaSchema>;

/** `GET /media_info/{name}`. */
export const legacyMediaInfoSchema = mediaInfoSchema;

/** `GET /input_media_info/{name}` of a stream without a transcoder. */
export const legacyNoTranscoderSchema = z.object({
  error: z.literal('no_transcoder').describe('the stream is not encoded again'),
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
  client_count: z.number().int().describe('viewers at the moment'),
  url: z.string().describe('where it lies'),
  bytes_out: z.number().int().describe('bytes delivered'),
  bytes_in: z.number().int().describe('bytes read'),
  prefix: z.string().describe('prefix of the place'),
});

/** `GET /files`. */
export const legacyFilesSchema = z.object({
  files: z.array(legacyFileSchema).describe('files that are open: those that were played last'),
});
export type LegacyFiles = z.infer<typeof legacyFilesSchema>;

/** A session of a viewer. */
export const legacySessionSchema = z.object({
  id: z.string().describe('of the viewer; not unique'),
  session_id: z.string().describe('unique'),
  ip: z.string().describe('address that the viewer comes from'),
  name: z.string().describe('of the stream or file, with its prefix'),
  created_at: z.number().int().describe('epoch milliseconds'),
  duration: z.number().int().describe('milliseconds'),
  type: z.string().describe('protocol, such as `hls`'),
  bytes_sent: z.number().int().describe('bytes delivered so far'),
  country: z.string().nullable().describe('two letters; null where it is not known'),
});
export type LegacySession = z.infer<typeof legacySessionSchema>;

/** `GET /sessions`. */
export const legacySessionsSchema = z.object({
  name: z.string().optional().describe('the stream or file that was asked for'),
  sessions: z.array(legacySessionSchema).describe('open sessions'),
});

/** `GET /playlist/{name}`. */
export const legacyPlaylistSchema = playlistStateSchema;

/** About one minute of an archive. */
export const legacyDvrBlockSchema = z.object({
  timestamp: z.number().int().describe('begin, epoch seconds'),
  path: z.string().describe('path of the block in the archive'),
  bitrate: z.number().int().describe('kbit/s'),
  segments: z
    .array(
      z.object({
        second: z.number().int().describe('begin inside the block in seconds'),
        utc: z.number().int().describe('begin, epoch seconds'),
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
  note: z.string().max(1000).optional().describe('why it is kept; of a lock only'),
});

/** Body of `POST /dvr/delete`. */
export const legacyDvrDeleteSchema = z.strictObject({
  stream: z.string().min(1).describe('name of the stream'),
  from: z.number().int().min(0).max(253_402_300_799).describe('start of the range, epoch seconds'),
  duration: z.number().int().min(1).max(253_402_300_799).describe('length of the range in seconds'),
  note: z.string().max(1000).optional().describe('why, for the event'),
});
export type LegacyDvrDelete = z.infer<typeof legacyDvrDeleteSchema>;

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
  name: z.string().describe('of the file or folder'),
  type: z.enum(['file', 'directory']).describe('what it is'),
  prefix: z.string().describe('prefix of the place'),
});

/** `GET /list_files`. */
export const legacyListFilesSchema = z.object({
  files: z.array(legacyVodEntrySchema).describe('files and folders by name'),
});
export type LegacyListFiles = z.infer<typeof legacyListFilesSchema>;

/** Another server of the cluster. Counters are null until the first answer of that server. */
export const legacyClusterServerSchema = z.object({
  client_count: z.number().int().nullable().describe('viewers at the moment'),
  config2: z.boolean().describe('whether it has the newer form of configuration'),
  cpu_usage: z.number().nullable().describe('percent'),
  fetch_delay: z.number().int().nullable().describe('milliseconds'),
  id: z.string().nullable().describe('unique id of the server'),
  is_peer: z.boolean().describe('whether it is configured as a peer'),
  is_source: z.boolean().describe('whether it is configured as a source'),
  key: z.string().nullable().describe('the secret of the cluster, masked; null without one'),
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
