import { z } from 'zod';
import { reasonSchema } from '../plain-text.ts';
import { integer, integerOrNull, text } from '../api-parts.ts';

/** Maximum number of locks in one answer. */
export const ARCHIVE_LOCKS_MAX = 10_000;
/** Last second that requests may name: the end of the year 9999. */
export const ARCHIVE_MAX_SECONDS = 253_402_300_799;

const from = z.number().int().min(0).max(ARCHIVE_MAX_SECONDS).describe('start, epoch seconds');
const duration = z.number().int().min(1).max(ARCHIVE_MAX_SECONDS).describe('seconds');

/** Time range of an archive in requests. */
export const archiveTimeSchema = z.strictObject({ from, duration });

/** Body of `DELETE /streams/{name}/dvr/ranges`. */
export const archiveRemovalBodySchema = archiveTimeSchema.extend({
  note: reasonSchema.default('').describe('reason of the deletion, for the event'),
});

/** Effect of a deletion. */
export const archiveRemovedSchema = z.object({
  count: integer('number of deleted or shortened blocks'),
  bytes: integer('number of freed bytes'),
});

/** Body of `POST` and `PUT /streams/{name}/dvr/locks`. */
export const archiveLockBodySchema = archiveTimeSchema.extend({
  note: reasonSchema.default('').describe('reason of the lock'),
});

/** Protected range of an archive: no limit deletes it. */
export const archiveLockSchema = z.object({
  from: integer('start, epoch seconds'),
  duration: integer('seconds'),
  note: text('reason of the lock; several lines after locks were merged'),
  locked_by: text('login of the author of the last lock, or the origin of the request'),
  locked_at: integer('time of the last lock, epoch milliseconds'),
});
export type ArchiveLockAnswer = z.infer<typeof archiveLockSchema>;

/** `GET /streams/{name}/dvr/locks`: protected ranges of a stream. */
export const archiveLocksSchema = z.object({
  name: text('the stream'),
  locks: z.array(archiveLockSchema).describe('locked ranges, oldest first, without overlaps'),
  next: integerOrNull('`from` of the request for the next locks; null if there are no more'),
});
