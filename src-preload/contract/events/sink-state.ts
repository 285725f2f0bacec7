import { z } from 'zod';

/** State of an event sink. */
export const eventSinkStateSchema = z.object({
  name: z.string().describe('of the sink'),
  url: z.string().describe('where events go, without secrets'),
  status: z
    .enum(['idle', 'delivering', 'retrying', 'disabled', 'not_supported'])
    .describe(
      '`idle`: everything is delivered; `delivering`: events are on their way or gathered; `retrying`: the last attempt failed; `disabled`: the other side answered 410; `not_supported`: no address that events can be sent to',
    ),
  backlog: z.number().int().describe('events that wait'),
  backlog_bytes: z.number().int().describe('room that the queue takes on disk'),
  oldest_waiting_at: z.number().int().nullable().describe('epoch milliseconds of the oldest event that waits'),
  delivered: z.number().int().describe('events delivered, over restarts'),
  delivered_at: z.number().int().nullable().describe('epoch milliseconds of the last delivery since the start'),
  resent: z.number().int().describe('events that were sent again after a failed attempt, since the start'),
  dropped: z
    .number()
    .int()
    .describe('events that are lost: they came faster than the disk took them, or the disk failed; over restarts'),
  dead_letters: z
    .number()
    .int()
    .describe('events that were put aside undelivered because a limit was reached; over restarts'),
  damaged: z.number().int().describe('records of the queue that could not be read, since the start'),
  last_error: z
    .object({
      code: z.string().describe('code of the catalogue of errors'),
      message: z.string().describe('what went wrong'),
      at: z.number().int().describe('when, in epoch milliseconds'),
    })
    .nullable()
    .describe('last failure; null before the first'),
  next_attempt_at: z.number().int().nullable().describe('epoch milliseconds of the next attempt after a failure'),
});
export type EventSinkState = z.infer<typeof eventSinkStateSchema>;
