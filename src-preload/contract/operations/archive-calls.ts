import { z } from 'zod';
import { LINES, reasonSchema } from '../api/plain-text.ts';
import { alarmObjectSchema } from '../api/alarm-object.ts';
import { ARCHIVE_MAX_SECONDS } from '../api/archive/archive-locks.ts';
import { exportJobBodySchema, exportJobObjectSchema } from '../api/export-job-object.ts';
import { reads, writes, type OperationTable } from './operation.ts';
import { flag, integer, integerOrNull, number, text } from '../api/api-parts.ts';

/** Maximum number of streams in one answer. */
export const ARCHIVE_STREAMS_MAX = 1000;
/** Maximum number of recorded ranges, and of marks of each kind, in one answer. */
export const ARCHIVE_DESK_MAX = 5000;
/** Maximum number of exports in one answer, and maximum number of notes of a stream in one answer. */
export const ARCHIVE_EXPORTS_MAX = 200;
export const ARCHIVE_NOTES_MAX = 5000;
/** Maximum duration for which splice points are listed, in milliseconds. */
export const ARCHIVE_SPLICES_MS = 86_400_000;
/** Maximum number of points of a loudness curve. */
const LOUDNESS_POINTS_MAX = 2000;
/** Maximum number of streams in one request: the desk plays this many in sync. */
const STREAMS_MAX = 9;

// An archive may be older than the configuration of its stream, so its name need not follow the current rules.
const name = z.string().min(1).max(1000);
const names = z.array(name).min(1).max(STREAMS_MAX);
const moment = z
  .number()
  .int()
  .min(0)
  .max(ARCHIVE_MAX_SECONDS * 1000)
  .describe('epoch milliseconds');
const time = { from: moment, to: moment.describe('end, epoch milliseconds; exclusive') };
const nothing = z.object({});

/** A stream that has an archive. */
const archivedStreamSchema = z.object({ name, ...time, bytes: number('finished blocks only') });
export type ArchivedStream = z.infer<typeof archivedStreamSchema>;

/** Recorded ranges of a stream within a time range. */
const recordedTimesSchema = z.object({
  name,
  ranges: z.array(z.object(time)).describe('ranges without gaps, oldest first'),
  is_more: flag('whether there are more than fit into one answer'),
});

/** A splice point (SCTE-35) of an archive. */
const archivedSpliceSchema = z.object({
  name,
  at: moment,
  kind: z.enum(['out', 'in', 'other']).describe('out: a break starts; in: a break ends; other: any other kind'),
  duration: integerOrNull('announced duration of the break, in milliseconds'),
});
export type ArchivedSplice = z.infer<typeof archivedSpliceSchema>;

/** A protected range of an archive, as the desk shows it. */
const shownLockSchema = z.object({ name, ...time, note: z.string(), by: z.string() });

const noteText = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(...LINES)
  .describe('text of the note');

/** Note of an operator at one moment of an archive. */
const archiveNoteSchema = z.object({
  id: z.string().min(1).max(64).describe('unique'),
  name,
  at: moment,
  text: noteText,
  by: text('author'),
});
export type ArchiveNote = z.infer<typeof archiveNoteSchema>;

/** Operations about exports of archives. */
export const EXPORT_CALLS = {
  'archive.exports': {
    ...reads('view', 'visible'),
    sameAs: ['dvr_export_job_list'],
    input: nothing,
    output: z.object({ jobs: z.array(exportJobObjectSchema).describe('newest first, at most 200') }),
  },
  'archive.export': {
    ...writes('operate', 'stream'),
    input: exportJobBodySchema,
    output: exportJobObjectSchema,
    http: {
      id: 'dvr_export_job_create',
      at: 'POST /dvr_export_jobs',
      summary: 'Exports a range of one or several streams’ archives into files',
      description:
        'Segments that overlap the range are exported completely. The job waits in a queue; DELETE cancels it. A repeated request with the same Idempotency-Key is executed once.',
      status: 201,
      answer: 'The new job',
      answerSchema: 'dvr_export_job',
      location: '/dvr_export_jobs/{id}',
      errors: [403, 404, 409, 507],
      example: { name: 'news', from: 1_795_230_000_000, duration: 3_600_000, path: 'clips/evening.mp4' },
      isIdempotent: true,
    },
  },
  'archive.download_export': {
    ...writes('operate', 'visible'),
    sameAs: ['dvr_export_job_file', 'dvr_export_job_archive'],
    input: z.object({
      id: z.string().min(1).max(200),
      file: z
        .number()
        .int()
        .min(0)
        .max(ARCHIVE_DESK_MAX)
        .optional()
        .describe('index of the file, from 0; without it all files as one archive (tar)'),
    }),
    output: z.object({
      path: text('path for the download: valid for one hour, without a login'),
    }),
  },
  'archive.cancel_export': {
    ...writes('operate', 'visible'),
    sameAs: ['dvr_export_job_delete'],
    input: z.object({ id: z.string().min(1).max(200) }),
    output: nothing,
  },
} as const satisfies OperationTable;

