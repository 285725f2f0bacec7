import { z } from 'zod';

/** Answer of `GET /log/verify`. */
export const logReportSchema = z.object({
  isIntact: z.boolean().describe('whether nothing is wrong'),
  records: z.number().int().describe('records that were held against the chain'),
  digests: z.number().int().describe('signed digests'),
  signedUntil: z.number().int().describe('sequence of the last record that a digest vouches for; 0 for none'),
  faultCount: z.number().int().describe('how many faults there are'),
  uncheckedRecords: z
    .number()
    .int()
    .describe('records behind a hole whose content nothing vouches for: the hash before them is gone'),
  faults: z
    .array(
      z.object({
        kind: z
          .enum([
            ...(['changed', 'removed', 'inserted', 'reordered'] as const),
            ...(['digest_mismatch', 'digest_changed', 'digest_removed'] as const),
          ])
          .describe('what happened to it'),
        sequence: z.number().int().describe('place of the record in the chain, or of the last record of a digest'),
        operationId: z.string().nullable().describe('the record; null where it is gone, and for digests'),
      }),
    )
    .describe('the first of them, at most 100'),
});
