import { inputsSchema } from '../../../src-preload/contract/api/stream-object.ts';
import { arg, option, otherOptions, recordsSetting } from './record.ts';
import { durationSchema, inputUrlSchema, integerSchema } from './value-schema.ts';

/** Range of `source_timeout` of streams and inputs, and of `frames_timeout`. */
export const sourceTimeout = durationSchema('s', 500, 86_400_000);

const DATAGRAMS = ['program', 'interface', 'localaddr'] as const;
const HTTP = ['insecure', 'user_agent'] as const;

/** Options of the reader of each scheme, besides the options of every input. A test compares the table with the readers. */
export const INPUT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  publish: [],
  copy: [],
  fake: ['width', 'height', 'fps', 'gop', 'bitrate', 'splice', 'marks'],
  file: ['loop', 'program'],
  playlist: ['loop'],
  udp: DATAGRAMS,
  rtp: [...DATAGRAMS, 'sdp'],
  tshttp: [...HTTP, 'program'],
  tshttps: [...HTTP, 'program'],
  hls: [...HTTP, 'headers', 'language', 'loop', 'variant'],
  hlss: [...HTTP, 'headers', 'language', 'loop', 'variant'],
  rtmp: ['insecure', 'program'],
  rtmps: ['insecure', 'program'],
  rtsp: [...HTTP, 'program', 'transport'],
  rtsps: [...HTTP, 'program', 'transport'],
  srt: ['latency', 'mode', 'passphrase', 'pbkeylen', 'program', 'streamid'],
};

/** Whether the reader of an address uses an option; true for schemes without a reader. */
function isRead(option: string, address: string): boolean {
  const scheme = address.slice(0, Math.max(0, address.indexOf('://'))).toLowerCase();
  return !Object.hasOwn(INPUT_OPTIONS, scheme) || INPUT_OPTIONS[scheme]?.includes(option) === true;
}

/** Directive `input`. The value has null for a priority or a timeout that is not written. */
export const inputSetting = recordsSetting({
  aliases: ['url'],
  change: 'restart',
  usage: 'input address [priority=n] [frames_timeout=time] [source_timeout=time] [key=value …];',
  doc:
    'An input of the stream: the address of a camera, an encoder, a file or another server, or `publish://` to wait for an encoder. ' +
    'With several inputs, the first one that provides frames is used, in the order of `priority` (1 before 2) and then of the file. ' +
    'A better input is retried without interrupting the picture, and used again after ten stable seconds; a publishing encoder is used again at once. ' +
    '`frames_timeout` is the time without a frame after which the stream moves on to another input (seconds; default: its `source_timeout` if it or the stream sets one, otherwise 3). ' +
    '`source_timeout` is the time without a frame after which its connection is closed and reopened (seconds; default: that of the stream). ' +
    'All other options are passed to the reader of the address (see Inputs in the documentation). The API refuses unknown options. In the text, a misspelled option is an error, and any other unknown option is kept with a warning. An address with spaces, `;`, `{` or `}` needs quotation marks.',
  example: 'input udp://239.0.0.1:1234 priority=1 source_timeout=15;',
  json: 'inputs',
  about: inputsSchema,
  jsonAliases: ['urls'],
  fields: {
    url: arg(inputUrlSchema),
    priority: option('priority', integerSchema(0, 1_000_000)),
    framesTimeoutMs: option('frames_timeout', sourceTimeout),
    sourceTimeoutMs: option('source_timeout', sourceTimeout),
    options: { ...otherOptions(), known: [...new Set(Object.values(INPUT_OPTIONS).flat())], isRead },
  },
});
