import { z } from 'zod';
import {
  READ_ONLY,
  drmSchema,
  flag,
  integer,
  integerOrNull,
  number,
  optionalFlag,
  optionalInteger,
  optionalNumber,
  optionalText,
  optionsSchema,
  recordingSchema,
  sessionBackendSchema,
  text,
  textOrNull,
  timestampSchema,
} from './api-parts.ts';
import { ALARM_SEVERITIES, STREAM_ALARMS } from './alarm-object.ts';
import { inputPhaseSchema } from './streams.ts';

const inputStatsSchema = z.object({
  phase: inputPhaseSchema.describe(
    'standby: a preferred input is on air; waiting: for an encoder; opening: no frame yet; running; silent: connected, but the frames stopped; error: waits for the next attempt; given_up: all attempts of retry_limit failed',
  ),
  active: flag('whether it is on air, or was the last one on air'),
  ts_delay: integerOrNull('milliseconds since its last frame; null before the first'),
  last_dts_at: timestampSchema.describe('epoch milliseconds of its last frame'),
  retry_count: integer('attempts to reconnect it since its last frame'),
  errors: integer('errors in its data and connections'),
  error: textOrNull('code of the last error'),
});

/** Input of a stream. Options without a field here are passed to the input unchanged. */
const inputObjectSchema = z
  .object({
    url: text('as configured, passwords masked'),
    priority: z.union([z.number().int(), z.string()]).optional().describe('1 before 2; default: position in the list'),
    frames_timeout: z
      .union([z.number(), z.string()])
      .optional()
      .describe('seconds without a frame before the next input is tried; default: source_timeout if set, otherwise 3'),
    source_timeout: z
      .union([z.number(), z.string()])
      .optional()
      .describe('seconds without a frame before it reconnects; default: that of the stream'),
    stats: inputStatsSchema
      .optional()
      .meta({ ...READ_ONLY, description: 'state of the input; absent while the stream is not open' }),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean()]));

const pushSchema = z.object({
  url: text('URL to which the stream is pushed, passwords masked'),
  retry_limit: z.number().int().nullable().optional().describe('maximum number of attempts; null or absent: no limit'),
  retry_timeout: optionalNumber('seconds between attempts'),
  timeout: optionalNumber('seconds to wait for an answer'),
  disabled: optionalFlag('whether the push is off; default false'),
});

const off = z.boolean().optional();
const pixels = z.number().int().optional();

/**
 * Settings of streams and templates: own values, values of a template, and defaults. Times are in seconds unless a field says
 * otherwise.
 */
