import { z } from 'zod';

/** Answer of `GET /log/verify`. */
export const logReportSchema = z.object({
  isIntact: z.boolean().describe('whether there are no faults'),
  records: z.number().int().describe('number of records checked against the chain'),
  digests: z.number().int().describe('signed digests'),
  signedUntil: z.number().int().describe('sequence of the last record covered by a digest; 0 for none'),
  faultCount: z.number().int().describe('number of faults'),
  uncheckedRecords: z
    .number()
    .int()
    .describe('records after a gap that cannot be verified, because the preceding hash is missing'),
  faults: z
    .array(
      z.object({
        kind: z
          .enum([
            ...(['changed', 'removed', 'inserted', 'reordered'] as const),
            ...(['digest_mismatch', 'digest_changed', 'digest_removed'] as const),
          ])
          .describe('kind of the fault'),
        sequence: z.number().int().describe('sequence of the record, or of the last record of a digest'),
        operationId: z.string().nullable().describe('id of the record; null if it is missing, and for digests'),
      }),
    )
    .describe('first faults, at most 100'),
});
