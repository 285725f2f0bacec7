import { z } from 'zod';
import { mediaInfoSchema, playlistStateSchema } from '../index.ts';

/** `GET /server`. */
export const legacyServerSchema = z.object({
  version: z.string(),
  hostname: z.string(),
  uptime: z.number().int().describe('seconds'),
  total_clients: z.number().int(),
  total_streams: z.number().int(),
  online_streams: z.number().int(),
  input_kbit: z.number().int(),
  output_kbit: z.number().int(),
});
export type LegacyServer = z.infer<typeof legacyServerSchema>;

const pairSchema = z.tuple([z.string(), z.string()]);

/** What the older API tells of a stream that runs. */
export const legacyStatsSchema = z.object({
  alive: z.boolean(),
  bitrate: z.number().int().describe('kbit/s of the input'),
  bufferings: z.number().int().describe('how often the frames of the input stopped'),
  client_count: z.number().int(),
  dash: z.boolean(),
  hds: z.boolean(),
  hls: z.boolean(),
  input_error_rate: z.number().describe('errors per second'),
  last_access_at: z
    .number()
    .int()
    .nullable()
    .describe('epoch milliseconds of the last request of a viewer; null before the first'),
  media_info: mediaInfoSchema.nullable(),
  out_bandwidth: z.number().int().describe('kbit/s to all viewers'),
  push_stats: z.record(z.string(), z.number().int()).describe('bytes by target'),
  remote: z.boolean().describe('whether it comes from another server of the cluster'),
  retry_count: z.number().int(),
  running: z.boolean().describe('whether it is open, with or without frames'),
  start_running_at: z.number().int().nullable().describe('epoch milliseconds'),
  ts_delay: z.number().int().nullable().describe('milliseconds since the last frame; null before the first'),
  url: z.string().nullable().describe('the input on air, without passwords'),
});
export type LegacyStats = z.infer<typeof legacyStatsSchema>;

/** What is configured for a stream. */
export const legacyOptionsSchema = z.object({
  static: z.boolean(),
  retry_limit: z.number().int().nullable().describe('null: no limit'),
  clients_timeout: z.number().describe('seconds'),
  source_timeout: z.number().describe('seconds'),
  pushes: z.array(z.array(z.string())),
  add_audio_only: z.boolean(),
  dash_off: z.boolean(),
  dvr_protected: z.boolean(),
  hds_off: z.boolean(),
  hls_off: z.boolean(),
  m4f_off: z.boolean(),
  m4s_off: z.boolean(),
  mpegts_off: z.boolean(),
  pulse_off: z.boolean(),
  rtmp_off: z.boolean(),
  rtsp_off: z.boolean(),
  webrtc_off: z.boolean(),
});
export type LegacyOptions = z.infer<typeof legacyOptionsSchema>;

/** One entry of `GET /media`. */
export const legacyMediaSchema = z.object({
  entry: z.literal('stream'),
  value: z.object({
    name: z.string(),
    urls: z.array(z.object({ value: z.string(), options: z.array(pairSchema) })),
    stats: legacyStatsSchema,
    options: legacyOptionsSchema,
  }),
});
export type LegacyMedia = z.infer<typeof legacyMediaSchema>;

/** `GET /media_info/{name}`. */
export const legacyMediaInfoSchema = mediaInfoSchema;

/** `GET /input_media_info/{name}` of a stream that is not encoded again. */
export const legacyNoTranscoderSchema = z.object({ error: z.literal('no_transcoder') });
export type LegacyNoTranscoder = z.infer<typeof legacyNoTranscoderSchema>;

/** `GET /stream_health/{name}` of a stream with frames. */
export const legacyHealthSchema = z.object({
  ts_delay: z.number().int().describe('milliseconds since the last frame'),
});
export type LegacyHealth = z.infer<typeof legacyHealthSchema>;

/** A file that is being played. */
export const legacyFileSchema = z.object({
  name: z.string(),
  worker_count: z.number().int(),
  client_count: z.number().int(),
  url: z.string(),
  bytes_out: z.number().int(),
  bytes_in: z.number().int(),
  prefix: z.string(),
});

