import { z } from 'zod';
import { serverEventSchema } from './events/catalogue.ts';
import { streamStateSchema } from './api/streams.ts';
import { tileLabelSchema, wallRecallSchema } from './operations/wall-calls.ts';
import { integer, text } from './api/api-parts.ts';

/**
 * Events that this version can read. Events of another version that it cannot read are left out, without affecting the others.
 */
const readableEvents = z
  .array(z.unknown())
  .transform((events) => events.flatMap((event) => serverEventSchema.safeParse(event).data ?? []));

/** Topics of the bridge with the schema of their payload. */
export const TOPICS = {
  /**
   * Streams that changed since the last message, at most five times a second. The first message after a subscription has
   * `is_snapshot` set and contains all streams. If there are too many streams for one message, more messages follow until
   * `left` is 0; messages about changes may come in between.
   */
  streams: z.object({
    is_snapshot: z.boolean(),
    left: z.number().int().min(0).optional().describe('number of streams of the first message still to come'),
    changed: z.array(streamStateSchema),
    removed: z.array(z.string()),
  }),
  /**
   * Events of the last quarter of a second. The first message after a subscription has `is_snapshot` set and contains the newest
   * events.
   */
  events: z.object({
    is_snapshot: z.boolean(),
    events: readableEvents.describe('oldest first'),
    skipped: integer('number of events dropped since the last message, because there were too many'),
  }),
  /**
   * Data of production systems: changed labels of streams, and a wall that windows have to show. The first message has
   * `is_snapshot` set and contains all labels.
   */
  wall: z.object({
    is_snapshot: z.boolean(),
    labels: z.array(tileLabelSchema.extend({ name: text('name of the stream') }).describe('empty for a removed label')),
    recalled: wallRecallSchema.extend({ wall: text('name of the wall') }).optional(),
  }),
} as const;

/** Name of a topic. */
export type TopicName = keyof typeof TOPICS;
/** Payload of a topic. */
export type TopicPayload<N extends TopicName> = z.infer<(typeof TOPICS)[N]>;
