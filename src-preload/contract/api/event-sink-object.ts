import { z } from 'zod';
import { optionsSchema, READ_ONLY } from './api-parts.ts';

/** Where events are sent. */
export const eventSinkObjectSchema = z.object({
  name: z.string().meta(READ_ONLY),
  url: z.string().optional(),
  only: z.array(optionsSchema).optional().describe('events that fit one of these; * stands for any end'),
  except: z.array(optionsSchema).optional(),
  throttle_delay: z.number().optional().describe('seconds'),
  resend_limit: z.number().int().optional(),
  resend_timeout: z.number().optional().describe('seconds'),
  max_size: z.number().int().optional().describe('bytes'),
  max_depth: z.number().int().optional(),
  secret: z.union([z.string(), z.array(z.string())]).optional().describe('signs what is posted, by Standard Webhooks; shown as a mask'),
  level: z.string().optional(),
  extra: optionsSchema.optional(),
  stats: z.null().meta({ ...READ_ONLY, description: 'what was delivered; null in this version' }),
});
