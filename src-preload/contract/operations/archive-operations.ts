import { z } from 'zod';
import {
  ARCHIVE_LOCKS_MAX,
  ARCHIVE_MAX_SECONDS,
  archiveLockBodySchema,
  archiveLockSchema,
  archiveLocksSchema,
  archiveRemovalBodySchema,
  archiveRemovedSchema,
  archiveTimeSchema,
} from '../api/archive/archive-locks.ts';
import { ARCHIVE_RANGES_MAX, archiveRangesSchema } from '../api/archive/archive-ranges.ts';
import { loudnessLogSchema } from '../api/loudness-object.ts';
import { queryInteger, reads, streamInPath, writes, type OperationTable } from './operation.ts';

const name = streamInPath;
const seconds = queryInteger(0, ARCHIVE_MAX_SECONDS);
const LOCKS = '/streams/{name}/dvr/locks';
const LOCKED = { answer: 'The resulting lock', answerSchema: 'dvr_lock', errors: [404, 409] } as const;

/** Request for a time range of a stream. @param what name of the items whose number `limit` limits */
function inTime<W extends string>(what: W, max: number) {
  return z.object({
    name,
    from: seconds.default(0).describe('start of the range, epoch seconds'),
    to: seconds.optional().describe('end of the range, epoch seconds; default: no end'),
    limit: queryInteger(1, max).default(1000).describe(`${what} at most`),
  });
}

const DOWNLOAD = {
  ...reads('operate', 'visible'),
  output: z.object({ path: z.string().describe('path for the download: valid for one hour, without a login') }),
} as const;
const REDIRECT = { status: 307, headers: { location: 'path' }, errors: [403, 404, 409, 503] } as const;
const job = z.string().describe('id of the job');

/** Redirects to the files of exports. */
export const EXPORT_DOWNLOADS = {
  'archive.redirect_to_file': {
    ...DOWNLOAD,
    input: z.object({ id: job, number: queryInteger(0).describe('index in `files`, from 0') }),
    http: {
      id: 'dvr_export_job_file',
      at: 'GET /dvr_export_jobs/{id}/files/{number}',
      summary: 'Redirects to a file of a finished export',
      description:
        'The address in Location is valid for an hour and needs no login. It supports byte ranges, so that an interrupted download can continue.',
      answer: 'The file is at the address in Location',
      ...REDIRECT,
    },
  },
  'archive.redirect_to_archive': {
    ...DOWNLOAD,
    input: z.object({ id: job }),
    http: {
      id: 'dvr_export_job_archive',
      at: 'GET /dvr_export_jobs/{id}/files.tar',
      summary: 'Redirects to all files of a finished export, as one archive (tar)',
      description:
        'The address in Location is valid for an hour and needs no login. The archive is made while it is sent.',
      answer: 'The archive is at the address in Location',
      ...REDIRECT,
    },
  },
} as const satisfies OperationTable;

/**
 * Operations about archives and loudness over HTTP, with times in seconds or in queries. The desk has calls of its own for
 * them.
 */
export const ARCHIVE_OPERATIONS = {
  'archive.list_ranges': {
    // A stream outside the caller's scope is answered with `stream_not_found`.
    ...reads('view', 'visible'),
    input: inTime('ranges', ARCHIVE_RANGES_MAX),
    output: archiveRangesSchema,
    http: {
      id: 'stream_dvr_ranges',
      at: 'GET /streams/{name}/dvr/ranges',
      summary: 'Lists the recorded ranges of a stream',
      description:
        'Gaps of more than half a second separate the ranges. A running recording is included up to its last complete segment.',
      answer: 'The recorded ranges',
      answerSchema: 'dvr_ranges',
    },
  },
  'archive.list_locks': {
    ...reads('view', 'visible'),
    input: inTime('locks', ARCHIVE_LOCKS_MAX),
    output: archiveLocksSchema,
    http: {
      id: 'stream_dvr_locks',
      at: `GET ${LOCKS}`,
      summary: 'Lists the locks of a stream’s archive',
      answer: 'The locks',
      answerSchema: 'dvr_locks',
    },
  },
  'archive.join_lock': {
    ...writes('operate', 'stream'),
    input: archiveLockBodySchema.extend({ name }),
    output: archiveLockSchema,
    http: {
      id: 'stream_dvr_lock',
      at: `POST ${LOCKS}`,
      summary: 'Locks a range of the archive of a stream',
      description:
        'The range is merged with locks that it overlaps or touches, and all their notes stay. A range may be locked before it is recorded.',
      ...LOCKED,
    },
  },
  'archive.set_lock': {
    ...writes('operate', 'stream'),
    input: archiveLockBodySchema.extend({ name }),
    output: archiveLockSchema,
    http: {
      id: 'stream_dvr_lock_put',
      at: `PUT ${LOCKS}`,
      summary: 'Locks a range with a note of its own',
      description:
        'The note replaces those of existing locks in the range. Parts of locks outside the range stay unchanged.',
      ...LOCKED,
    },
  },
  'archive.remove_lock': {
    ...writes('operate', 'stream'),
    input: archiveTimeSchema.extend({ name }),
    output: z.object({}),
    http: {
      id: 'stream_dvr_unlock',
      at: `DELETE ${LOCKS}`,
      summary: 'Unlocks a range of the archive of a stream',
      description: 'Longer locks are shortened. Recordings past their limits are deleted within about a minute.',
      answer: 'The range is unlocked',
      errors: [404],
      isBodyInDelete: true,
    },
  },
  'archive.remove': {
    ...writes('edit', 'stream'),
    input: archiveRemovalBodySchema.extend({ name }),
    output: archiveRemovedSchema,
    http: {
      id: 'stream_dvr_ranges_delete',
      at: 'DELETE /streams/{name}/dvr/ranges',
      summary: 'Deletes a range of the archive of a stream',
      description:
        'All segments that overlap the range are deleted, up to now; later recordings are not. If a part of it is locked, nothing is deleted. `Airdesk-Deleted-Blocks` is the number of deleted or shortened blocks, `Airdesk-Freed-Bytes` the number of freed bytes.',
      status: 204,
      answer: 'The range is deleted',
      headers: { 'airdesk-deleted-blocks': 'count', 'airdesk-freed-bytes': 'bytes' },
      errors: [404, 409, 503],
      isBodyInDelete: true,
    },
  },
  'loudness.log': {
    ...reads('view', 'stream'),
    input: z.object({
      name,
      from: queryInteger(0).describe('start, epoch milliseconds'),
      to: queryInteger(0).describe('end, epoch milliseconds, at most an hour later'),
    }),
    output: loudnessLogSchema,
    http: {
      id: 'stream_loudness_log',
      at: 'GET /streams/{name}/loudness/log',
      summary: 'The loudness of a stream for each 100 ms',
      description: 'For the last 24 hours, at most an hour in one answer.',
      answer: 'The measured loudness',
      answerSchema: 'loudness_log',
      errors: [403, 503],
    },
  },
  'loudness.report': {
    ...reads('view', 'stream'),
    input: z.object({
      name,
      day: z
        .string()
        .refine((day) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)), {
          error: 'must be a date such as 2027-01-31',
        })
        .meta({ format: 'date', description: 'the day (UTC), as `2027-01-31`' }),
    }),
    output: z.string(),
    http: {
      id: 'stream_loudness_report',
      at: 'GET /streams/{name}/loudness/report',
      summary: 'A stream’s loudness of a day, as a printable page',
      answer: 'A page',
      type: 'text/html',
      errors: [403, 503],
    },
  },
} as const satisfies OperationTable;
