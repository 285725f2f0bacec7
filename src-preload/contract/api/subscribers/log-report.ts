import { z } from 'zod';
import { flag, integer, textOrNull } from '../api-parts.ts';

/** Answer of `GET /log/verify`. */
export const logReportSchema = z.object({
  isIntact: flag('whether there are no faults'),
  records: integer('number of records checked against the chain'),
  digests: integer('signed digests'),
  signedUntil: integer('sequence of the last record covered by a digest; 0 for none'),
  faultCount: integer('number of faults'),
  uncheckedRecords: integer('records after a gap that cannot be verified, because the preceding hash is missing'),
  faults: z
    .array(
      z.object({
        kind: z
          .enum([
            ...(['changed', 'removed', 'inserted', 'reordered'] as const),
            ...(['digest_mismatch', 'digest_changed', 'digest_removed'] as const),
          ])
          .describe('kind of the fault'),
        sequence: integer('sequence of the record, or of the last record of a digest'),
        operationId: textOrNull('id of the record; null if it is missing, and for digests'),
      }),
    )
    .describe('first faults, at most 100'),
});
