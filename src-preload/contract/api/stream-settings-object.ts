import { z } from 'zod';
import {
  drmSchema,
  optionsSchema,
  READ_ONLY,
  recordingSchema,
  sessionBackendSchema,
  timestampSchema,
} from './api-parts.ts';
import { ALARM_SEVERITIES, STREAM_ALARMS } from './alarm-object.ts';
import { inputPhaseSchema } from '../streams.ts';

const inputStatsSchema = z.object({
  phase: inputPhaseSchema.describe(
    'standby: a better one is on air; waiting: for an encoder; opening: no frame yet; running; silent: connected, but the frames stopped; error: waits to try again; given_up: tried as often as retry_limit allows',
  ),
  active: z.boolean().describe('whether it is on air, or was the last one on air'),
  ts_delay: z.number().int().nullable().describe('milliseconds since its last frame; null before the first'),
  last_dts_at: timestampSchema.describe('epoch milliseconds of its last frame'),
  retry_count: z.number().int().describe('attempts to get it back since frames last came'),
  errors: z.number().int().describe('faults in its bytes and of its connections'),
  error: z.string().nullable().describe('code of the last fault'),
});

/** Input of a stream. Options without a field here are passed to the input unchanged. */
const inputObjectSchema = z
  .object({
    url: z.string().describe('as configured, passwords masked'),
    priority: z
      .union([z.number().int(), z.string()])
      .optional()
      .describe('1 before 2; the place in the list without it'),
    frames_timeout: z
      .union([z.number(), z.string()])
      .optional()
      .describe(
        'seconds without a frame before the next input is tried; source_timeout where that is set, and 3 otherwise',
      ),
    source_timeout: z
      .union([z.number(), z.string()])
      .optional()
      .describe('seconds without a frame before it is connected again; that of the stream without it'),
    stats: inputStatsSchema
      .optional()
      .meta({ ...READ_ONLY, description: 'state of the input; absent while the stream is not open' }),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean()]));

const pushSchema = z.object({
  url: z.string().describe('address that the stream is sent to, passwords masked'),
  retry_limit: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe('attempts before it is given up; null or absent: no limit'),
  retry_timeout: z.number().optional().describe('seconds between attempts'),
  timeout: z.number().optional().describe('seconds that the other side may take to answer'),
  disabled: z.boolean().optional().describe('whether nothing is sent; default false'),
});

const off = z.boolean().optional();
const pixels = z.number().int().optional();

/**
 * Settings of streams and templates: own values, values of a template, and defaults. Times are in seconds unless a field says
 * otherwise.
 */
