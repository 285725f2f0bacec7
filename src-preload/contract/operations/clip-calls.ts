import { z } from 'zod';
import { streamNameSchema } from '../api/streams.ts';
import { clipJobObjectSchema } from '../api/file-processor-object.ts';
import { mediaInfoSchema } from '../api/media-info.ts';
import { explanationSchema } from '../explanations/explanation-schema.ts';
import { reads, writes, type OperationTable } from './operation.ts';
import { flag, integer, integerOrNull, optionalFlag, text, textOrNull } from '../api/api-parts.ts';

/** Maximum number of files in one page of a folder. */
export const CLIP_FILES_MAX = 200;
/** Maximum number of jobs in one answer. */
export const CLIP_JOBS_MAX = 200;

const location = z.string().min(1).max(200).describe('prefix of a VOD location');
const path = z.string().min(1).max(1000).describe('prefix of a VOD location and the path in it');
const backendName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,60}$/, 'Expected here are 1 to 60 letters, digits, _ and -')
  .describe('name of a test backend: letters, digits, _ and -');
const timeMs = z.number().int().min(0).max(3_600_000);

/** A file or folder of a VOD location, as the desk lists it. */
const clipFileSchema = z.object({
  name: text('file name without folders'),
  path: text('prefix of the location and the path in it, as `ad_inject` names it'),
  isFolder: flag('whether it is a folder'),
  sizeBytes: integer('length; 0 of a folder'),
  modifiedAt: integerOrNull('last change in epoch milliseconds; null of a folder'),
});
export type ClipFileRow = z.infer<typeof clipFileSchema>;

/** Facts of a file, and its comparison with the format of a stream. */
const clipFitSchema = z.object({
  detail: text('reason why it cannot be played; empty if it can'),
  explanation: explanationSchema.nullable().describe('code and facts of `detail`'),
  differences: clipJobObjectSchema.shape.differences,
  media_info: mediaInfoSchema.nullable().describe('length and tracks; null of a file that cannot be played'),
});
export type ClipFit = z.infer<typeof clipFitSchema>;

/** Bridge calls for clips: files of VOD locations, their fit to a stream, and conversion jobs. */
export const CLIP_CALLS = {
  'clips.locations': {
    ...reads('view', 'server'),
    sameAs: ['vod_list'],
    input: z.object({}),
    output: z.object({
      locations: z.array(z.string()).describe('prefixes of the VOD locations with a local folder'),
      target: textOrNull('destination of finished clips; null if none is configured'),
    }),
  },
  'clips.files': {
    ...reads('view', 'server'),
    sameAs: ['vod_root_list', 'vod_folder_list', 'legacy_list_files'],
    input: z.object({
      location,
      folder: z.string().max(1000).describe('path of the folder; empty for the location itself'),
      after: z.string().max(300).describe('only names after this name; empty for all'),
    }),
    output: z.object({
      files: z.array(clipFileSchema).describe('by name, at most 200'),
      isMore: flag('whether there are more'),
    }),
  },
  'clips.compare': {
    ...reads('view', 'server'),
    input: z.object({
      path,
      name: streamNameSchema.optional().describe('stream; without it, nothing is compared'),
    }),
    output: clipFitSchema,
  },
  'clips.preview': {
    ...reads('view', 'server'),
    input: z.object({ path }),
    output: z.object({
      durationMs: integer('duration; 0 if the file does not contain it'),
      pictures: z
        .array(z.string())
        .describe('JPEG thumbnails at equal distances, in base64; empty for one that was not found in time'),
      peaks: z
        .array(z.number())
        .describe('peak of equal intervals, 0 to 1; -1 for intervals that were not measured; empty without sound'),
    }),
  },
  'clips.jobs': {
    ...reads('view', 'server'),
    sameAs: ['file_processor_job_list'],
    input: z.object({}),
    output: z.object({ jobs: z.array(clipJobObjectSchema).describe('newest first, at most 200') }),
  },
  'clips.conform': {
    ...writes('operate', 'server'),
    sameAs: ['file_processor_job_create'],
    input: z.object({
      path,
      name: streamNameSchema,
      startMs: timeMs.optional().describe('in point; default: start of the file'),
      stopMs: timeMs.optional().describe('out point; default: end of the file'),
      isLevelled: optionalFlag('whether the loudness is adjusted to that of the stream; default false'),
      leadInMs: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe('black lead-in before the first picture; default 0'),
      multipleMs: z
        .number()
        .int()
        .min(100)
        .max(60_000)
        .optional()
        .describe('pads the end with black to a multiple of this duration'),
    }),
    output: clipJobObjectSchema,
  },
  'clips.upload': {
    ...writes('operate', 'server'),
    sameAs: ['vod_file_put'],
    input: z.object({
      location,
      folder: z.string().max(1000).describe('path of the folder; empty for the location itself'),
      name: z.string().min(1).max(200).describe('name of the file'),
      sizeBytes: z.number().int().min(0).max(1e15).describe('size in bytes'),
      mayReplace: flag('whether a file of the same name is replaced'),
    }),
    output: z.object({ path: text('path for the upload by PUT: once, within 30 seconds') }),
  },
  'clips.backends': {
    ...reads('view', 'server'),
    sameAs: ['auth_backend_list'],
    input: z.object({}),
    output: z.object({
      backends: z
        .array(
          z.object({
            name: backendName,
            path: text('address for `on_play`'),
            text: text('the answer, as JSON'),
          }),
        )
        .describe('test backends: files with an answer, by name, at most 50'),
    }),
  },
  'clips.save_backend': {
    ...writes('edit', 'server'),
    sameAs: ['auth_backend_save'],
    input: z.object({ name: backendName, text: z.string().max(65_536).describe('the answer, as JSON') }),
    output: z.object({ path: text('address for `on_play`') }),
  },
  'clips.delete_backend': {
    ...writes('edit', 'server'),
    sameAs: ['auth_backend_delete'],
    input: z.object({ name: backendName }),
    output: z.object({}),
  },
  'clips.delete': {
    ...writes('operate', 'server'),
    sameAs: ['vod_file_delete'],
    input: z.object({ path }),
    output: z.object({}),
  },
  'clips.cancel': {
    ...writes('operate', 'server'),
    sameAs: ['file_processor_job_delete'],
    input: z.object({ id: z.string().min(1).max(200) }),
    output: z.object({}),
  },
} as const satisfies OperationTable;
