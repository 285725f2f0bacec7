import { z } from 'zod';
import { eventSinkStateSchema } from './sink-state.ts';
import { READ_ONLY, optionalInteger, optionalNumber, optionalText, optionsSchema } from './api-parts.ts';

/** Conditions on an event; all must match. The values of one condition, `a,b` or a list, are alternatives. */
const conditionSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** A receiver of events. */
export const eventSinkObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  url: optionalText('http(s):// posts events as JSON; log:// and jsonlog:// write them to a file; passwords masked'),
  only: z.array(conditionSchema).optional().describe('events that match at least one condition; * matches any text'),
  except: z.array(conditionSchema).optional().describe('events that match no condition'),
  throttle_delay: optionalNumber('seconds for which events are batched; default 0'),
  resend_limit: optionalInteger('maximum number of undelivered events; default: as many as fit into 256 MB'),
  resend_timeout: optionalNumber('seconds between attempts; without it the delay grows from 1 to 60'),
  max_size: optionalInteger('size in bytes at which a log file is rotated; default 100 MB'),
  max_depth: optionalInteger('number of old log files; default 5'),
  secret: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('key of the signature (Standard Webhooks); masked'),
  level: optionalText('minimum level: debug, info, notice, warn, error or alert; default: all'),
  extra: optionsSchema.optional().describe('additional parameters sent with every event, by name'),
  stats: eventSinkStateSchema
    .omit({ name: true })
    .nullable()
    .meta({ ...READ_ONLY, description: 'state of the sink; null if it does not run' }),
});
