import { z } from 'zod';
import { sessionObjectSchema } from './api/session-object.ts';

/** Sessions of a list. */
export const SESSIONS_MAX = 500;

/** What the desk lists of a session. */
const sessionRowSchema = sessionObjectSchema.pick({
  id: true,
  name: true,
  proto: true,
  status: true,
  ip: true,
  country: true,
  bytes: true,
  opened_at: true,
  updated_at: true,
  user_id: true,
  user_agent: true,
  dvr: true,
});
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** The calls about viewers. */
export const SESSION_CALLS = {
  'sessions.list': {
    input: z.object({
      name: z.string().max(200).optional().describe('of this stream or file'),
      find: z
        .string()
        .max(200)
        .optional()
        .describe('only those with this in name, protocol, address, user or player; upper and lower case are the same'),
    }),
    output: z.object({
      sessions: z.array(sessionRowSchema).describe('newest first, at most 500'),
      total: z.number().int().describe('sessions that fit'),
    }),
    isWrite: false,
  },
  'sessions.close': {
    input: z.object({ id: z.string().min(1).max(200) }),
    output: z.object({}),
    isWrite: true,
  },
} as const;
