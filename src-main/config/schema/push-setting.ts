import { z } from 'zod';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Field } from './directive.ts';
import { arg, described, option, partly, recordsSetting } from './record.ts';
import { isoTime } from '../../lib/clock.ts';
import { maskPushAddress } from './secrets.ts';
import { urlSchema } from './storage-values.ts';
import {
  durationSchema,
  flagSchema,
  integerSchema,
  limitSchema,
  valueSchema,
  type ValueSchema,
} from './value-schema.ts';

const EXAMPLE = 'rtmp://relay.example.org/live/cam1';
/** Schemes that the grammar knows. Streams are sent to addresses of RTMP, UDP, RTP, and MPEG-TS and HLS by HTTP. */
const SCHEMES = ['rtmp', 'rtmps', 'srt', 'udp', 'rtp', 'tshttp', 'tshttps', 'hls', 'hlss', 'http', 'https', 'rtsp', 'm4s', 'm4f']; // prettier-ignore
const RTMP = /^rtmps?:\/\//i;
const DATAGRAMS = /^(?:udp|rtp):\/\//i;
const HTTP = /^(?:tshttp|hls)(s?):\/\//i;
const MAX_TRACKS = 64;

/** Marks an option of pushes by UDP and RTP. */
function ofDatagrams<T>(field: Field<T>): Field<T> {
  return { ...field, isRead: (_, address) => DATAGRAMS.test(address) };
}

const anyAddress = urlSchema(SCHEMES, EXAMPLE);

/** Address of a push. Files are refused, an RTMP address needs an application, a UDP or RTP address a port, all a host. */
const pushAddress: ValueSchema<string> = z.string().transform((text, context) => {
  const refuse = (why: Explained): never => {
    context.addIssue({ code: 'custom', message: why.detail, params: why });
    return z.NEVER;
  };
  if (/^file:/i.test(text)) return refuse(because('value_push_file'));
  if (!anyAddress.safeParse(text).success) return refuse(because('value_address', { example: EXAMPLE }));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (DATAGRAMS.test(text))
    return url && url.hostname !== '' && Number(url.port) > 0 ? text : refuse(because('value_push_udp'));
  if (HTTP.test(text))
    return /:\/\/[^/]/.test(text) && URL.canParse(text.replace(HTTP, 'http$1://'))
      ? text
      : refuse(because('value_push_http'));
  if (!RTMP.test(text)) return text;
  return url && url.hostname !== '' && /[^/]/.test(url.pathname) ? text : refuse(because('value_push_rtmp'));
});

/** Ids of tracks: `v1a1`, or `v1,a1`. */
const trackIds: ValueSchema<readonly string[]> = valueSchema(
  because('value_tracks'),
  (text) => {
    const ids = /^(?:[va]\d{1,3},?)+$/.test(text) ? (text.match(/[va]\d+/g) ?? []) : [];
    return ids.length > 0 && ids.length <= MAX_TRACKS && !text.endsWith(',') ? ids : undefined;
  },
  { toJson: (ids) => ids.join('') },
);

/** Address or name of a network interface. */
const interfaceName: ValueSchema<string> = valueSchema(because('value_interface'), (text) =>
  /^[0-9A-Za-z][0-9A-Za-z.:_-]{0,63}$/.test(text) ? text : undefined,
);

/** PID that a programme may use (ISO/IEC 13818-1, table 2-3; below 32, DVB has its tables). */
const pidSchema = integerSchema(32, 8190);

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Date and time of ISO 8601 with its distance from UTC, as epoch milliseconds. */
const momentSchema: ValueSchema<number> = valueSchema(
  because('value_moment'),
  (text) => {
    const ms = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
    // The days of a month differ: `Date` takes 31 February as 3 March.
    const day = Number(text.slice(8, 10));
    const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
    return Number.isNaN(ms) || day > lastDay ? undefined : ms;
  },
  { toJson: isoTime },
);

/** Default wait between attempts, in milliseconds. */
export const PUSH_RETRY_MS = 5000;
/** Default wait for an answer, in milliseconds. */
export const PUSH_TIMEOUT_MS = 10_000;

