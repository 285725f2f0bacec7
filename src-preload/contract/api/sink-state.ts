import { z } from 'zod';
import { integer, integerOrNull, text } from './api-parts.ts';

/** State of an event sink. */
export const eventSinkStateSchema = z.object({
  name: text('of the sink'),
  url: text('destination, without secrets'),
  status: z
    .enum(['idle', 'delivering', 'retrying', 'disabled', 'not_supported'])
    .describe(
      '`idle`: everything is delivered; `delivering`: events are in transit or being batched; `retrying`: the last attempt failed; `disabled`: the receiver answered 410; `not_supported`: events cannot be sent to this address',
    ),
  backlog: integer('number of waiting events'),
  backlog_bytes: integer('size of the queue on disk'),
  oldest_waiting_at: integerOrNull('time of the oldest waiting event, epoch milliseconds'),
  delivered: integer('delivered events, across restarts'),
  delivered_at: integerOrNull('time of the last delivery since the start, epoch milliseconds'),
  resent: integer('events resent after a failed attempt, since the start'),
  dropped: integer(
    'events lost because they came faster than the disk could store them, or because the disk failed; across restarts',
  ),
  dead_letters: integer('undelivered events set aside because a limit was reached; across restarts'),
  damaged: integer('unreadable records of the queue, since the start'),
  last_error: z
    .object({
      code: text('error code'),
      message: text('description of the error'),
      at: integer('epoch milliseconds'),
    })
    .nullable()
    .describe('last failure; null before the first'),
  next_attempt_at: integerOrNull('time of the next attempt after a failure, epoch milliseconds'),
});
export type EventSinkState = z.infer<typeof eventSinkStateSchema>;
