import { z } from 'zod';
import { READ_ONLY, flag, optionsSchema, text } from './api-parts.ts';

const stringList = z.array(z.string()).optional();

/** A named backend that allows or denies sessions. */
export const authBackendObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; addresses refer to it as auth://name' }),
  backends: z
    .array(
      z.object({
        url: text('URL of the backend, or a file with the answer as JSON'),
        extra: optionsSchema.optional().describe('additional parameters sent to the backend, by name'),
      }),
    )
    .meta({ 'x-key': 'url', description: 'requested in parallel; the viewer is admitted if one of them allows it' }),
  allow_default: flag('result if no backend answers and no list matches; default false'),
  allow_tokens: stringList.describe('tokens that are allowed without a request'),
  allow_ips: stringList.describe('addresses or networks that are allowed without a request'),
  allow_countries: stringList.describe('two-letter country codes that are allowed without a request'),
  allow_uas: stringList.describe('players that are allowed without a request, by the start of their User-Agent'),
  deny_tokens: stringList.describe('tokens that are denied without a request'),
  deny_ips: stringList.describe('addresses or networks that are denied without a request'),
  deny_countries: stringList.describe('two-letter country codes that are denied without a request'),
  deny_uas: stringList.describe('players that are denied without a request, by the start of their User-Agent'),
});
