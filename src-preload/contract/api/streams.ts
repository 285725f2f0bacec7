import { z } from 'zod';
import { optionalExplanation } from '../explanations/explanation-schema.ts';
import { leftOutTrackSchema, mediaInfoSchema } from './media-info.ts';
import { pushLampSchema } from './push-object.ts';
import { flag, integer, integerOrNull, number, numberOrNull, optionalFlag, optionalText, text } from './api-parts.ts';

/** First path segments that APIs of servers use. No stream may have such a name, or a name that starts with such a segment. */
export const RESERVED_SEGMENTS: readonly string[] = ['-', 'mediaserver', 'streamer', 'tv-management', 'flussonic'];

/**
 * Name of a stream: one or more path segments of letters, digits and `. _ - ~ @ +`, each starting with a letter, a digit or `_`.
 * At most 200 characters, and not under a reserved segment.
 */
export const streamNameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^[\p{L}\p{N}_][\p{L}\p{N}._~@+-]*(\/[\p{L}\p{N}_][\p{L}\p{N}._~@+-]*)*$/u,
    'letters, digits and . _ - ~ @ + only',
  )
  .refine((name) => !RESERVED_SEGMENTS.includes(name.split('/', 1)[0] ?? ''), 'this address belongs to the server');

/**
 * Status of a stream. `running`: it delivers frames. `warning`: it delivers frames, but a track of its input is not supported.
 * `waiting`: it waits for a publisher or a viewer. `error`: it tries to connect again, or no track of its input is supported.
 */
export const streamStatusSchema = z.enum(['running', 'warning', 'waiting', 'error']);
export type StreamStatus = z.infer<typeof streamStatusSchema>;

/** Fault that an operator should know about. */
export const problemSchema = z.object({
  code: text('error code'),
  detail: text('description of the error'),
  explanation: optionalExplanation,
  at: integer('last occurrence, epoch milliseconds'),
  count: integer('number of occurrences since the stream started'),
});
export type Problem = z.infer<typeof problemSchema>;

/** Current item of a playlist. */
export const playlistStateSchema = z.object({
  current_entry: text('current entry as written in the playlist'),
  current_type: text('`file`'),
  duration: integerOrNull('milliseconds; null while unknown'),
  position: integer('milliseconds within the current entry'),
});
export type PlaylistState = z.infer<typeof playlistStateSchema>;

/**
 * Phase of an input. `standby`: a preferred input is on air. `waiting`: no encoder has connected yet. `opening`: no frame has
 * arrived yet. `running`: frames arrive. `silent`: connected, but frames stopped. `error`: waits for the next attempt.
 * `given_up`: all attempts of `retry_limit` failed.
 */
export const inputPhaseSchema = z.enum(['standby', 'waiting', 'opening', 'running', 'silent', 'error', 'given_up']);

/** State of an input. */
const inputStateSchema = z.object({
  url: text('as configured, without passwords'),
  priority: integer('1 before 2'),
  phase: inputPhaseSchema,
  is_active: flag('whether it is on air, or was the last one on air'),
  ts_delay: integerOrNull('milliseconds since its last frame; null before the first'),
  retry_count: integer('attempts to reconnect it since its last frame'),
  error_count: integer('errors in its data and connections'),
  last_error: z
    .object({
      code: z.string(),
      detail: z.string(),
      explanation: optionalExplanation,
      at: integer('epoch milliseconds'),
    })
    .nullable(),
});
export type InputState = z.infer<typeof inputStateSchema>;

const graph = (what: string) =>
  z.array(z.number().nullable()).describe(`${what}; the worst of each step, oldest first, null without a sample`);

/** Quality of a stream in the last hour. */
export const streamQualitySchema = z.object({
  from_at: integer('start of the first step, epoch milliseconds'),
  step_ms: z.number().int(),
  bitrate: graph('kbit/s of the input'),
  fps: graph('pictures a second'),
  errors: graph('faults a second in what comes in'),
  latency: graph('milliseconds from the newest frame that can be played to now'),
  viewers: graph('viewers at the same time'),
});
export type StreamQuality = z.infer<typeof streamQualitySchema>;

/** State of a stream, as the desk shows it. */
export const streamStateSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  named_by: z
    .enum(['config', 'user'])
    .describe('`config`: in the configuration; `user`: published under a live prefix'),
  status: streamStatusSchema,
  alive: flag('whether a frame came in the last 12 seconds'),
  ts_delay: integerOrNull('milliseconds since the last frame; null before the first'),
  input_url: optionalText('input on air, or the first one while none is'),
  static: flag('whether it runs without viewers'),
  inputs: z.array(inputStateSchema).describe('in the order of the configuration'),
  active_input: integerOrNull('index of the input on air, from 0; null before the first and for the backup file'),
  selected_input: integerOrNull('index of the input that an operator selected; null: by priority'),
  backup_running: flag('whether the backup file is on air'),
  input_switches: integer('number of switches to another input since the stream started'),
  publish_urls: z.array(z.string()).describe('publishing addresses; empty unless the input is publish://'),
  publish_password: z
    .literal(true)
    .optional()
    .describe('present if encoders must add `?password=…` to the addresses, which never contain the password'),
  is_disabled: z.literal(true).optional().describe('present if the stream is switched off'),
  is_archive_only: z.literal(true).optional().describe('present if its encoder has left and only its archive remains'),
  is_recorded: optionalFlag('whether it is being recorded; absent without an archive'),
  playback: z
    .object({ hls: z.string(), dash: z.string(), ts: z.string(), embed: z.string(), preview: z.string() })
    .describe('paths under the base address'),
  media_info: mediaInfoSchema.nullable(),
  left_out: z.array(leftOutTrackSchema).describe('tracks of the input that cannot be carried'),
  bitrate: integer('kbit/s of the input over the last seconds'),
  fps: numberOrNull('measured frames per second of the video'),
  input_error_rate: number('errors per second'),
  bytes_in: z.number().int(),
  bytes_out: z.number().int(),
  client_count: z.number().int(),
  retry_count: z.number().int(),
  started_at: integerOrNull('epoch milliseconds at which it became running'),
  playlist: playlistStateSchema.optional().describe('present while a playlist:// input is open'),
  problems: z.array(problemSchema).describe('newest first, at most 10'),
  pushes: z
    .array(pushLampSchema)
    .optional()
    .describe('servers that it is sent to, in the order of the configuration; absent without pushes'),
});
export type StreamState = z.infer<typeof streamStateSchema>;