/** `GET /files`. */
export const legacyFilesSchema = z.object({ files: z.array(legacyFileSchema) });
export type LegacyFiles = z.infer<typeof legacyFilesSchema>;

/** A session of a viewer. */
export const legacySessionSchema = z.object({
  id: z.string().describe('of the viewer; not unique'),
  session_id: z.string().describe('unique'),
  ip: z.string(),
  name: z.string().describe('of the stream or file, with its prefix'),
  created_at: z.number().int().describe('epoch milliseconds'),
  duration: z.number().int().describe('milliseconds'),
  type: z.string().describe('protocol, such as `hls`'),
  bytes_sent: z.number().int(),
  country: z.string().nullable().describe('two letters; null where it is not known'),
});
export type LegacySession = z.infer<typeof legacySessionSchema>;

/** `GET /sessions`. */
export const legacySessionsSchema = z.object({ name: z.string().optional(), sessions: z.array(legacySessionSchema) });

/** `GET /playlist/{name}`. */
export const legacyPlaylistSchema = playlistStateSchema;

/** A minute or so of an archive. */
export const legacyDvrBlockSchema = z.object({
  timestamp: z.number().int(),
  path: z.string(),
  bitrate: z.number().int(),
  segments: z.array(
    z.object({
      second: z.number().int(),
      utc: z.number().int(),
      duration: z.number(),
      size: z.number().int().describe('bytes'),
      bitrate: z.number().int(),
      jpeg: z.string().optional().describe('path of a picture'),
    }),
  ),
});

/** `GET /dvr_status/{year}/{month}/{day}/{name}`. */
export const legacyDvrStatusSchema = z.array(legacyDvrBlockSchema);
export type LegacyDvrStatus = z.infer<typeof legacyDvrStatusSchema>;

/** Body of `POST /dvr/delete`. */
export const legacyDvrDeleteSchema = z.strictObject({
  stream: z.string().min(1),
  from: z.number().int().min(0).describe('epoch seconds'),
  duration: z.number().int().min(1).describe('seconds'),
});
export type LegacyDvrDelete = z.infer<typeof legacyDvrDeleteSchema>;

/** Most entries of one answer of `GET /list_files`. */
export const OLDER_LIST_FILES_MAX = 10_000;

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

/** One entry of a folder of a VOD location. */
export const legacyVodEntrySchema = z.object({
  name: z.string(),
  type: z.enum(['file', 'directory']),
  prefix: z.string(),
});

/** `GET /list_files`. */
export const legacyListFilesSchema = z.object({ files: z.array(legacyVodEntrySchema) });
export type LegacyListFiles = z.infer<typeof legacyListFilesSchema>;

/** Another server of the cluster. Figures are null until it was asked for them. */
export const legacyClusterServerSchema = z.object({
  client_count: z.number().int().nullable(),
  config2: z.boolean(),
  cpu_usage: z.number().nullable().describe('percent'),
  fetch_delay: z.number().int().nullable().describe('milliseconds'),
  id: z.string().nullable(),
  is_peer: z.boolean(),
  is_source: z.boolean(),
  key: z.string().nullable().describe('the secret of the cluster, masked; null without one'),
  memory_usage: z.number().nullable().describe('percent'),
  output_bitrate: z.number().int().nullable().describe('kbit/s'),
  persistent: z.boolean().describe('whether it is in the configuration'),
  ports: z.record(z.string(), z.number().int()),
  stream_count: z.number().int().nullable(),
  uptime: z.number().int().nullable().describe('seconds'),
  version: z.string().nullable(),
});
export type LegacyClusterServer = z.infer<typeof legacyClusterServerSchema>;

/** `GET /cluster_servers`, by name. */
export const legacyClusterServersSchema = z.record(z.string(), legacyClusterServerSchema);
export type LegacyClusterServers = z.infer<typeof legacyClusterServersSchema>;

/** What actions answer with. */
export const legacyTrueSchema = z.literal(true);
