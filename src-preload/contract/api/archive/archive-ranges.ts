import { z } from 'zod';

/** Maximum number of ranges in one answer. */
export const ARCHIVE_RANGES_MAX = 10_000;

/** `GET /streams/{name}/dvr/ranges`: recorded ranges of a stream. */
export const archiveRangesSchema = z.object({
  name: z.string().describe('the stream'),
  ranges: z
    .array(
      z.object({
        from: z.number().int().describe('start, epoch seconds, rounded down'),
        duration: z.number().int().describe('seconds, with the end rounded up'),
      }),
    )
    .describe('recorded ranges without gaps, oldest first'),
  next: z.number().int().nullable().describe('`from` of the request for the next ranges; null if there are no more'),
});
export type ArchiveRangesAnswer = z.infer<typeof archiveRangesSchema>;
