import { z } from 'zod';
import { flag, integer, integerOrNull, text, textOrNull, timestampSchema } from './api-parts.ts';

/** Playback session of one viewer. Times are epoch milliseconds. */
export const sessionObjectSchema = z.object({
  id: text('unique'),
  key: text('identity of the viewer across sessions; not unique'),
  type: z.enum(['play', 'publish', 'ingest', 'push']).describe('play in this version'),
  name: text('the stream or file'),
  proto: text('hls, dash, mpegts …'),
  status: z
    .enum(['establishing', 'running', 'stalling', 'finished'])
    .describe(
      'establishing: before the first byte of media; running; stalling: its player reports buffering; finished: closed',
    ),
  current_time: integerOrNull(
    'playback position reported by the player: epoch milliseconds, for a file milliseconds from its start; null if it reports none',
  ),
  ip: text('address of the viewer'),
  country: textOrNull('two letters; null if unknown'),
  bytes: integer('delivered so far'),
  duration: integer('milliseconds since the session was opened'),
  opened_at: timestampSchema.describe('time of the first request'),
  started_at: timestampSchema.describe('time of the first byte of media'),
  updated_at: timestampSchema.describe('time of the last request'),
  token: textOrNull('token of the viewer; null without one'),
  user_id: textOrNull('user as named by the backend; null without one'),
  max_sessions: integerOrNull(
    'maximum number of concurrent sessions of this user, as set by the backend; null: no limit',
  ),
  dvr: flag('whether it plays recordings'),
  dvr_from: integerOrNull('start of the range, epoch seconds; null for live'),
  dvr_duration: integerOrNull('length of the range in seconds; null for live and for an open end'),
  user_agent: textOrNull('header User-Agent of the player; null without one'),
  referer: textOrNull('header Referer of the player; null without one'),
  query_string: text('query of its first request'),
});
export type SessionObject = z.infer<typeof sessionObjectSchema>;

/** Number of sessions whose authorization is checked again. */
export const sessionsReauthSchema = z.object({
  estimated_count: integer('number of sessions whose authorization is checked again'),
});
