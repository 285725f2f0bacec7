import { z } from 'zod';
import { timestampSchema } from './api-parts.ts';

/** Playback session of one viewer. Times are epoch milliseconds. */
export const sessionObjectSchema = z.object({
  id: z.string().describe('unique'),
  key: z.string().describe('what makes it the same viewer when they come again; not unique'),
  type: z.enum(['play', 'publish', 'ingest', 'push']).describe('play in this version'),
  name: z.string().describe('the stream or file'),
  proto: z.string().describe('hls, dash, mpegts …'),
  status: z
    .enum(['establishing', 'running', 'stalling', 'finished'])
    .describe(
      'establishing: before the first byte of media; running; stalling: its player says that it waits for media; finished: closed',
    ),
  current_time: z
    .number()
    .int()
    .nullable()
    .describe(
      'where its player says that it is: epoch milliseconds, of a file milliseconds since its begin; null where it does not say',
    ),
  ip: z.string().describe('address that the viewer comes from'),
  country: z.string().nullable().describe('two letters; null where it is not known'),
  bytes: z.number().int().describe('delivered so far'),
  duration: z.number().int().describe('milliseconds since it was opened'),
  opened_at: timestampSchema.describe('when it was opened'),
  started_at: timestampSchema.describe('first byte of media'),
  updated_at: timestampSchema.describe('last request'),
  token: z.string().nullable().describe('what the viewer was let in with; null without one'),
  user_id: z.string().nullable().describe('the user that the backend named; null for none'),
  max_sessions: z
    .number()
    .int()
    .nullable()
    .describe('most sessions of this user at a time, by the backend; null for no limit'),
  dvr: z.boolean().describe('whether it plays what was recorded'),
  dvr_from: z.number().int().nullable().describe('from when on, epoch seconds; null for live'),
  dvr_duration: z.number().int().nullable().describe('how many seconds of it; null for live, and where it goes on'),
  user_agent: z.string().nullable().describe('header User-Agent of the player; null without one'),
  referer: z.string().nullable().describe('header Referer of the player; null without one'),
  query_string: z.string().describe('query of the address that it was opened with'),
});
export type SessionObject = z.infer<typeof sessionObjectSchema>;

/** Number of sessions whose authorization is checked again. */
export const sessionsReauthSchema = z.object({
  estimated_count: z.number().int().describe('sessions that the backend is asked about again'),
});
