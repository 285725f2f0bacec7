import { z } from 'zod';
import { leftOutTrackSchema, mediaInfoSchema } from './media-info.ts';
import { pushStateSchema } from './push-object.ts';
import { inputPhaseSchema, problemSchema, streamStatusSchema } from './streams.ts';
import {
  PRIVATE,
  READ_ONLY,
  deprecated,
  flag,
  integer,
  integerOrNull,
  number,
  numberOrNull,
  text,
  textOrNull,
  timestampSchema,
} from './api-parts.ts';

const count = z.number().int();
const kbit = z.number().int();

/** Runtime state of a stream. Times are epoch milliseconds. */
export const streamStatsSchema = z.object({
  id: text('UUID; a new one each time that the stream is opened'),
  source_id: textOrNull('stream of which it is a copy; null in this version'),
  status: streamStatusSchema.describe(
    'running: has frames; warning: has frames, but a track of its input cannot be carried; waiting: for a publisher or a viewer; error: retries, or no track of its input can be carried',
  ),
  alive: flag('whether a frame came in the last 12 seconds'),
  running: z.boolean().meta(deprecated('whether it is open, with or without frames; see status')),
  opened_at: timestampSchema.describe('time of its opening; null while it is not open'),
  started_at: timestampSchema.describe('time at which it became running; null before'),
  start_running_at: timestampSchema.describe('same as started_at'),
  lifetime: integer('milliseconds since it was opened; 0 while it is not open'),
  last_access_at: timestampSchema.describe('last request of a viewer'),
  last_dts_at: timestampSchema.describe('last frame'),
  last_dts: integerOrNull('media time of the last frame in milliseconds; null in this version'),
  ts_delay: integerOrNull('milliseconds since the last frame; null before the first'),
  delay: z.number().int().nullable().meta(deprecated('same as ts_delay')),
  bitrate: kbit.describe('kbit/s of all tracks over the last seconds'),
  input_bitrate: kbit.describe('kbit/s received'),
  output_bitrate: kbit.describe('kbit/s to all viewers'),
  out_bandwidth: kbit.meta(deprecated('same as output_bitrate')),
  bytes_in: count.describe('bytes received since it was opened'),
  bytes_out: count.describe('bytes delivered to viewers since it was opened'),
  online_clients: count.describe('current viewers'),
  client_count: count.meta(deprecated('same as online_clients')),
  clients_count: count.meta(deprecated('same as online_clients')),
  input_error_rate: number('errors per second'),
  retry_count: count.describe('attempts to reconnect the input since its last frame'),
  url: textOrNull('input on air, passwords masked'),
  source_error: textOrNull('code of the last error while the stream is not alive'),
  input_switches: count.describe('number of switches to another input since it was opened'),
  active_input: integerOrNull('index of the input on air, from 0'),
  selected_input: integerOrNull('index of the input that an operator selected; null: by priority'),
  backup_running: flag('whether the backup file is on air'),
  publish_enabled: flag('whether it waits for an encoder or has one'),
  published_from: textOrNull('address of the publisher'),
  published_via: textOrNull('software of the publisher'),
  media_info: mediaInfoSchema.nullable().describe('size and tracks; null before the first frame'),
  pushes: z
    .array(pushStateSchema.omit({ id: true }))
    .describe('servers that it is sent to, in the order of the configuration'),
  push_stats: z
    .record(z.string(), z.number().int())
    .describe('bytes sent to each target since it was opened, by its address without the key'),
  dvr_enabled: flag('whether it is being recorded'),
  dvr_only: z
    .boolean()
    .meta(deprecated('whether only recordings can be played: the stream is not open, or its encoder has left')),
  dvr_info: z
    .object({
      from: count.describe('oldest media time of the archive, epoch seconds'),
      depth: count.describe('length of the archive in seconds, including gaps'),
      blocks: count.describe('finished blocks of it'),
      bytes: count.describe('bytes of the finished blocks'),
    })
    .nullable()
    .describe('its archive, up to a few seconds old; null without recordings'),
  dvr_replication_running: flag('whether its archive is being copied; false in this version'),
  dvr_replication: numberOrNull('copied part of its archive, in percent; null in this version'),
  remote: flag('whether another server of the cluster has it; false in this version'),
  running_on: z.array(z.string()).describe('servers that have it; empty in this version'),
  running_transcoder: flag('whether it is encoded again; false in this version'),
  transcoder_overloaded: flag('whether the transcoder drops frames; false in this version'),
  coder_error: textOrNull('last fault of the transcoder; null in this version'),
  current_agent_id: textOrNull('agent of its camera; null in this version'),
  agent_status: textOrNull('state of that agent; null in this version'),
  left_out: z
    .array(leftOutTrackSchema)
    .describe('tracks of the input that are left out because of their codecs, or because they are encrypted'),
  problems: z.array(problemSchema).meta({ ...PRIVATE, description: 'newest faults first, at most 10' }),
});
export type StreamStats = z.infer<typeof streamStatsSchema>;

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
export const inputsSchema = z
  .array(inputObjectSchema)
  .meta({ 'x-key': 'url', description: 'in the order of the configuration' });

/** Stream in the collection API besides its settings: their origin, and its state. */
export const streamFactsSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  named_by: z.enum(['config', 'user', 'remote', 'external']).meta({
    ...READ_ONLY,
    description:
      'config: in the configuration; user: published under a live prefix; other values do not occur in this version',
  }),
  effective: z
    .object({
      name: text('the stream'),
      position: integer('sort position in lists'),
      section: z.enum(['stream', 'live', 'template']).describe('kind of the block'),
      static: flag('whether it runs without viewers'),
    })
    .meta({ ...READ_ONLY, description: 'settings in force, and the kind of block that they come from' }),
  config_on_disk: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({
      ...READ_ONLY,
      description: 'settings in its own block of the configuration; null for streams created by publishers',
    }),
  stats: streamStatsSchema.meta({ ...READ_ONLY, description: 'state of the stream at the moment' }),
});
export type StreamFacts = z.infer<typeof streamFactsSchema>;
/** Inputs of a stream. */
export type StreamInputs = z.infer<typeof inputsSchema>;
