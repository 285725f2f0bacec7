import { z } from 'zod';
import { timestampSchema } from './api-parts.ts';

/** Playback session of one viewer. Times are epoch milliseconds. */
export const sessionObjectSchema = z.object({
  id: z.string().describe('unique'),
  key: z.string().describe('identity of the viewer across sessions; not unique'),
  type: z.enum(['play', 'publish', 'ingest', 'push']).describe('play in this version'),
  name: z.string().describe('the stream or file'),
  proto: z.string().describe('hls, dash, mpegts …'),
  status: z
    .enum(['establishing', 'running', 'stalling', 'finished'])
    .describe(
      'establishing: before the first byte of media; running; stalling: its player reports buffering; finished: closed',
    ),
  current_time: z
    .number()
    .int()
    .nullable()
    .describe(
      'playback position reported by the player: epoch milliseconds, for a file milliseconds from its start; null if it reports none',
    ),
  ip: z.string().describe('address of the viewer'),
  country: z.string().nullable().describe('two letters; null if unknown'),
  bytes: z.number().int().describe('delivered so far'),
  duration: z.number().int().describe('milliseconds since the session was opened'),
  opened_at: timestampSchema.describe('time of the first request'),
  started_at: timestampSchema.describe('time of the first byte of media'),
  updated_at: timestampSchema.describe('time of the last request'),
  token: z.string().nullable().describe('token of the viewer; null without one'),
  user_id: z.string().nullable().describe('user as named by the backend; null without one'),
  max_sessions: z
    .number()
    .int()
    .nullable()
    .describe('maximum number of concurrent sessions of this user, as set by the backend; null: no limit'),
  dvr: z.boolean().describe('whether it plays recordings'),
  dvr_from: z.number().int().nullable().describe('start of the range, epoch seconds; null for live'),
  dvr_duration: z
    .number()
    .int()
    .nullable()
    .describe('length of the range in seconds; null for live and for an open end'),
  user_agent: z.string().nullable().describe('header User-Agent of the player; null without one'),
  referer: z.string().nullable().describe('header Referer of the player; null without one'),
  query_string: z.string().describe('query of its first request'),
});
export type SessionObject = z.infer<typeof sessionObjectSchema>;

/** Number of sessions whose authorization is checked again. */
export const sessionsReauthSchema = z.object({
  estimated_count: z.number().int().describe('number of sessions whose authorization is checked again'),
});
