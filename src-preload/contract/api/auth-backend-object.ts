import { z } from 'zod';
import { optionsSchema, READ_ONLY } from './api-parts.ts';

const words = z.array(z.string()).optional();

/** A named backend that allows or denies sessions. */
export const authBackendObjectSchema = z.object({
  name: z.string().meta(READ_ONLY),
  backends: z.array(z.object({ url: z.string(), extra: optionsSchema.optional() })).meta({ 'x-key': 'url' }),
  allow_default: z.boolean().describe('what holds when no backend answers'),
  allow_tokens: words,
  allow_ips: words,
  allow_countries: words,
  allow_uas: words,
  deny_tokens: words,
  deny_ips: words,
  deny_countries: words,
  deny_uas: words,
});
