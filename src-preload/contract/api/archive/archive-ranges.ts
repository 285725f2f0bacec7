import { z } from 'zod';
import { integer, integerOrNull, text } from '../api-parts.ts';

/** Maximum number of ranges in one answer. */
export const ARCHIVE_RANGES_MAX = 10_000;

/** `GET /streams/{name}/dvr/ranges`: recorded ranges of a stream. */
export const archiveRangesSchema = z.object({
  name: text('the stream'),
  ranges: z
    .array(
      z.object({
        from: integer('start, epoch seconds, rounded down'),
        duration: integer('seconds, with the end rounded up'),
      }),
    )
    .describe('recorded ranges without gaps, oldest first'),
  next: integerOrNull('`from` of the request for the next ranges; null if there are no more'),
});
