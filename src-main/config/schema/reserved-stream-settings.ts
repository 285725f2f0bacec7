import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { z } from 'zod';
import { optionalFlag, optionalNumber, optionalText } from '../../../src-preload/contract/api/api-parts.ts';
import { flagSetting, optionalSetting, type Setting } from './directive.ts';
import {
  arg,
  described,
  option,
  optionalArg,
  optionPairs,
  otherOptions,
  recordSetting,
  recordsSetting,
} from './record.ts';
import { choiceSchema, httpUrlSchema, identifierSchema, pathSchema } from './storage-values.ts';
import { durationSchema, flagSchema, integerSchema, textSchema } from './value-schema.ts';

const RESERVED = { change: 'update', isReserved: true } as const;

/** @param about end of the description in the APIs, which starts with "whether" */
function protocolSwitch(directive: string, what: string, about: string): Setting<boolean> {
  return flagSetting({
    ...RESERVED,
    directive,
    doc: `Whether ${what} is switched off for the stream.`,
    about: optionalFlag(`whether ${about}`),
    example: `${directive};`,
  });
}

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
  transcoder: recordSetting({
    ...RESERVED,
    usage: 'transcoder key=value …;',
    doc: 'Transcodes the stream: bit rates, sizes, codecs. A key may repeat, for another rendition.',
    about: 'transcoder settings, as pairs of key and value; no effect in this version',
    example: 'transcoder vb=2048k size=1280x720 ab=64k;',
    fields: { options: optionPairs() },
  }),
  logo: recordSetting({
    ...RESERVED,
    usage: 'logo path|@name [left=n] [top=n] [right=n] [bottom=n] [width=n] [height=n];',
    doc: 'A picture in a corner of the player; distances are in pixels.',
    about: 'logo in a corner of the player; no effect in this version',
    example: 'logo /srv/logo.png left=10 top=10;',
    fields: {
      path: described(arg(pathSchema), 'path of the picture, or @ and a name'),
      left: option('left', pixels, 'distance from the left edge in pixels'),
      top: option('top', pixels, 'distance from the top edge in pixels'),
      right: option('right', pixels, 'distance from the right edge in pixels'),
      bottom: option('bottom', pixels, 'distance from the bottom edge in pixels'),
      width: option('width', pixels, 'width of the picture in pixels; default: its own'),
      height: option('height', pixels, 'height of the picture in pixels; default: its own'),
    },
  }),
  thumbnails: recordSetting({
    ...RESERVED,
    usage: 'thumbnails [on|off|ondemand] [key=value …];',
    doc: 'Whether thumbnails for seeking are made.',
    about: 'thumbnails for seeking; no effect in this version',
    example: 'thumbnails on;',
    fields: {
      mode: described(
        optionalArg(choiceSchema(['on', 'off', 'ondemand']), 'enabled'),
        optionalText('on, off or ondemand'),
      ),
      options: otherOptions(),
    },
  }),
  provider: optionalSetting({
    change: 'update',
    usage: 'provider text;',
    doc: 'Provider of the programme. The APIs show it and filter by it, and M3U lists group channels by it.',
    about: 'provider of the programme',
    example: 'provider "City studio";',
    value: textSchema(200),
  }),
  labels: recordSetting({
    ...RESERVED,
    usage: 'labels key=value …;',
    doc: 'Labels for filters and statistics: at most 64, with names of up to 64 and values of up to 200 characters.',
    about: 'labels for filters and statistics, by name',
    example: 'labels site=north floor=2;',
    fields: { values: { ...otherOptions(), schema: labelsSchema } },
  }),
  meta: recordsSetting({
    ...RESERVED,
    usage: 'meta key value;',
    doc: 'Information for other systems, which has no effect here. The directive may repeat.',
    about: 'labels for other systems, by name',
    example: 'meta contract 1234;',
    fields: {
      key: described(arg(identifierSchema), 'name of the label'),
      value: described(arg(textSchema(1000)), 'value of the label'),
    },
  }),
  clusterKey: optionalSetting({
    ...RESERVED,
    isSecret: true,
    usage: 'cluster_key text;',
    doc: 'Secret of the cluster, for this stream only.',
    about: 'secret of the cluster for this stream; masked; no effect in this version',
    example: 'cluster_key "only between us";',
    value: textSchema(200),
  }),
  clusterIngest: recordSetting({
    ...RESERVED,
    usage: 'cluster_ingest [capture_at=host];',
    doc: 'One server of the cluster takes the input, the others take it from there.',
    about:
      'one server of the cluster runs the input, and the others take the stream from it; no effect in this version',
    example: 'cluster_ingest capture_at=north.example.org;',
    fields: { captureAt: option('capture_at', textSchema(253), 'host name of the server that runs the input') },
  }),
  drm: recordSetting({
    ...RESERVED,
    usage: 'drm name [key=value …];',
    doc: 'Encryption of segments.',
    about: 'encryption of segments; no effect in this version',
    example: 'drm aes128 keyserver=http://127.0.0.1:3000/key;',
    fields: { vendor: described(arg(identifierSchema), 'the scheme, such as aes128'), options: otherOptions() },
  }),
  silenceDetection: recordSetting({
    ...RESERVED,
    usage: 'silencedetect [duration=time] [interval=time] [noise=dB];',
    doc: 'Raises an alarm for silence: quieter than `noise` for `duration`; repeated after each `interval`.',
    about: 'alarm for missing audio; no effect in this version',
    example: 'silencedetect duration=20 interval=10 noise=-30;',
    fields: {
      durationMs: option('duration', durationSchema('s', 100, 86_400_000), 'seconds of silence before the alarm'),
      intervalMs: option('interval', durationSchema('s', 100, 86_400_000), 'seconds until the alarm repeats'),
      noiseDb: option('noise', decibels, optionalNumber('level in dB below which audio counts as silence')),
    },
  }),
  motionDetector: recordSetting({
    ...RESERVED,
    usage: 'motion_detector [key=value …];',
    doc: 'Detects motion in the video.',
    about: 'motion detection; no effect in this version',
    example: 'motion_detector threshold=10;',
    fields: { options: otherOptions() },
  }),
  hasAudioOnly: flagSetting({
    ...RESERVED,
    directive: 'add_audio_only',
    doc: 'Whether HLS offers an audio-only variant.',
    about: optionalFlag('whether HLS offers an audio-only variant; default false; no effect in this version'),
    example: 'add_audio_only;',
  }),
  isCmafEnabled: optionalSetting({
    ...RESERVED,
    form: 'flag',
    usage: 'cmaf_enabled [true|false];',
    doc: 'Whether CMAF segments are made.',
    about: 'whether CMAF segments are created; no effect in this version',
    example: 'cmaf_enabled true;',
    value: flagSchema,
  }),
  dashUpdatePeriodMs: optionalSetting({
    ...RESERVED,
    usage: 'dash_update_period time;',
    doc: 'Interval at which DASH players reload the manifest.',
    about: 'interval in seconds at which DASH players reload the manifest; no effect in this version',
    example: 'dash_update_period 2;',
    value: durationSchema('s', 100, 3_600_000),
  }),
  urlPrefix: optionalSetting({
    ...RESERVED,
    usage: 'url_prefix address;',
    doc: 'Prefix of segment addresses in manifests, for delivery through a CDN.',
    about: 'address prefix of segments in manifests, for a CDN; no effect in this version',
    example: 'url_prefix https://cdn.example.org/;',
    value: httpUrlSchema,
  }),
  webrtcAbr: recordSetting({
    ...RESERVED,
    usage: 'webrtc_abr [key=value …];',
    doc: 'Choice of the rendition in WebRTC.',
    about: 'rendition selection of WebRTC; no effect in this version',
    example: 'webrtc_abr min_bitrate=500k;',
    fields: { options: otherOptions() },
  }),
  mpegtsPids: recordSetting({
    ...RESERVED,
    usage: 'mpegts_pids key=value …;',
    doc: 'The PIDs of the MPEG transport stream.',
    about: 'PIDs of the transport stream by name, such as pmt, video; no effect in this version',
    example: 'mpegts_pids pmt=256 video=257 audio=258;',
    fields: { options: otherOptions() },
  }),
  playbackHeaders: recordSetting({
    ...RESERVED,
    usage: 'playback_headers name=value …;',
    doc: 'Headers of every reply to players.',
    about: 'headers of all answers to players, by name; no effect in this version',
    example: 'playback_headers X-Site=north;',
    fields: { options: otherOptions() },
  }),
  cache: optionalSetting({
    ...RESERVED,
    usage: 'cache name;',
    doc: 'The cache for the segments of this stream.',
    about: 'name of the cache for its segments; no effect in this version',
    example: 'cache fast;',
    value: identifierSchema,
  }),
  isPublishEnabled: optionalSetting({
    ...RESERVED,
    form: 'flag',
    usage: 'publish_enabled [true|false];',
    doc: 'Whether encoders may publish.',
    about: 'whether encoders may publish; no effect in this version',
    example: 'publish_enabled true;',
    value: flagSchema,
  }),
  isHdsOff: protocolSwitch('hds_off', 'HDS', 'HDS is switched off; no effect: it is not served'),
  isM4fOff: protocolSwitch(
    'm4f_off',
    'transfer between servers in M4F',
    'M4F is switched off; no effect: it is not served',
  ),
  isM4sOff: protocolSwitch(
    'm4s_off',
    'transfer between servers in M4S',
    'M4S is switched off; no effect: it is not served',
  ),
  isPulseOff: protocolSwitch(
    'pulse_off',
    'the collection of measurements',
    'measurements are switched off; no effect in this version',
  ),
  isRtspOff: protocolSwitch('rtsp_off', 'RTSP', 'RTSP to players is switched off; no effect: it is not served'),
  isWebrtcOff: protocolSwitch('webrtc_off', 'WebRTC', 'WebRTC is switched off; no effect: it is not served'),
};