/** Bridge calls for archives. */
export const ARCHIVE_CALLS = {
  'archive.streams': {
    ...reads('view', 'visible'),
    input: z.object({ after: z.string().max(1000).optional().describe('only names after this name') }),
    output: z.object({
      streams: z.array(archivedStreamSchema).describe('streams with recordings, configured or not, by name'),
      is_more: flag('whether there are more than fit into one answer'),
    }),
  },
  'archive.recorded': {
    ...reads('view', 'stream'),
    sameAs: ['stream_dvr_ranges'],
    input: z.object({ names, ...time }),
    output: z.object({ streams: z.array(recordedTimesSchema).describe('in the order of the request') }),
  },
  'archive.marks': {
    ...reads('view', 'stream'),
    sameAs: ['stream_dvr_locks', 'episode_list'],
    input: z.object({ names, ...time }),
    output: z.object({
      alarms: z.array(alarmObjectSchema).describe('alarms that were active in the range, newest first'),
      locks: z.array(shownLockSchema).describe('oldest first'),
      notes: z.array(archiveNoteSchema).describe('oldest first'),
      is_more: flag('whether there are more than fit into one answer'),
    }),
  },
  'archive.splices': {
    ...reads('view', 'stream'),
    sameAs: ['native_splice_list'],
    input: z.object({ names, ...time }).describe('at most one day'),
    output: z.object({
      splices: z
        .array(archivedSpliceSchema)
        .describe('from recordings and live streams, stream by stream, oldest first'),
    }),
  },
  'archive.loudness': {
    ...reads('view', 'stream'),
    sameAs: ['stream_loudness'],
    input: z.object({
      name,
      ...time,
      points: z.number().int().min(1).max(LOUDNESS_POINTS_MAX).describe('approximate number of points'),
    }),
    output: z.object({
      from: moment.describe('start of the first step, epoch milliseconds'),
      step_ms: integer('milliseconds'),
      low: z
        .array(z.number().nullable())
        .describe('lowest short-term loudness of each step, in LUFS; null without a measurement'),
      high: z.array(z.number().nullable()).describe('highest short-term loudness of each step, in LUFS'),
    }),
  },
  'archive.lock': {
    ...writes('operate', 'stream'),
    sameAs: ['stream_dvr_lock', 'legacy_dvr_lock'],
    input: z.object({
      name,
      ...time,
      note: reasonSchema.trim().describe('reason of the lock'),
    }),
    output: nothing,
  },
  'archive.unlock': {
    ...writes('operate', 'stream'),
    sameAs: ['stream_dvr_unlock', 'legacy_dvr_unlock'],
    input: z.object({ name, ...time }),
    output: nothing,
  },
  'archive.allow_deletion': {
    ...writes('edit', 'server'),
    sameAs: ['native_dvr_hold_end'],
    input: nothing.describe('confirms that locks and clock are correct: limits delete from archives again'),
    output: nothing,
  },
  'archive.add_note': {
    ...writes('operate', 'stream'),
    input: z.object({ name, at: moment, text: noteText }),
    output: archiveNoteSchema,
  },
  'archive.remove_note': {
    ...writes('operate', 'stream'),
    input: z.object({ name, id: z.string().min(1).max(64) }),
    output: nothing,
  },
  'archive.restore_note': {
    ...writes('operate', 'stream'),
    input: z.object({ name, id: z.string().min(1).max(64) }).describe('undoes a removal, within a day'),
    output: archiveNoteSchema,
  },
  ...EXPORT_CALLS,
} as const satisfies OperationTable;
