import { z } from 'zod';
import type { Explanation } from './explanations.ts';

const code = z.string().describe('never renamed, unlike the sentence in `detail`');
const value = z.union([z.string(), z.number()]);
// A recursive schema cannot be written into the API document.
const inner = z.record(z.string(), z.unknown() as unknown as z.ZodType<Explanation['facts'][string]>);

/** Explanation of an error, in the API and for the desk. */
export const explanationSchema = z.object({
  code,
  facts: z
    .record(z.string(), z.union([value, z.object({ code, facts: inner.describe('its values, by name') })]))
    .describe('the values in `detail`, by name; a value can be an explanation itself'),
});

/** Explanation beside a `detail`. */
export const optionalExplanation = explanationSchema
  .nullish()
  .describe('code and facts of `detail`; none for messages of other programs, and for callers who may only read');