export const streamSettingsShape = {
  title: optionalText('display name'),
  comment: optionalText('note for operators, without effect'),
  provider: optionalText('provider of the programme'),
  position: integer('sort position in lists: smaller numbers first, then names; default 0'),
  disabled: flag('whether the stream is switched off but stays in the configuration; default false'),
  static: flag('whether it runs without viewers; default true'),
  inputs: z.array(inputObjectSchema).meta({ 'x-key': 'url', description: 'in the order of the configuration' }),
  password: optionalText('password of encoders that publish here; masked'),
  play_key: z
    .union([z.string(), z.literal(false)])
    .optional()
    .describe('keys of signed playback addresses, masked; false overrides the top level: no signature is needed'),
  publish_key: z
    .union([z.string(), z.literal(false)])
    .optional()
    .describe('keys of signed publishing addresses, masked; false overrides the top level: no signature is needed'),
  segment_duration: number('minimum duration of a segment in seconds: it ends at the next key frame; default 2'),
  chunk_duration: number('duration of a part of a segment in milliseconds; default 500'),
  segment_count: integer('complete segments in a live playlist; default 6'),
  source_timeout: number('seconds without a frame after which an input is lost and connected again; default 20'),
  clients_timeout: number('seconds that a stream with static false continues after its last viewer; default 60'),
  retry_limit: optionalInteger('maximum number of attempts to reconnect a lost input; absent: no limit'),
  ad_breaks: z
    .object({
      overrun: z
        .enum(['cut', 'complete'])
        .optional()
        .describe('whether a clip is cut at the end of its break or plays to its end; default cut'),
      fill: optionalText(
        'content after the last clip of a longer break: repeat (default), programme, or a slate as LOCATION/FILE',
      ),
      hls: z
        .enum(['stitched', 'interstitials'])
        .optional()
        .describe('whether the server inserts clips into HLS playlists or the players insert them; default stitched'),
      dash: z
        .enum(['single', 'periods'])
        .optional()
        .describe('whether DASH has a period for each break whose clips have segments like the stream; default single'),
      archive: z
        .enum(['programme', 'clips'])
        .optional()
        .describe('content of splice point breaks in the archive: programme as broadcast (default), or clips'),
    })
    .optional()
    .describe('playback of breaks'),
  backup: z
    .object({
      file: text('path of an MPEG-TS or MP4 file, absolute or below the data folder'),
      timeout: optionalNumber('seconds without a frame before the file plays; default 3'),
    })
    .optional()
    .describe('backup file that plays while no input has frames'),
  dvr: recordingSchema.optional().describe('recording of the stream; copy has no effect in this version'),
  dvr_offline: recordingSchema.optional().describe('archive that can be played but is not recorded'),
  dvr_protected: off.describe('whether the archive has its own authorization; default false'),
  on_play: sessionBackendSchema.optional().describe('backend that authorizes playback; takes precedence over auth'),
  auth: sessionBackendSchema.optional().describe('the older form of on_play'),
  on_publish: sessionBackendSchema.optional().describe('backend that authorizes publishing'),
  pushes: z
    .array(pushSchema)
    .optional()
    .meta({ 'x-key': 'url', description: 'servers that the stream is sent to; no effect in this version' }),
  prepush: z
    .union([z.number(), z.boolean()])
    .optional()
    .describe('seconds of media sent at once to a new viewer, or whether any are; no effect in this version'),
  transcoder: z
    .array(z.array(z.string()))
    .optional()
    .describe('transcoder settings, as pairs of key and value; no effect in this version'),
  logo: z
    .object({
      path: text('path of the picture, or @ and a name'),
      left: pixels.describe('distance from the left edge in pixels'),
      top: pixels.describe('distance from the top edge in pixels'),
      right: pixels.describe('distance from the right edge in pixels'),
      bottom: pixels.describe('distance from the bottom edge in pixels'),
      width: pixels.describe('width of the picture in pixels; default: its own'),
      height: pixels.describe('height of the picture in pixels; default: its own'),
    })
    .optional()
    .describe('logo in a corner of the player; no effect in this version'),
  thumbnails: z
    .object({ enabled: optionalText('on, off or ondemand') })
    .catchall(z.string())
    .optional()
    .describe('thumbnails for seeking; no effect in this version'),
  labels: optionsSchema.optional().describe('labels for filters and statistics, by name'),
  alarms: z
    .array(
      z.object({
        kind: z.enum(STREAM_ALARMS).describe('kind of the alarm'),
        severity: z
          .enum([...ALARM_SEVERITIES, 'off'])
          .optional()
          .describe('severity, or off to disable the alarm; default: setting for all streams'),
        raise: optionalNumber('delay before the alarm is raised, in milliseconds'),
        clear: optionalNumber('delay before the alarm is cleared, in milliseconds'),
        min: optionalNumber('smallest good value; default: no limit'),
        max: optionalNumber('largest good value; default: no limit'),
      }),
    )
    .optional()
    .meta({ 'x-key': 'kind', description: 'rules of the alarms of the stream, by kind' }),
  meta: z
    .array(z.object({ key: text('name of the label'), value: text('value of the label') }))
    .optional()
    .meta({ 'x-key': 'key', description: 'labels for other systems, by name' }),
  cluster_key: optionalText('secret of the cluster for this stream; masked; no effect in this version'),
  cluster_ingest: z
    .object({ capture_at: optionalText('host name of the server that runs the input') })
    .optional()
    .describe(
      'one server of the cluster runs the input, and the others take the stream from it; no effect in this version',
    ),
  protocols: z
    .array(z.string())
    .optional()
    .describe('allowed playback protocols: hls, dash, cmaf (both), mpegts; a leading - excludes one; default: all'),
  drm: drmSchema.optional().describe('encryption of segments; no effect in this version'),
  silencedetect: z
    .object({
      duration: optionalNumber('seconds of silence before the alarm'),
      interval: optionalNumber('seconds until the alarm repeats'),
      noise: optionalNumber('level in dB below which audio counts as silence'),
    })
    .optional()
    .describe('alarm for missing audio; no effect in this version'),
  motion_detector: optionsSchema.optional().describe('motion detection; no effect in this version'),
  hls_scte35: z
    .enum(['rfc8216', 'aws', 'scte35'])
    .describe('notation of splice points (SCTE-35) in HLS playlists; default rfc8216'),
  add_audio_only: off.describe('whether HLS offers an audio-only variant; default false; no effect in this version'),
  cmaf_enabled: off.describe('whether CMAF segments are created; no effect in this version'),
  dash_update_period: optionalNumber(
    'interval in seconds at which DASH players reload the manifest; no effect in this version',
  ),
  url_prefix: optionalText('address prefix of segments in manifests, for a CDN; no effect in this version'),
  webrtc_abr: optionsSchema.optional().describe('rendition selection of WebRTC; no effect in this version'),
  mpegts_pids: optionsSchema
    .optional()
    .describe('PIDs of the transport stream by name, such as pmt, video; no effect in this version'),
  playback_headers: optionsSchema
    .optional()
    .describe('headers of all answers to players, by name; no effect in this version'),
  cache: optionalText('name of the cache for its segments; no effect in this version'),
  publish_enabled: off.describe('whether encoders may publish; no effect in this version'),
  dash_off: off.describe('whether DASH is switched off; default false'),
  hls_off: off.describe('whether HLS is switched off; default false'),
  hds_off: off.describe('whether HDS is switched off; no effect: it is not served'),
  m4f_off: off.describe('whether M4F is switched off; no effect: it is not served'),
  loudness_log: off.describe(
    'whether the loudness of the first audio track (EBU R 128) is measured and stored; default false',
  ),
  m4s_off: off.describe('whether M4S is switched off; no effect: it is not served'),
  mpegts_off: off.describe('whether MPEG-TS over HTTP is switched off; default false'),
  pulse_off: off.describe('whether measurements are switched off; no effect in this version'),
  rtmp_off: off.describe('whether RTMP to players is switched off; no effect: it is not served'),
  rtsp_off: off.describe('whether RTSP to players is switched off; no effect: it is not served'),
  webrtc_off: off.describe('whether WebRTC is switched off; no effect: it is not served'),
};
