import { z } from 'zod';
import { LINE } from './plain-text.ts';
import {
  flag,
  integer,
  integerOrNull,
  number,
  numberOrNull,
  optionalFlag,
  text,
  textOrNull,
  timestampSchema,
} from './api-parts.ts';
import { explanationSchema } from '../explanations/explanation-schema.ts';

/** Maximum number of streams in one export. */
const MAX_STREAMS = 16;
/** Last moment that requests may name, in epoch milliseconds: the end of the year 9999. */
const MAX_MS = 253_402_300_799_000;

/** Maximum length of a file name, in characters. */
const MAX_NAME_CHARS = 100;

const name = z.string().min(1).max(1000);
const filter = z.strictObject({
  tracks: z
    .string()
    .regex(/^([va][1-9][0-9]?)+$/, 'Expected here are ids of tracks such as v1a1')
    .max(200)
    .describe('concatenated track ids: v1a1'),
});

/** Body of `POST /dvr_export_jobs`. */
export const exportJobBodySchema = z.strictObject({
  name: name.optional().describe('the stream'),
  names: z
    .array(name)
    .min(1)
    .max(MAX_STREAMS)
    .optional()
    .describe('several streams instead of `name`; each becomes a file of its own'),
  from: z.number().int().min(0).max(MAX_MS).describe('start, epoch milliseconds'),
  duration: z.number().int().min(1).max(MAX_MS).describe('milliseconds'),
  path: z
    .string()
    .min(1)
    .max(1000)
    .refine(...LINE)
    .optional()
    .describe(
      'prefix of a VOD location and the path in it; for several streams a folder. Default: the folder `.exports` on a disk of the archive',
    ),
  file_name: z
    .string()
    .min(1)
    .max(MAX_NAME_CHARS)
    .refine(...LINE)
    .optional()
    .describe(
      'name of the files without extension, where `path` does not name the file. Default: stream, start and length',
    ),
  packing: z.enum(['mp4', 'ts']).optional().describe('container of the file; default mp4'),
  exact: optionalFlag(
    'whether it is cut to the exact frame, which encodes the pictures around both ends again; H.264 only',
  ),
  filter: filter.optional().describe('default: the first video track and all audio tracks'),
});
export type ExportJobBody = z.infer<typeof exportJobBodySchema>;

const place = z.number().int();

/** A file of an export. */
const exportFileSchema = z.object({
  name: text('the stream; empty for the manifest and the list of hashes of a case'),
  path: text('path of the file'),
  bytes: integer('size of the file'),
  sha256: text('SHA-256 of the file, in hexadecimal digits'),
  from: place.describe('start, epoch milliseconds'),
  duration: place.describe('milliseconds, including gaps'),
  gaps: z
    .array(
      z.object({
        at: place.describe('milliseconds from the start of the file'),
        duration: place.describe('milliseconds'),
      }),
    )
    .describe('gaps in the recording, whose time also passes in the file; at most a thousand'),
  gap_count: integer('total number of gaps'),
  chapters: z
    .array(
      z.object({
        at: place.describe('milliseconds from the start of the file'),
        title: text('title'),
      }),
    )
    .describe('splice points, locks and gaps; an MP4 file contains them too'),
});

/** Export of a time range of one or more archives into files. */
export const exportJobObjectSchema = z.object({
  id: text('unique'),
  name: text('the stream; the first of several'),
  names: z.array(z.string()).describe('all streams'),
  from: place.describe('start, epoch milliseconds'),
  duration: place.describe('milliseconds'),
  path: textOrNull('requested path; null for the export folder'),
  case: z
    .object({ id: text('id of the case'), title: text('title of the case') })
    .nullable()
    .describe('case of the exported clips and stills; null for an export of streams'),
  packing: z.enum(['mp4', 'ts']).describe('container of the files'),
  exact: flag('whether it is cut to the exact frame'),
  filter: z
    .object({ tracks: text('concatenated track ids') })
    .nullable()
    .describe('null for the first video track and all audio tracks'),
  status: z
    .enum(['queued', 'running', 'done', 'failed'])
    .describe('queued: waits for other jobs; a running job is queued again after a restart of the server'),
  progress: z
    .object({
      percent: number('0 to 100'),
      bytes: integer('bytes written so far'),
      total_bytes: integerOrNull('null while the archive is being read'),
      done: integer('milliseconds of media written'),
      speed: numberOrNull('multiple of playback speed; null while unknown'),
      estimated_end_at: timestampSchema.describe('estimated end, epoch milliseconds; null while unknown'),
    })
    .nullable()
    .describe('null unless it is running'),
  created_at: place.describe('epoch milliseconds'),
  created_by: text('login, or the origin of the request'),
  started_at: timestampSchema.describe('epoch milliseconds, of the last attempt'),
  finished_at: timestampSchema.describe('epoch milliseconds'),
  error: textOrNull('error code'),
  detail: textOrNull('description of the error'),
  explanation: explanationSchema.nullable().describe('code and facts of `detail`; null for messages of other programs'),
  files: z.array(exportFileSchema).describe('written files, once the job is done'),
});
export type ExportJobObject = z.infer<typeof exportJobObjectSchema>;
