import { z } from 'zod';
import { LINE, LINES } from '../plain-text.ts';
import { READ_ONLY, integer, integerOrNull, optionalText, text } from '../api-parts.ts';
import { ARCHIVE_MAX_SECONDS } from './archive-locks.ts';

const seconds = z.number().int().min(0).max(ARCHIVE_MAX_SECONDS);

/** Episode: a titled part of an archive, such as a programme. No limit deletes it until it expires. */
export const episodeObjectSchema = z.object({
  id: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  name: text('the stream'),
  title: text('title; may be empty'),
  note: text('reason for keeping it; may be empty'),
  from: integer('start, epoch seconds'),
  to: integer('end, epoch seconds'),
  expires_at: integerOrNull('end of its retention, epoch seconds; null: until it is deleted'),
  changed_by: z.string().meta({ ...READ_ONLY, description: 'login of the last author, or another name of the caller' }),
  changed_at: z
    .number()
    .int()
    .meta({ ...READ_ONLY, description: 'time, epoch milliseconds' }),
});
export type EpisodeObject = z.infer<typeof episodeObjectSchema>;

const NOT_WRITTEN = { ...READ_ONLY, description: 'not written' };

/** Body of `PUT /episodes/{id}`: sets the given fields; null clears a field, absent fields stay. */
export const episodeWriteSchema = z.strictObject({
  name: z.string().min(1).max(1000).optional().describe('the stream; required for a new episode'),
  title: z
    .string()
    .max(1000)
    .refine(...LINE)
    .nullable()
    .optional()
    .describe('title'),
  note: z
    .string()
    .max(4000)
    .refine(...LINES)
    .nullable()
    .optional()
    .describe('reason for keeping it'),
  from: seconds.optional().describe('start, epoch seconds; required for a new episode'),
  to: seconds.optional().describe('end, epoch seconds, after the start; required for a new episode'),
  expires_at: seconds
    .nullable()
    .optional()
    .describe(
      'end of its retention, epoch seconds; null: until it is deleted. A new episode without it is kept for episodes_expiration of the storage, after its end',
    ),
  id: z.string().optional().meta(NOT_WRITTEN),
  changed_by: z.string().optional().meta(NOT_WRITTEN),
  changed_at: z.number().optional().meta(NOT_WRITTEN),
});

/** Body of `POST /episodes`. */
export const episodeCreateSchema = episodeWriteSchema.extend({
  id: optionalText('id; generated if absent'),
});
