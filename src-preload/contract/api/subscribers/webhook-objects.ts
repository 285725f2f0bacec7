import { z } from 'zod';
import { READ_ONLY, flag, integer, optionalFlag, text, textOrNull } from '../api-parts.ts';
import { ANY_ID_PATTERN, id, operationIdSchema } from './operation-object.ts';

const url = z
  .url({ protocol: /^https?$/, error: 'Expected an address such as https://billing.example.org/airdesk' })
  .max(2000)
  .refine((address) => !URL.canParse(address) || new URL(address).username + new URL(address).password === '', {
    message: 'The address of a webhook must not contain a user and password',
  });

/** States of a webhook. */
const WEBHOOK_STATES = ['active', 'paused', 'gone', 'failing'] as const;

/** A webhook of a portal, without its secret. */
export const webhookSchema = z.object({
  webhookId: id('unique; the last part of its address'),
  url: text('URL to which operations are posted'),
  isPrivateAllowed: flag('whether the URL may be an address of this machine or of a private network'),
  isDisabled: flag('whether posting is off; also set by the answer 410'),
  maxPerSecond: integer('maximum average rate in operations per second; a burst may contain as many'),
  state: z
    .enum(WEBHOOK_STATES)
    .describe('paused: switched off by an operator; gone: answered 410; failing: the last attempt failed'),
  backlog: integer('number of recorded operations that were not delivered or given up yet'),
  oldestAt: textOrNull('time of the oldest operation of the backlog, ISO 8601 in UTC; null for none'),
  createdAt: z.string().meta({ ...READ_ONLY, description: 'time of creation, ISO 8601 in UTC' }),
  previousUntil: textOrNull(
    'time until which messages are also signed with the previous secret, ISO 8601 in UTC; null for none',
  ),
  delivered: integer('number of operations that the receiver accepted'),
  deadLetters: integer('number of operations that were given up after the last attempt; they stay in the log'),
  deadLettersKept: integer('number of listed dead letters, which were neither posted again nor discarded'),
  deadLettersDropped: integer('number of dead letters that left the list because it holds at most 10000'),
  replays: integer('number of operations that wait to be posted again'),
  failures: integer('number of failed attempts of the next operation'),
  deliveredAt: textOrNull('time of the last delivery, ISO 8601 in UTC; null for never'),
  failedAt: textOrNull('time of the last failed attempt, ISO 8601 in UTC; null for never'),
  nextAttemptAt: textOrNull('time of the next attempt, ISO 8601 in UTC; null if none is planned'),
  lastError: textOrNull('error of the last attempt; null if it succeeded'),
});
export type Webhook = z.infer<typeof webhookSchema>;
/** Answer of `GET /portals/{portalId}/webhooks`. */
export const webhookListSchema = z.object({
  webhooks: z.array(webhookSchema).describe('in the order of creation'),
});

const deadLetter = z.object({
  operationId: operationIdSchema,
  givenUpAt: text('time at which delivery was given up, ISO 8601 in UTC'),
  error: text('error of the last attempt'),
});
/** Answer of `GET /portals/{portalId}/webhooks/{webhookId}/dead-letters`. */
export const deadLetterListSchema = z.object({
  deadLetters: z.array(deadLetter).describe('undelivered operations, newest first'),
  next: textOrNull('cursor of the next page; null on the last page'),
});

/** Answer of `GET /portals/{portalId}/webhooks/{webhookId}/log`. */
export const webhookLogSchema = z.object({
  attempts: z
    .array(
      z.object({
        at: text('time of the attempt, ISO 8601 in UTC'),
        operationId: operationIdSchema.nullable().describe('posted operation; null for a test'),
        isTaken: flag('whether the receiver accepted it'),
        error: textOrNull('reason of the failure'),
        durationMs: integer('duration of the request'),
      }),
    )
    .describe('last attempts since the server started, newest first; at most 100'),
  deadLetters: z.array(deadLetter).describe('undelivered operations, newest first; at most 1000'),
});
export type WebhookLog = z.infer<typeof webhookLogSchema>;
/**
 * Body of `POST /portals/{portalId}/webhooks/{webhookId}/replay`: the operations to send again, selected in one of three ways.
 */
export const webhookReplaySchema = z.strictObject({
  operationIds: z
    .array(z.string().regex(ANY_ID_PATTERN, 'This is not the id of an operation'))
    .min(1)
    .max(10_000)
    .optional()
    .describe('ids of the operations'),
  isDeadLetters: z.literal(true).optional().describe('all undelivered operations'),
  from: z.iso.datetime().optional().describe('start of a period, in UTC'),
  before: z.iso.datetime().optional().describe('end of the period; default now'),
  isPreview: optionalFlag('whether operations are only counted; default false'),
});
export type WebhookReplay = z.infer<typeof webhookReplaySchema>;
/** Answer of a replay. */
export const webhookReplayCountSchema = z.object({
  count: integer('number of operations to post again'),
});
/** Answer of `POST /portals/{portalId}/webhooks/{webhookId}/test`. */
export const webhookTestSchema = z.object({
  isTaken: flag('whether the receiver accepted the message'),
  error: textOrNull('reason of the failure'),
  durationMs: integer('duration of the request'),
});

/** Webhook with its secret; only the answers to creation and rotation contain it. */
export const issuedWebhookSchema = webhookSchema.extend({
  secret: text('key of the signatures, `whsec_` and base64; not shown again'),
});
/** Body of `POST /portals/{portalId}/webhooks`. */
export const webhookCreateSchema = z.strictObject({
  url: url.describe('URL to which operations are posted, http or https'),
  isPrivateAllowed: optionalFlag('whether the URL may lead to this machine or its private networks; default false'),
  maxPerSecond: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('maximum mean rate of posted operations per second; default 100'),
});
/** Body of `PUT /portals/{portalId}/webhooks/{webhookId}`: sets the given fields. */
export const webhookWriteSchema = webhookCreateSchema
  .partial()
  .extend({ isDisabled: optionalFlag('whether posting is off; false retries immediately') });
/** Body of `POST /portals/{portalId}/webhooks/{webhookId}/rotate`. */
export const webhookRotateSchema = z.strictObject({
  graceSeconds: z
    .number()
    .int()
    .min(0)
    .max(2_592_000)
    .optional()
    .describe('seconds for which messages are signed with the previous secret too; default 86400'),
});
