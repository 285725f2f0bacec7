import { z } from 'zod';

/** Maximum number of ranges in one answer. */
export const ARCHIVE_RANGES_MAX = 10_000;

/** `GET /streams/{name}/dvr/ranges`: recorded ranges of a stream. */
export const archiveRangesSchema = z.object({
  name: z.string().describe('the stream'),
  ranges: z
    .array(
      z.object({
        from: z.number().int().describe('begin, epoch seconds, rounded down'),
        duration: z.number().int().describe('seconds, up to the end rounded up'),
      }),
    )
    .describe('what is recorded without a hole, oldest first'),
  next: z
    .number()
    .int()
    .nullable()
    .describe('the from of the request for the ranges after these; null where there are none'),
});
export type ArchiveRangesAnswer = z.infer<typeof archiveRangesSchema>;
