import { z } from 'zod';

/** State of an event sink. */
export const eventSinkStateSchema = z.object({
  name: z.string().describe('of the sink'),
  url: z.string().describe('destination, without secrets'),
  status: z
    .enum(['idle', 'delivering', 'retrying', 'disabled', 'not_supported'])
    .describe(
      '`idle`: everything is delivered; `delivering`: events are in transit or being batched; `retrying`: the last attempt failed; `disabled`: the receiver answered 410; `not_supported`: events cannot be sent to this address',
    ),
  backlog: z.number().int().describe('number of waiting events'),
  backlog_bytes: z.number().int().describe('size of the queue on disk'),
  oldest_waiting_at: z.number().int().nullable().describe('time of the oldest waiting event, epoch milliseconds'),
  delivered: z.number().int().describe('delivered events, across restarts'),
  delivered_at: z.number().int().nullable().describe('time of the last delivery since the start, epoch milliseconds'),
  resent: z.number().int().describe('events resent after a failed attempt, since the start'),
  dropped: z
    .number()
    .int()
    .describe(
      'events lost because they came faster than the disk could store them, or because the disk failed; across restarts',
    ),
  dead_letters: z.number().int().describe('undelivered events set aside because a limit was reached; across restarts'),
  damaged: z.number().int().describe('unreadable records of the queue, since the start'),
  last_error: z
    .object({
      code: z.string().describe('error code'),
      message: z.string().describe('description of the error'),
      at: z.number().int().describe('epoch milliseconds'),
    })
    .nullable()
    .describe('last failure; null before the first'),
  next_attempt_at: z.number().int().nullable().describe('time of the next attempt after a failure, epoch milliseconds'),
});
export type EventSinkState = z.infer<typeof eventSinkStateSchema>;
