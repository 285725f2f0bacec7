import { z } from 'zod';
import { optionsSchema, READ_ONLY } from './api-parts.ts';

const words = z.array(z.string()).optional();

/** A named backend that allows or denies sessions. */
export const authBackendObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; addresses refer to it as auth://name' }),
  backends: z
    .array(
      z.object({
        url: z.string().describe('the address that is asked, or a file that holds the answer as JSON'),
        extra: optionsSchema.optional().describe('parameters that go to the backend, by name'),
      }),
    )
    .meta({ 'x-key': 'url', description: 'asked all at once; one that allows is enough' }),
  allow_default: z.boolean().describe('what holds when no backend answers and no list fits; default false'),
  allow_tokens: words.describe('tokens that are allowed without asking'),
  allow_ips: words.describe('addresses or networks that are allowed without asking'),
  allow_countries: words.describe('country codes of two letters that are allowed without asking'),
  allow_uas: words.describe('players that are allowed without asking, by the beginning of their User-Agent'),
  deny_tokens: words.describe('tokens that are denied without asking'),
  deny_ips: words.describe('addresses or networks that are denied without asking'),
  deny_countries: words.describe('country codes of two letters that are denied without asking'),
  deny_uas: words.describe('players that are denied without asking, by the beginning of their User-Agent'),
});
