import { z } from 'zod';
import { timestampSchema } from './api-parts.ts';

/** The playback of one viewer. Times are epoch milliseconds. */
export const sessionObjectSchema = z.object({
  id: z.string().describe('unique'),
  key: z.string().describe('what makes it the same viewer when he comes again; not unique'),
  type: z.enum(['play', 'publish', 'ingest', 'push']).describe('play in this version'),
  name: z.string().describe('the stream or file'),
  proto: z.string().describe('hls, dash, mpegts …'),
  status: z.enum(['establishing', 'running', 'stalling', 'finished']),
  ip: z.string(),
  country: z.string().nullable().describe('two letters; null where it is not known'),
  bytes: z.number().int().describe('delivered so far'),
  duration: z.number().int().describe('milliseconds since it was opened'),
  opened_at: timestampSchema,
  started_at: timestampSchema.describe('first byte of media'),
  updated_at: timestampSchema.describe('last request'),
  token: z.string().nullable(),
  user_id: z.string().nullable(),
  max_sessions: z.number().int().nullable(),
  user_agent: z.string().nullable(),
  referer: z.string().nullable(),
  query_string: z.string(),
});
export type SessionObject = z.infer<typeof sessionObjectSchema>;

/** How many sessions are asked about again. */
export const sessionsReauthSchema = z.object({ estimated_count: z.number().int() });
