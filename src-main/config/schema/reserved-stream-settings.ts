import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { z } from 'zod';
import { flagSetting, optionalSetting, type Setting } from './directive.ts';
import { arg, option, optionalArg, optionPairs, otherOptions, recordSetting, recordsSetting } from './record.ts';
import { choiceSchema, httpUrlSchema, identifierSchema, pathSchema, urlSchema } from './storage-values.ts';
import { durationSchema, flagSchema, integerSchema, limitSchema, textSchema, valueSchema } from './value-schema.ts';

const RESERVED = { change: 'update', isReserved: true } as const;

function protocolSwitch(directive: string, what: string): Setting<boolean> {
  return flagSetting({
    ...RESERVED,
    directive,
    doc: `Whether ${what} is switched off for the stream.`,
    example: `${directive};`,
  });
}

/** `prepush;`, `prepush false;` and `prepush 2;`: false for none, or a time in milliseconds; true if the server chooses it. */
const prepushSchema = valueSchema<number | boolean>(
  because('value_prepush'),
  (text) => {
    const flag = text === '0' || text === '1' ? undefined : flagSchema.safeParse(text).data;
    return flag ?? durationSchema('s', 0, 60_000).safeParse(text).data;
  },
  (value) => (typeof value === 'number' ? value / 1000 : value),
);

const pixels = integerSchema(0, 10_000);
const decibels = integerSchema(-120, 0);

/** Maximum number of labels of a stream, and of characters of a name. */
const MAX_LABELS = 64;
const MAX_LABEL_NAME = 64;
const MAX_LABEL_LENGTH = 200;
const labelSchema = textSchema(MAX_LABEL_LENGTH);

/** Labels of a stream, by name. */
const labelsSchema = z
  .record(z.string(), z.string())
  .default({})
  .superRefine((labels, context) => {
    const fault = (expected: Explained, path: string[] = []): void => {
      context.addIssue({ code: 'custom', message: expected.detail, params: expected, path });
    };
    if (Object.keys(labels).length > MAX_LABELS) fault(because('value_labels', { limit: MAX_LABELS }));
    for (const [name, value] of Object.entries(labels)) {
      if (name.length > MAX_LABEL_NAME || /[\p{Cc}\s]/u.test(name))
        fault(because('value_label_name', { limit: MAX_LABEL_NAME }), [name]);
      if (!labelSchema.safeParse(value).success)
        fault(because('value_label_text', { limit: MAX_LABEL_LENGTH }), [name]);
    }
  });

