import { z } from 'zod';

const code = z.string().describe('never renamed, unlike the sentence in `detail`');
const value = z.union([z.string(), z.number()]);

/** Explanation of an error, in the API and for the desk. */
export const explanationSchema = z.object({
  code,
  facts: z
    .record(
      z.string(),
      z.union([value, z.object({ code, facts: z.record(z.string(), value).describe('its values, by name') })]),
    )
    .describe('the values in `detail`, by name; a value can be an explanation itself'),
});
