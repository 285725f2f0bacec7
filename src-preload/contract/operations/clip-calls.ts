import { z } from 'zod';
import { streamNameSchema } from '../api/streams.ts';
import { clipJobBodySchema, clipJobObjectSchema } from '../api/file-processor-object.ts';
import { mediaInfoSchema } from '../api/media-info.ts';
import { explanationSchema } from '../explanations/explanation-schema.ts';
import { reads, writes, type OperationTable } from './operation.ts';
import { flag, integer, integerOrNull, optionalFlag, text, textOrNull } from '../api/api-parts.ts';

/** Maximum number of files in one page of a folder. */
export const CLIP_FILES_MAX = 200;
/** Maximum number of jobs in one answer. */
export const CLIP_JOBS_MAX = 200;

const JOBS = '/file_processor/jobs';
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
  sizeBytes: integer('length; 0 for a folder'),
  modifiedAt: integerOrNull('last change in epoch milliseconds; null for a folder'),
});
export type ClipFileRow = z.infer<typeof clipFileSchema>;

/** Information about a file, and its comparison with the format of a stream. */
const clipFitSchema = z.object({
  detail: text('reason why it cannot be played; empty if it can'),
  explanation: explanationSchema.nullable().describe('code and facts of `detail`'),
  differences: clipJobObjectSchema.shape.differences,
  media_info: mediaInfoSchema.nullable().describe('length and tracks; null for a file that cannot be played'),
});
export type ClipFit = z.infer<typeof clipFitSchema>;

/**
 * Operations about clip jobs over HTTP. The desk cancels jobs with the same operation, but creates them with a call of its own.
 */
export const CLIP_OPERATIONS = {
  'clips.cancel': {
    ...writes('operate', 'server'),
    input: z.object({ id: z.string().min(1).max(200).describe('id of the job') }),
    output: z.object({}),
    http: {
      id: 'file_processor_job_delete',
      at: `DELETE ${JOBS}/{id}`,
      summary: 'Removes a job, and cancels it if it is not finished',
      description: 'A complete clip stays.',
      answer: 'The job is removed',
    },
  },
  'clips.create': {
    ...writes('operate', 'server'),
    input: clipJobBodySchema,
    output: clipJobObjectSchema,
    http: {
      id: 'file_processor_job_create',
      at: `POST ${JOBS}`,
      summary: 'Converts files to the format of a stream, as a clip for insertion',
      description:
        'The job waits in a queue; DELETE cancels it. The answer contains the name of the clip. The file ends with `.tmp` until it is complete. A repeated request with the same Idempotency-Key is executed once.',
      status: 201,
      answer: 'The new job',
      answerSchema: 'file_processor_job',
      location: `${JOBS}/{id}`,
      errors: [403, 404, 409, 415, 507],
      isIdempotent: true,
      example: {
        input_files: ['raw/summer.mov'],
        output_file: 'summer.mp4',
        filters: [
          {
            group: 'transcoder',
            transcoder: {
              tracks: [
                {
                  content: 'video',
                  codec: 'h264',
                  track_id: 'v1',
                  bitrate: 3000,
                  width: 1280,
                  height: 720,
                  fps: 25,
                  sar_width: 1,
                  sar_height: 1,
                  profile: 'High',
                  level: '3.1',
                },
                { content: 'audio', codec: 'aac', track_id: 'a1', sample_rate: 48_000, channels: 2 },
              ],
            },
          },
        ],
      },
    },
  },
} as const satisfies OperationTable;

/** Operations about stored files over HTTP, with addresses that contain the index of a storage. */
export const VOD_FILE_OPERATIONS = {
  'clips.delete_stored': {
    ...writes('operate', 'server'),
    input: z.object({
      prefix: z.string().describe('prefix of the VOD location, percent-encoded'),
      index: z.string().meta({ type: 'integer', minimum: 0, description: 'index of the storage, from 0' }),
      subpath: z.string().describe('path of the file below the storage'),
    }),
    output: z.object({}),
    http: {
      id: 'vod_file_delete',
      at: 'DELETE /vods/{prefix}/storages/{index}/files/{+subpath}',
      summary: 'Removes a file from a storage of a VOD location',
      description: 'Folders are not removed, nor the unfinished file of a running job.',
      answer: 'The file is removed',
      errors: [404, 409],
    },
  },
} as const satisfies OperationTable;

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
  'clips.cancel': CLIP_OPERATIONS['clips.cancel'],
} as const satisfies OperationTable;
