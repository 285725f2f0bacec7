import { arg, option, otherOptions, recordsSetting } from './record.ts';
import { durationSchema, inputUrlSchema, integerSchema } from './value-schema.ts';

/** Bounds of `source_timeout`, of a stream and of an input, and of `frames_timeout`. */
export const sourceTimeout = durationSchema('s', 500, 86_400_000);

/** Options that inputs know, besides those of every input: a name that is nearly one of them is a mistake. */
const INPUT_OPTIONS: readonly string[] = [
  ...[
    'fps',
    'headers',
    'insecure',
    'interface',
    'latency',
    'localaddr',
    'loop',
    'mode',
    'passphrase',
    'password',
    'pbkeylen',
    'program',
  ],
  ...['sdp', 'secure', 'streamid', 'transport', 'user_agent', 'variant'],
];

/** The directive `input`. Where an input has no priority or time-out of its own, they are null here. */
export const inputSetting = recordsSetting({
  directive: 'input',
  aliases: ['url'],
  change: 'restart',
  usage: 'input address [priority=n] [frames_timeout=time] [source_timeout=time] [key=value …];',
  doc:
    'An input of the stream: the address of a camera, an encoder, a file or another server, or `publish://` to wait for an encoder. ' +
    'With several inputs the first one that gives frames is used, in the order of `priority` (1 before 2) and then of the file. ' +
    'A better one is tried again without interrupting the picture, and comes back when it was steady for ten seconds; an encoder that publishes comes back at once. ' +
    '`frames_timeout` is how long this input may be silent before the stream moves on to another one (seconds; the default is its `source_timeout` where it or the stream sets one, and 3 otherwise). ' +
    '`source_timeout` is how long it may be silent before its connection is closed and made again (seconds; the default is that of the stream). ' +
    'All other options go to the input; an address with spaces, `;`, `{` or `}` stands in quotation marks.',
  example: 'input udp://239.0.0.1:1234 priority=1 source_timeout=15;',
  json: 'inputs',
  jsonAliases: ['urls'],
  fields: {
    url: arg(inputUrlSchema),
    priority: option('priority', integerSchema(0, 1_000_000)),
    framesTimeoutMs: option('frames_timeout', sourceTimeout),
    sourceTimeoutMs: option('source_timeout', sourceTimeout),
    options: { ...otherOptions(), likely: INPUT_OPTIONS },
  },
});
