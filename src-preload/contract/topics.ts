import { z } from 'zod';
import { serverEventSchema } from './events/catalogue.ts';
import { streamStateSchema } from './streams.ts';
import { tileLabelSchema, wallRecallSchema } from './wall-calls.ts';

/** Every topic of the bridge: the schema of its payload. */
export const TOPICS = {
  /**
   * Streams that changed since the last message, at most five times a second. The first message after a subscription
   * holds all streams and has `is_snapshot` set; of many it holds the first ones, and others follow until `left` is 0, with changes between them.
   */
  streams: z.object({
    is_snapshot: z.boolean(),
    left: z.number().int().min(0).optional().describe('streams of the first message that are still to come'),
    changed: z.array(streamStateSchema),
    removed: z.array(z.string()),
  }),
  /** What happens, gathered for a quarter of a second. The first message after a subscription holds the newest events and has `is_snapshot` set. */
  events: z.object({
    is_snapshot: z.boolean(),
    events: z.array(serverEventSchema).describe('oldest first'),
    skipped: z.number().int().describe('events since the last message that are left out, because there were too many'),
  }),
  /** What production systems say: labels of streams that changed, and a wall that windows are to show. The first message has all labels and `is_snapshot` set. */
  wall: z.object({
    is_snapshot: z.boolean(),
    labels: z.array(
      tileLabelSchema
        .extend({ name: z.string().describe('of the stream') })
        .describe('an empty one for a label that is gone'),
    ),
    recalled: wallRecallSchema.extend({ wall: z.string().describe('its name') }).optional(),
  }),
} as const;

/** Name of a topic. */
export type TopicName = keyof typeof TOPICS;
/** What a message of a topic carries. */
export type TopicPayload<N extends TopicName> = z.infer<(typeof TOPICS)[N]>;
