import { z } from 'zod';
import { sessionObjectSchema, sessionsReauthSchema } from '../api/session-object.ts';
import { reads, writes, type OperationTable } from './operation.ts';
import { integer, text } from '../api/api-parts.ts';

/** Maximum number of sessions in one answer, and of sessions that one call closes. */
export const SESSIONS_MAX = 500;

const sessionOrderSchema = z.enum(['opened', 'viewer', 'name', 'proto', 'bytes', 'player']);
/** Sort key of sessions: the time of opening, or a field as the desk shows it. */
export type SessionOrder = z.infer<typeof sessionOrderSchema>;

/** Fields of a session that the desk lists. */
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
/** Names of the fields of a row. */
export const SESSION_ROW_FIELDS = Object.keys(sessionRowSchema.shape) as readonly (keyof SessionRow)[];

/** Maximum duration of a ban: one year. */
const BAN_SECONDS_MAX = 31_536_000;

/** Address or user that is banned from all streams. */
const banSchema = z.object({
  id: z.string(),
  kind: z.enum(['address', 'user']),
  value: text('address (IPv6: its /64 network), or user as named by backends'),
  banned_at: integer('epoch milliseconds'),
  until: integer('epoch milliseconds'),
  who: text('login of the operator'),
  reason: text('reason; may be empty'),
});
export type BanRow = z.infer<typeof banSchema>;
const bansSchema = z.object({ bans: z.array(banSchema).describe('active bans, newest first') });

/** Operations about viewers that the desk does not offer. */
export const SESSION_OPERATIONS = {
  'sessions.reauth': {
    ...writes('operate', 'stream'),
    input: z.object({
      name: z
        .string()
        .refine((name) => name !== '', 'must name a stream or file')
        .describe('the stream or file'),
    }),
    output: sessionsReauthSchema,
    http: {
      id: 'sessions_reauth',
      at: 'POST /sessions/reauth',
      summary: 'Lets the backend authorize all sessions of a stream or file again',
      answer: 'Number of its sessions',
      answerSchema: 'sessions_reauth',
      isQueryInPost: true,
    },
  },
} as const satisfies OperationTable;

/** Bridge calls for viewers. */
export const SESSION_CALLS = {
  'sessions.list': {
    ...reads('view', 'visible'),
    sameAs: ['session_list', 'legacy_sessions'],
    input: z.object({
      name: z.string().max(200).optional().describe('only of this stream or file'),
      find: z
        .string()
        .max(200)
        .optional()
        .describe('only sessions with this text in name, protocol, address, user or player; case-insensitive'),
      by: sessionOrderSchema.default('opened'),
      is_down: z.boolean().default(true).describe('descending order; equal values newest first'),
      from: z.number().int().min(0).max(1_000_000).default(0).describe('number of sessions to skip'),
      count: z.number().int().min(1).max(SESSIONS_MAX).default(SESSIONS_MAX),
    }),
    output: z.object({
      sessions: z.array(sessionRowSchema),
      total: integer('number of matching sessions'),
    }),
  },
  'sessions.close': {
    ...writes('operate', 'visible'),
    sameAs: ['session_delete'],
    input: z.object({ id: z.string().min(1).max(200) }),
    output: z.object({}),
  },
  'sessions.close_all': {
    ...writes('operate', 'visible'),
    sameAs: ['legacy_close_sessions'],
    input: z.object({ ids: z.array(z.string().min(1).max(200)).min(1).max(SESSIONS_MAX) }),
    output: z.object({ closed: integer('number of closed sessions') }),
  },
  'sessions.bans': { ...reads('view', 'server'), input: z.object({}), output: bansSchema },
  'sessions.ban': {
    ...writes('operate', 'server'),
    input: z.object({
      kind: z.enum(['address', 'user']),
      value: z.string().trim().min(1).max(200).describe('address, or user as named by backends'),
      seconds: z.number().int().min(60).max(BAN_SECONDS_MAX),
      reason: z.string().trim().max(500).default('').describe('reason; may be empty'),
    }),
    output: bansSchema,
  },
  'sessions.unban': {
    ...writes('operate', 'server'),
    input: z.object({ id: z.string().min(1).max(210) }),
    output: bansSchema,
  },
} as const satisfies OperationTable;
