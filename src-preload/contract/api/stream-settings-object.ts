import { z } from 'zod';
import {
  drmSchema,
  optionsSchema,
  READ_ONLY,
  recordingSchema,
  sessionBackendSchema,
  timestampSchema,
} from './api-parts.ts';
import { inputPhaseSchema } from '../streams.ts';

const inputStatsSchema = z.object({
  phase: inputPhaseSchema,
  active: z.boolean().describe('whether it is on air, or was the last one on air'),
  ts_delay: z.number().int().nullable().describe('milliseconds since its last frame; null before the first'),
  last_dts_at: timestampSchema.describe('epoch milliseconds of its last frame'),
  retry_count: z.number().int().describe('attempts to get it back since frames last came'),
  errors: z.number().int().describe('faults in its bytes and of its connections'),
  error: z.string().nullable().describe('code of the last fault'),
});

/** One input of a stream. Options that are not named here go to the input as they are written. */
const inputObjectSchema = z
  .object({
    url: z.string().describe('as configured, passwords masked'),
    priority: z
      .union([z.number().int(), z.string()])
      .optional()
      .describe('1 before 2; the place in the list without it'),
    frames_timeout: z.union([z.number(), z.string()]).optional().describe('seconds'),
    source_timeout: z.union([z.number(), z.string()]).optional().describe('seconds'),
    stats: inputStatsSchema.optional().meta(READ_ONLY),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean()]));

const pushSchema = z.object({
  url: z.string(),
  retry_limit: z.number().int().nullable().optional(),
  retry_timeout: z.number().optional().describe('seconds'),
  timeout: z.number().optional().describe('seconds'),
  disabled: z.boolean().optional(),
});

const off = z.boolean().optional();
const pixels = z.number().int().optional();

/** What streams and templates have set: what is written, what a template adds, and the defaults. Times are in seconds where nothing else is said. */
export const streamSettingsShape = {
  title: z.string().optional(),
  comment: z.string().optional(),
  provider: z.string().optional(),
  position: z.number().int().describe('place in lists'),
  disabled: z.boolean(),
  static: z.boolean().describe('whether it runs without viewers'),
  inputs: z.array(inputObjectSchema).meta({ 'x-key': 'url', description: 'in the order of the configuration' }),
  password: z.string().optional().describe('for publishers; shown as a mask'),
  play_key: z.string().optional().describe('keys of signed addresses to play; shown as a mask'),
  publish_key: z.string().optional().describe('keys of signed addresses to publish at; shown as a mask'),
  segment_duration: z.number(),
  chunk_duration: z.number().describe('milliseconds'),
  segment_count: z.number().int(),
  source_timeout: z.number(),
  clients_timeout: z.number(),
  retry_limit: z.number().int().optional().describe('absent: no limit'),
  backup: z.object({ file: z.string(), timeout: z.number().optional() }).optional(),
  dvr: recordingSchema.optional(),
  dvr_offline: recordingSchema.optional(),
  dvr_protected: off,
  on_play: sessionBackendSchema.optional(),
  auth: sessionBackendSchema.optional().describe('the older form of on_play'),
  on_publish: sessionBackendSchema.optional(),
  pushes: z.array(pushSchema).optional().meta({ 'x-key': 'url' }),
  prepush: z.union([z.number(), z.boolean()]).optional(),
  transcoder: z.array(z.array(z.string())).optional().describe('pairs of key and value'),
  logo: z
    .object({
      path: z.string(),
      left: pixels,
      top: pixels,
      right: pixels,
      bottom: pixels,
      width: pixels,
      height: pixels,
    })
    .optional(),
  thumbnails: z.object({ enabled: z.string().optional() }).catchall(z.string()).optional(),
  labels: optionsSchema.optional(),
  meta: z
    .array(z.object({ key: z.string(), value: z.string() }))
    .optional()
    .meta({ 'x-key': 'key' }),
  cluster_key: z.string().optional().describe('shown as a mask'),
  cluster_ingest: z.object({ capture_at: z.string().optional() }).optional(),
  protocols: z.array(z.string()).optional(),
  drm: drmSchema.optional(),
  silencedetect: z
    .object({ duration: z.number().optional(), interval: z.number().optional(), noise: z.number().optional() })
    .optional(),
  motion_detector: optionsSchema.optional(),
  hls_scte35: z.enum(['rfc8216', 'aws', 'scte35']),
  add_audio_only: off,
  cmaf_enabled: off,
  dash_update_period: z.number().optional(),
  url_prefix: z.string().optional(),
  webrtc_abr: optionsSchema.optional(),
  mpegts_pids: optionsSchema.optional(),
  playback_headers: optionsSchema.optional(),
  cache: z.string().optional(),
  publish_enabled: off,
  dash_off: off,
  hls_off: off,
  hds_off: off,
  m4f_off: off,
  m4s_off: off,
  mpegts_off: off,
  pulse_off: off,
  rtmp_off: off,
  rtsp_off: off,
  webrtc_off: off,
};
