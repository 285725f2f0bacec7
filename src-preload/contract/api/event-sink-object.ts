import { z } from 'zod';
import { eventSinkStateSchema } from '../events/sink-state.ts';
import { optionsSchema, READ_ONLY } from './api-parts.ts';

/** Conditions on an event; all must match. The values of one condition, `a,b` or a list, are alternatives. */
const conditionSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** A receiver of events. */
export const eventSinkObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  url: z
    .string()
    .optional()
    .describe('http(s):// posts events as JSON; log:// and jsonlog:// write them into a file; passwords masked'),
  only: z.array(conditionSchema).optional().describe('events that fit one of these; * stands for anything'),
  except: z.array(conditionSchema).optional().describe('events that fit none of these'),
  throttle_delay: z.number().optional().describe('seconds that events are gathered before they are sent; default 0'),
  resend_limit: z
    .number()
    .int()
    .optional()
    .describe('events that are kept for a receiver that does not take them; as many as fit into 256 MB without it'),
  resend_timeout: z
    .number()
    .optional()
    .describe('seconds until what was not taken is sent again; without it the waits grow from 1 to 60'),
  max_size: z
    .number()
    .int()
    .optional()
    .describe('size of a log file in bytes after which the next one is begun; default 100 MB'),
  max_depth: z.number().int().optional().describe('old log files that are kept beside the newest; default 5'),
  secret: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('signs what is posted, by Standard Webhooks; shown as a mask'),
  level: z
    .string()
    .optional()
    .describe('least level of events that are sent: debug, info, notice, warn, error or alert; all without it'),
  extra: optionsSchema.optional().describe('parameters that go with every event, by name'),
  stats: eventSinkStateSchema
    .omit({ name: true })
    .nullable()
    .meta({ ...READ_ONLY, description: 'how the sink does; null for one that does not run' }),
});
