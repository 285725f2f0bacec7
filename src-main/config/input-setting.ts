import { z } from 'zod';
import type { Setting } from './directive.ts';
import { durationSchema, inputUrlSchema, integerSchema } from './value-schema.ts';

const priority = integerSchema(0, 1_000_000);
/** Bounds of `source_timeout`, of a stream and of an input. */
export const sourceTimeout = durationSchema('s', 500, 86_400_000);

/** The options of an input that the configuration understands itself, with the name of their value. */
export const INPUT_OPTION_KEYS: ReadonlyMap<string, string> = new Map([
  ['priority', 'priority'],
  ['source_timeout', 'sourceTimeoutMs'],
]);

/** One input as it is written. */
const inputSchema = z.object({
  url: inputUrlSchema,
  priority: priority.optional(),
  sourceTimeoutMs: sourceTimeout.optional(),
  options: z.record(z.string(), z.string()),
});
/** One input, checked, before defaults. */
export type WrittenInput = z.output<typeof inputSchema>;

/** The directive `input`. */
export const inputSetting: Setting<readonly WrittenInput[]> = {
  directive: 'input',
  aliases: ['url'],
  form: 'input',
  change: 'restart',
  usage: 'input address [priority=n] [source_timeout=time] [key=value …];',
  doc:
    'An input of the stream: the address of a camera, an encoder, a file or another server, or `publish://` to wait for an encoder. ' +
    'With several inputs the first one that gives frames is used, in the order of `priority` (1 before 2) and then of the file. ' +
    '`source_timeout` is how long this input may be silent before the next one is tried (seconds; the default is that of the stream). ' +
    'All other options go to the input; an address with spaces, `;`, `{` or `}` stands in quotation marks.',
  example: 'input udp://239.0.0.1:1234 priority=1 source_timeout=15;',
  schema: z.array(inputSchema).default([]),
};