/** Directive `push`. The value has null for an option that is not written. */
export const pushSetting = recordsSetting({
  change: 'update',
  json: 'pushes',
  jsonAliases: ['push'],
  usage:
    'push address [tracks=ids] [retry_timeout=time] [retry_limit=n] [timeout=time] [start_at=time] [stop_at=time] [disabled] [standby] [bitrate=kbit/s] [interface=name] [ttl=n] [multicast_loop=false] [pnr=n] [pids.pmt=n] [pids.video=n] [pids.audio=n];',
  doc:
    'Sends the stream to another server: `rtmp://host/application/key`, or `rtmps://` with TLS. Without a key, the name of the stream is the key. ' +
    '`udp://host:port` and `rtp://host:port` send it as MPEG-TS in datagrams, to one host or a multicast group. ' +
    '`tshttp://host/path` and `tshttps://host/path` send it as MPEG-TS in the body of one PUT request, with a login as `user:password@host`; a path that ends with `/` is completed with the name of the stream and `/mpegts`, the address of another Airdesk. `hls://host/path/index.m3u8` and `hlss://` store it as HLS on a web server: segments in MPEG-TS and the playlist by PUT, and old segments are removed by DELETE. The directive may repeat. ' +
    'A push that fails is tried again after `retry_timeout` (seconds; default 5) without an end, or at most `retry_limit` times. ' +
    '`timeout` is the maximum wait for an answer, and for a target that accepts no more data (seconds; default 10). ' +
    '`tracks=v1a1` sends these tracks only; default: the first video and audio track, and all tracks to a target that accepts several. ' +
    '`start_at` and `stop_at` are the times at which the push starts and ends, as date and time with the distance from UTC: `2026-12-01T19:55:00+01:00`, or `2026-12-01T18:55:00Z`. A start in the past has no effect: the push runs at once. After `stop_at`, also if it is in the past, the push does not run, until the option is changed or removed. `disabled=true` switches the push off at all times. ' +
    'The options from `bitrate` on are for UDP and RTP. `bitrate` is the constant rate in kbit/s, filled up with null packets; default: the rate of the stream. ' +
    '`interface` is the address or name of the network interface, `ttl` the number of routers that a group may pass (default 1), and `multicast_loop=false` keeps a group from programs of this machine. `standby` waits while another server sends to the group, and sends when that has been silent for a second. ' +
    '`pnr` is the number of the programme (default 1), and `pids.pmt`, `pids.video` and `pids.audio` are the PIDs of its map and of its first tracks. ' +
    'A change of the directive interrupts neither the stream nor other pushes. Addresses of other kinds have no effect in this version. The name of a boolean option alone switches it on: `disabled`, `standby`.',
  about: 'servers that the stream is sent to',
  example: 'push rtmp://relay.example.org/live/cam1 retry_limit=10;',
  fields: {
    url: partly(
      described(
        {
          ...arg(pushAddress),
          toJson: (url) => maskPushAddress(String(url)),
          mask: maskPushAddress,
          isHiddenIfInvalid: true,
        },
        'address with the stream key; passwords and keys masked',
      ),
      (address) => [RTMP, DATAGRAMS, HTTP].some((kind) => kind.test(address)),
    ),
    retryLimit: option(
      'retry_limit',
      limitSchema(1_000_000),
      z.number().int().nullable().optional().describe('maximum number of attempts; null or absent: no limit'),
    ),
    retryTimeoutMs: option(
      'retry_timeout',
      durationSchema('s', 100, 86_400_000),
      'seconds between attempts; default 5',
    ),
    timeoutMs: option(
      'timeout',
      durationSchema('s', 100, 86_400_000),
      'seconds to wait for an answer, or for a target that accepts no data; default 10',
    ),
    tracks: option(
      'tracks',
      trackIds,
      'ids of the tracks to send, such as v1a1; default: as many as the target accepts',
    ),
    startAtMs: option('start_at', momentSchema, 'planned start, ISO 8601; default: at once'),
    stopAtMs: option('stop_at', momentSchema, 'planned end, ISO 8601; the push does not run after it; default: none'),
    isDisabled: option('disabled', flagSchema, 'whether the push is off; default false'),
    bitrateKbit: ofDatagrams(
      option(
        'bitrate',
        integerSchema(100, 1_000_000),
        'UDP and RTP: constant rate in kbit/s, filled up with null packets; default: the rate of the stream',
      ),
    ),
    networkInterface: ofDatagrams(
      option(
        'interface',
        interfaceName,
        'UDP and RTP: address or name of the network interface that sends; default: the interface of the route',
      ),
    ),
    ttl: ofDatagrams(
      option('ttl', integerSchema(1, 255), 'UDP and RTP: number of routers that a group may pass; default 1'),
    ),
    isLooped: ofDatagrams(
      option(
        'multicast_loop',
        flagSchema,
        'UDP and RTP: whether programs of this machine get a group, too; default true',
      ),
    ),
    programNumber: ofDatagrams(
      option('pnr', integerSchema(1, 65_535), 'UDP and RTP: number of the programme; default 1'),
    ),
    pidPmt: ofDatagrams(option('pids.pmt', pidSchema, 'UDP and RTP: PID of the programme map; default 4096')),
    pidVideo: ofDatagrams(option('pids.video', pidSchema, 'UDP and RTP: PID of the first video track; default 256')),
    pidAudio: ofDatagrams(option('pids.audio', pidSchema, 'UDP and RTP: PID of the first audio track; default 257')),
    isStandby: ofDatagrams(
      option(
        'standby',
        flagSchema,
        'UDP and RTP: whether it waits while another server sends to the group; default false',
      ),
    ),
  },
});
