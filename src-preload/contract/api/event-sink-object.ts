import { z } from 'zod';
import { eventSinkStateSchema } from '../events/sink-state.ts';
import { optionsSchema, READ_ONLY } from './api-parts.ts';

/** Conditions that must all hold, each by one of its values: `a,b` or a list. */
const conditionSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** Where events are sent. */
export const eventSinkObjectSchema = z.object({
  name: z.string().meta(READ_ONLY),
  url: z.string().optional(),
  only: z.array(conditionSchema).optional().describe('events that fit one of these; * stands for anything'),
  except: z.array(conditionSchema).optional().describe('events that fit none of these'),
  throttle_delay: z.number().optional().describe('seconds'),
  resend_limit: z.number().int().optional(),
  resend_timeout: z.number().optional().describe('seconds'),
  max_size: z.number().int().optional().describe('bytes'),
  max_depth: z.number().int().optional(),
  secret: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('signs what is posted, by Standard Webhooks; shown as a mask'),
  level: z.string().optional(),
  extra: optionsSchema.optional(),
  stats: eventSinkStateSchema
    .omit({ name: true })
    .nullable()
    .meta({ ...READ_ONLY, description: 'how the sink does; null for one that does not run' }),
});