export const streamSettingsShape = {
  title: z.string().optional().describe('the name that people see'),
  comment: z.string().optional().describe('a note for operators; it has no effect'),
  provider: z.string().optional().describe('provider of the programme'),
  position: z.number().int().describe('place in lists: smaller numbers first, names where they are equal; default 0'),
  disabled: z.boolean().describe('whether it stays in the configuration and does not run; default false'),
  static: z.boolean().describe('whether it runs without viewers; default true'),
  inputs: z.array(inputObjectSchema).meta({ 'x-key': 'url', description: 'in the order of the configuration' }),
  password: z.string().optional().describe('what an encoder gives to publish here; shown as a mask'),
  play_key: z
    .union([z.string(), z.literal(false)])
    .optional()
    .describe(
      'keys of signed addresses to play, shown as a mask; false where none is needed, whatever the top level says',
    ),
  publish_key: z
    .union([z.string(), z.literal(false)])
    .optional()
    .describe('keys of signed addresses to publish at, shown as a mask; false for none, whatever the top level says'),
  segment_duration: z
    .number()
    .describe('least duration of a segment in seconds: it ends with the first key frame after; default 2'),
  chunk_duration: z.number().describe('duration of a part of a segment in milliseconds; default 500'),
  segment_count: z.number().int().describe('complete segments in a live playlist; default 6'),
  source_timeout: z
    .number()
    .describe('seconds without a frame after which an input is lost and connected again; default 20'),
  clients_timeout: z
    .number()
    .describe('seconds that a stream with static false goes on after its last viewer; default 60'),
  retry_limit: z
    .number()
    .int()
    .optional()
    .describe('attempts to get a lost input back before it is given up; absent: no limit'),
  ad_breaks: z
    .object({
      overrun: z
        .enum(['cut', 'complete'])
        .optional()
        .describe('whether a clip is cut at the end of its break, or shown to its own; default cut'),
      fill: z
        .string()
        .optional()
        .describe(
          'what follows the clips in a break that goes on: repeat (the default), programme, or a slate as LOCATION/FILE',
        ),
      hls: z
        .enum(['stitched', 'interstitials'])
        .optional()
        .describe('whether clips stand in the playlists of HLS, or its players insert them; default stitched'),
      dash: z
        .enum(['single', 'periods'])
        .optional()
        .describe('whether breaks with clips inside the segments are periods of their own in DASH; default single'),
      archive: z
        .enum(['programme', 'clips'])
        .optional()
        .describe('what breaks by splice points show in the archive: what was on air (the default), or clips'),
    })
    .optional()
    .describe('how breaks play'),
  backup: z
    .object({
      file: z.string().describe('path of an MPEG-TS or MP4 file, absolute or below the data folder'),
      timeout: z.number().optional().describe('seconds without a frame before it plays; default 3'),
    })
    .optional()
    .describe('a file that plays while no input gives frames'),
  dvr: recordingSchema.optional().describe('recording of the stream; copy has no effect in this version'),
  dvr_offline: recordingSchema.optional().describe('an archive that is played and does not record'),
  dvr_protected: off.describe('whether the archive asks the backend on its own; default false'),
  on_play: sessionBackendSchema
    .optional()
    .describe('the backend that is asked before a session plays; it comes before auth'),
  auth: sessionBackendSchema.optional().describe('the older form of on_play'),
  on_publish: sessionBackendSchema.optional().describe('the backend that is asked before an encoder publishes'),
  pushes: z
    .array(pushSchema)
    .optional()
    .meta({ 'x-key': 'url', description: 'servers that the stream is sent to; no effect in this version' }),
  prepush: z
    .union([z.number(), z.boolean()])
    .optional()
    .describe('seconds of media that a new viewer is sent at once, or whether they are; no effect in this version'),
  transcoder: z
    .array(z.array(z.string()))
    .optional()
    .describe('how it is encoded again, as pairs of key and value; no effect in this version'),
  logo: z
    .object({
      path: z.string().describe('the picture: a path, or @ and a name'),
      left: pixels.describe('distance from the left edge in pixels'),
      top: pixels.describe('distance from the upper edge in pixels'),
      right: pixels.describe('distance from the right edge in pixels'),
      bottom: pixels.describe('distance from the lower edge in pixels'),
      width: pixels.describe('width of the picture in pixels; its own without it'),
      height: pixels.describe('height of the picture in pixels; its own without it'),
    })
    .optional()
    .describe('a picture in a corner of the player; no effect in this version'),
  thumbnails: z
    .object({ enabled: z.string().optional().describe('on, off or ondemand') })
    .catchall(z.string())
    .optional()
    .describe('small pictures for seeking; no effect in this version'),
  labels: optionsSchema.optional().describe('labels for filters and statistics, by name'),
  alarms: z
    .array(
      z.object({
        kind: z.enum(STREAM_ALARMS).describe('which alarm'),
        severity: z
          .enum([...ALARM_SEVERITIES, 'off'])
          .optional()
          .describe('how bad it is, or off for no alarm; that of all streams without it'),
        raise: z.number().optional().describe('how long the condition lasts before it is raised, in milliseconds'),
        clear: z.number().optional().describe('how long it must be over before it is cleared, in milliseconds'),
        min: z.number().optional().describe('smallest value that is good; no limit without it'),
        max: z.number().optional().describe('largest value that is good; no limit without it'),
      }),
    )
    .optional()
    .meta({ 'x-key': 'kind', description: 'when alarms of the stream are raised, by their kind' }),
  meta: z
    .array(z.object({ key: z.string().describe('name of the fact'), value: z.string().describe('the fact') }))
    .optional()
    .meta({ 'x-key': 'key', description: 'facts for other systems' }),
  cluster_key: z
    .string()
    .optional()
    .describe('the secret of the cluster for this stream; shown as a mask; no effect in this version'),
  cluster_ingest: z
    .object({ capture_at: z.string().optional().describe('host name of the server that takes the input') })
    .optional()
    .describe('one server of the cluster takes the input and the others take it from there; no effect in this version'),
  protocols: z
    .array(z.string())
    .optional()
    .describe(
      'protocols that it may be played with: hls, dash, cmaf (both), mpegts; - before a name excludes it; all without it',
    ),
  drm: drmSchema.optional().describe('how segments are encrypted; no effect in this version'),
  silencedetect: z
    .object({
      duration: z.number().optional().describe('seconds of silence before the alarm'),
      interval: z.number().optional().describe('seconds until the alarm is raised again'),
      noise: z.number().optional().describe('level in dB below which sound counts as silence'),
    })
    .optional()
    .describe('raises an alarm when the sound is missing; no effect in this version'),
  motion_detector: optionsSchema.optional().describe('marks movement in the picture; no effect in this version'),
  hls_scte35: z
    .enum(['rfc8216', 'aws', 'scte35'])
    .describe('how splice points (SCTE-35) are marked in HLS playlists; default rfc8216'),
  add_audio_only: off.describe(
    'whether HLS offers a variant with sound alone; default false; no effect in this version',
  ),
  cmaf_enabled: off.describe('whether CMAF segments are made; no effect in this version'),
  dash_update_period: z
    .number()
    .optional()
    .describe('seconds after which DASH players load the manifest again; no effect in this version'),
  url_prefix: z
    .string()
    .optional()
    .describe('address before those of segments in manifests, for a CDN; no effect in this version'),
  webrtc_abr: optionsSchema.optional().describe('how WebRTC chooses between renditions; no effect in this version'),
  mpegts_pids: optionsSchema
    .optional()
    .describe('PIDs of the transport stream by name, such as pmt, video; no effect in this version'),
  playback_headers: optionsSchema
    .optional()
    .describe('headers of every reply to players, by name; no effect in this version'),
  cache: z.string().optional().describe('name of the cache for its segments; no effect in this version'),
  publish_enabled: off.describe('whether encoders may publish; no effect in this version'),
  dash_off: off.describe('whether DASH is switched off; default false'),
  hls_off: off.describe('whether HLS is switched off; default false'),
  hds_off: off.describe('whether HDS is switched off; no effect: it is not served'),
  m4f_off: off.describe('whether M4F is switched off; no effect: it is not served'),
  loudness_log: off.describe('whether the loudness of the first sound (EBU R128) is measured and kept; default false'),
  m4s_off: off.describe('whether M4S is switched off; no effect: it is not served'),
  mpegts_off: off.describe('whether MPEG-TS over HTTP is switched off; default false'),
  pulse_off: off.describe('whether measurements are switched off; no effect in this version'),
  rtmp_off: off.describe('whether RTMP to players is switched off; no effect: it is not served'),
  rtsp_off: off.describe('whether RTSP to players is switched off; no effect: it is not served'),
  webrtc_off: off.describe('whether WebRTC is switched off; no effect: it is not served'),
};
