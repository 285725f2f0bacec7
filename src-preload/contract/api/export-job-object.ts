import { z } from 'zod';
import { timestampSchema } from './api-parts.ts';

/** Maximum number of streams in one export. */
const MAX_STREAMS = 16;
/** Last moment that requests may name, in epoch milliseconds: the end of the year 9999. */
const MAX_MS = 253_402_300_799_000;

const name = z.string().min(1).max(1000);
const filter = z.strictObject({
  tracks: z
    .string()
    .regex(/^([va][1-9][0-9]?)+$/)
    .max(200)
    .describe('ids of tracks side by side: v1a1'),
});

/** Body of `POST /dvr_export_jobs`. */
export const exportJobBodySchema = z.strictObject({
  name: name.optional().describe('the stream'),
  names: z
    .array(name)
    .min(1)
    .max(MAX_STREAMS)
    .optional()
    .describe('several streams in the place of `name`: each becomes a file of its own'),
  from: z.number().int().min(0).max(MAX_MS).describe('begin, epoch milliseconds'),
  duration: z.number().int().min(1).max(MAX_MS).describe('milliseconds'),
  path: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'prefix of a VOD location and the path in it; of several streams that of a folder. Without it the folder `.exports` on a disk of the archive',
    ),
  packing: z.enum(['mp4', 'ts']).optional().describe('what the file is packed in; mp4 without it'),
  exact: z
    .boolean()
    .optional()
    .describe('whether it is cut to the frame, for which pictures around both ends are encoded again; H.264 only'),
  filter: filter.optional().describe('without it the first picture and all sound'),
});
export type ExportJobBody = z.infer<typeof exportJobBodySchema>;

const place = z.number().int();

/** A file of an export. */
const exportFileSchema = z.object({
  name: z.string().describe('the stream; empty for the manifest and the list of hashes of a case'),
  path: z.string().describe('where it lies'),
  bytes: z.number().int().describe('size of the file'),
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal digits'),
  from: place.describe('when it begins, epoch milliseconds'),
  duration: place.describe('milliseconds, the gaps among it'),
  gaps: z
    .array(
      z.object({
        at: place.describe('milliseconds from the start of the file'),
        duration: place.describe('milliseconds'),
      }),
    )
    .describe('what was not recorded: its time passes in the file, too. The first thousand'),
  gap_count: z.number().int().describe('gaps in all'),
  chapters: z
    .array(
      z.object({
        at: place.describe('milliseconds from the start of the file'),
        title: z.string().describe('what is there'),
      }),
    )
    .describe('splice points, locks and gaps; in an MP4 they are in the file, too'),
});

/** Export of a time range of one or more archives into files. */
export const exportJobObjectSchema = z.object({
  id: z.string().describe('unique'),
  name: z.string().describe('the stream; of several the first'),
  names: z.array(z.string()).describe('all streams'),
  from: place.describe('begin, epoch milliseconds'),
  duration: place.describe('milliseconds'),
  path: z.string().nullable().describe('as it was asked for; null for the export folder'),
  case: z
    .object({ id: z.string().describe('of the case'), title: z.string().describe('what people call it') })
    .nullable()
    .describe('the case whose clips and stills it is; null for a time of streams'),
  packing: z.enum(['mp4', 'ts']).describe('what the files are packed in'),
  exact: z.boolean().describe('whether it is cut to the frame'),
  filter: z
    .object({ tracks: z.string().describe('ids of tracks side by side') })
    .nullable()
    .describe('null for the first picture and all sound'),
  status: z
    .enum(['queued', 'running', 'done', 'failed'])
    .describe('queued: others come first; after a restart of the server a job that ran is queued again'),
  progress: z
    .object({
      percent: z.number().describe('0 to 100'),
      bytes: z.number().int().describe('written so far'),
      total_bytes: z.number().int().nullable().describe('null while the archive is still looked at'),
      done: z.number().int().describe('milliseconds of media that are written'),
      speed: z.number().nullable().describe('times as fast as it plays; null while that is not known'),
      estimated_end_at: timestampSchema.describe('when it will be done; null while that is not known'),
    })
    .nullable()
    .describe('null unless it is running'),
  created_at: place.describe('epoch milliseconds'),
  created_by: z.string().describe('login, or what is known instead'),
  started_at: timestampSchema.describe('epoch milliseconds, of the last attempt'),
  finished_at: timestampSchema.describe('epoch milliseconds'),
  error: z.string().nullable().describe('code of what made it fail'),
  detail: z.string().nullable().describe('the same in words'),
  files: z.array(exportFileSchema).describe('what was written, once it is done'),
});
export type ExportJobObject = z.infer<typeof exportJobObjectSchema>;