/** Settings of `stream`, `live` and `template` blocks that are validated but have no effect yet. */
export const RESERVED_STREAM_SETTINGS = {
  pushes: recordsSetting({
    ...RESERVED,
    directive: 'push',
    json: 'pushes',
    jsonAliases: ['push'],
    usage: 'push address [retry_limit=n] [retry_timeout=time] [timeout=time] [disabled=true];',
    doc: 'Sends the stream to another server. The directive may repeat.',
    example: 'push rtmp://relay.example.org/live/cam1 retry_limit=10;',
    fields: {
      url: arg(
        urlSchema(
          ['rtmp', 'rtmps', 'srt', 'udp', 'rtp', 'tshttp', 'tshttps', 'http', 'https', 'rtsp', 'm4s', 'm4f'],
          'rtmp://relay.example.org/live/cam1',
        ),
      ),
      retryLimit: option('retry_limit', limitSchema(1_000_000)),
      retryTimeoutMs: option('retry_timeout', durationSchema('s', 100, 86_400_000)),
      timeoutMs: option('timeout', durationSchema('s', 100, 86_400_000)),
      isDisabled: option('disabled', flagSchema),
    },
  }),
  prepush: optionalSetting({
    ...RESERVED,
    directive: 'prepush',
    form: 'flag',
    usage: 'prepush [time|true|false];',
    doc: 'Amount of media that a new viewer gets at once.',
    unit: 'seconds',
    example: 'prepush 2;',
    value: prepushSchema,
  }),
  transcoder: recordSetting({
    ...RESERVED,
    directive: 'transcoder',
    usage: 'transcoder key=value …;',
    doc: 'Transcodes the stream: bit rates, sizes, codecs. A key may repeat, for another rendition.',
    example: 'transcoder vb=2048k size=1280x720 ab=64k;',
    fields: { options: optionPairs() },
  }),
  logo: recordSetting({
    ...RESERVED,
    directive: 'logo',
    usage: 'logo path|@name [left=n] [top=n] [right=n] [bottom=n] [width=n] [height=n];',
    doc: 'A picture in a corner of the player; distances are in pixels.',
    example: 'logo /srv/logo.png left=10 top=10;',
    fields: {
      path: arg(pathSchema),
      left: option('left', pixels),
      top: option('top', pixels),
      right: option('right', pixels),
      bottom: option('bottom', pixels),
      width: option('width', pixels),
      height: option('height', pixels),
    },
  }),
  thumbnails: recordSetting({
    ...RESERVED,
    directive: 'thumbnails',
    usage: 'thumbnails [on|off|ondemand] [key=value …];',
    doc: 'Whether thumbnails for seeking are made.',
    example: 'thumbnails on;',
    fields: { mode: optionalArg(choiceSchema(['on', 'off', 'ondemand']), 'enabled'), options: otherOptions() },
  }),
  provider: optionalSetting({
    change: 'update',
    directive: 'provider',
    usage: 'provider text;',
    doc: 'Provider of the programme: shown in the APIs and usable as a filter, and the group of its channels in M3U lists.',
    example: 'provider "City studio";',
    value: textSchema(200),
  }),
  labels: recordSetting({
    ...RESERVED,
    directive: 'labels',
    usage: 'labels key=value …;',
    doc: 'Labels for filters and statistics: at most 64, with names of up to 64 and values of up to 200 characters.',
    example: 'labels site=north floor=2;',
    fields: { values: { ...otherOptions(), schema: labelsSchema } },
  }),
  meta: recordsSetting({
    ...RESERVED,
    directive: 'meta',
    usage: 'meta key value;',
    doc: 'Information for other systems, which has no effect here. The directive may repeat.',
    example: 'meta contract 1234;',
    fields: { key: arg(identifierSchema), value: arg(textSchema(1000)) },
  }),
  clusterKey: optionalSetting({
    ...RESERVED,
    directive: 'cluster_key',
    isSecret: true,
    usage: 'cluster_key text;',
    doc: 'Secret of the cluster, for this stream only.',
    example: 'cluster_key "only between us";',
    value: textSchema(200),
  }),
  clusterIngest: recordSetting({
    ...RESERVED,
    directive: 'cluster_ingest',
    usage: 'cluster_ingest [capture_at=host];',
    doc: 'One server of the cluster takes the input, the others take it from there.',
    example: 'cluster_ingest capture_at=north.example.org;',
    fields: { captureAt: option('capture_at', textSchema(253)) },
  }),
  drm: recordSetting({
    ...RESERVED,
    directive: 'drm',
    usage: 'drm name [key=value …];',
    doc: 'Encryption of segments.',
    example: 'drm aes128 keyserver=http://127.0.0.1:3000/key;',
    fields: { vendor: arg(identifierSchema), options: otherOptions() },
  }),
  silenceDetection: recordSetting({
    ...RESERVED,
    directive: 'silencedetect',
    usage: 'silencedetect [duration=time] [interval=time] [noise=dB];',
    doc: 'Raises an alarm for silence: quieter than `noise` for `duration`; repeated after each `interval`.',
    example: 'silencedetect duration=20 interval=10 noise=-30;',
    fields: {
      durationMs: option('duration', durationSchema('s', 100, 86_400_000)),
      intervalMs: option('interval', durationSchema('s', 100, 86_400_000)),
      noiseDb: option('noise', decibels),
    },
  }),
  motionDetector: recordSetting({
    ...RESERVED,
    directive: 'motion_detector',
    usage: 'motion_detector [key=value …];',
    doc: 'Detects motion in the video.',
    example: 'motion_detector threshold=10;',
    fields: { options: otherOptions() },
  }),
  hasAudioOnly: flagSetting({
    ...RESERVED,
    directive: 'add_audio_only',
    doc: 'Whether HLS offers an audio-only variant.',
    example: 'add_audio_only;',
  }),
  isCmafEnabled: optionalSetting({
    ...RESERVED,
    directive: 'cmaf_enabled',
    form: 'flag',
    usage: 'cmaf_enabled [true|false];',
    doc: 'Whether CMAF segments are made.',
    example: 'cmaf_enabled true;',
    value: flagSchema,
  }),
  dashUpdatePeriodMs: optionalSetting({
    ...RESERVED,
    directive: 'dash_update_period',
    usage: 'dash_update_period time;',
    doc: 'Interval at which DASH players reload the manifest.',
    unit: 'seconds',
    example: 'dash_update_period 2;',
    value: durationSchema('s', 100, 3_600_000),
  }),
  urlPrefix: optionalSetting({
    ...RESERVED,
    directive: 'url_prefix',
    usage: 'url_prefix address;',
    doc: 'Prefix of segment addresses in manifests, for delivery through a CDN.',
    example: 'url_prefix https://cdn.example.org/;',
    value: httpUrlSchema,
  }),
  webrtcAbr: recordSetting({
    ...RESERVED,
    directive: 'webrtc_abr',
    usage: 'webrtc_abr [key=value …];',
    doc: 'Choice of the rendition in WebRTC.',
    example: 'webrtc_abr min_bitrate=500k;',
    fields: { options: otherOptions() },
  }),
  mpegtsPids: recordSetting({
    ...RESERVED,
    directive: 'mpegts_pids',
    usage: 'mpegts_pids key=value …;',
    doc: 'The PIDs of the MPEG transport stream.',
    example: 'mpegts_pids pmt=256 video=257 audio=258;',
    fields: { options: otherOptions() },
  }),
  playbackHeaders: recordSetting({
    ...RESERVED,
    directive: 'playback_headers',
    usage: 'playback_headers name=value …;',
    doc: 'Headers of every reply to players.',
    example: 'playback_headers X-Site=north;',
    fields: { options: otherOptions() },
  }),
  cache: optionalSetting({
    ...RESERVED,
    directive: 'cache',
    usage: 'cache name;',
    doc: 'The cache for the segments of this stream.',
    example: 'cache fast;',
    value: identifierSchema,
  }),
  isPublishEnabled: optionalSetting({
    ...RESERVED,
    directive: 'publish_enabled',
    form: 'flag',
    usage: 'publish_enabled [true|false];',
    doc: 'Whether encoders may publish.',
    example: 'publish_enabled true;',
    value: flagSchema,
  }),
  isHdsOff: protocolSwitch('hds_off', 'HDS'),
  isM4fOff: protocolSwitch('m4f_off', 'transfer between servers in M4F'),
  isM4sOff: protocolSwitch('m4s_off', 'transfer between servers in M4S'),
  isPulseOff: protocolSwitch('pulse_off', 'the collection of measurements'),
  isRtmpOff: protocolSwitch('rtmp_off', 'RTMP'),
  isRtspOff: protocolSwitch('rtsp_off', 'RTSP'),
  isWebrtcOff: protocolSwitch('webrtc_off', 'WebRTC'),
};
