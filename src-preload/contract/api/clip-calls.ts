import { z } from 'zod';
import { streamNameSchema } from '../streams.ts';
import { clipJobObjectSchema } from './file-processor-object.ts';

/** Maximum number of files in one page of a folder. */
export const CLIP_FILES_MAX = 200;
/** Maximum number of jobs in one answer. */
export const CLIP_JOBS_MAX = 200;

const location = z.string().min(1).max(200).describe('prefix of a VOD location');
const path = z.string().min(1).max(1000).describe('prefix of a VOD location and the path in it');
const backendName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,60}$/)
  .describe('name of a test backend: letters, digits, _ and -');
const timeMs = z.number().int().min(0).max(3_600_000);

/** A file or folder of a VOD location, as the desk lists it. */
const clipFileSchema = z.object({
  name: z.string().describe('without its folders'),
  path: z.string().describe('prefix of the location and the path in it, as `ad_inject` names it'),
  isFolder: z.boolean().describe('whether it is a folder'),
  sizeBytes: z.number().int().describe('length; 0 of a folder'),
});
export type ClipFileRow = z.infer<typeof clipFileSchema>;

/** Comparison of a file with the format of a stream. */
const clipFitSchema = z.object({
  detail: z.string().describe('why it cannot be played; empty where it can'),
  differences: clipJobObjectSchema.shape.differences,
});
export type ClipFit = z.infer<typeof clipFitSchema>;

/** Bridge calls for clips: files of VOD locations, their fit to a stream, and conversion jobs. */
export const CLIP_CALLS = {
  'clips.locations': {
    input: z.object({}),
    output: z.object({
      locations: z.array(z.string()).describe('prefixes of the VOD locations that have a folder of the machine'),
      target: z.string().nullable().describe('where finished clips are stored; null where nothing says it'),
    }),
    isWrite: false,
  },
  'clips.files': {
    input: z.object({
      location,
      folder: z.string().max(1000).describe('path of the folder; empty for the location itself'),
      after: z.string().max(300).describe('the list begins behind this name; empty for all'),
    }),
    output: z.object({
      files: z.array(clipFileSchema).describe('by name, at most 200'),
      isMore: z.boolean().describe('whether others follow'),
    }),
    isWrite: false,
  },
  'clips.compare': { input: z.object({ path, name: streamNameSchema }), output: clipFitSchema, isWrite: false },
  'clips.preview': {
    input: z.object({ path }),
    output: z.object({
      durationMs: z.number().int().describe('length; 0 where the file does not say'),
      pictures: z.array(z.string()).describe('small JPEG pictures at even distances, in base 64'),
      peaks: z
        .array(z.number())
        .describe(
          'loudest sample of as many equal times, 0 to 1; -1 for what there was no time for; empty without sound',
        ),
    }),
    isWrite: false,
  },
  'clips.jobs': {
    input: z.object({}),
    output: z.object({ jobs: z.array(clipJobObjectSchema).describe('newest first, at most 200') }),
    isWrite: false,
  },
  'clips.conform': {
    input: z.object({
      path,
      name: streamNameSchema,
      startMs: timeMs.optional().describe('in point; the start of the file without it'),
      stopMs: timeMs.optional().describe('out point; the end of the file without it'),
      isLevelled: z.boolean().optional().describe('whether it becomes as loud as the stream; false without it'),
      leadInMs: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe('black time before the first picture; 0 without it'),
      multipleMs: z
        .number()
        .int()
        .min(100)
        .max(60_000)
        .optional()
        .describe('black behind the last picture makes the clip a whole number of times as long'),
    }),
    output: clipJobObjectSchema,
    isWrite: true,
  },
  'clips.upload': {
    input: z.object({
      location,
      folder: z.string().max(1000).describe('path of the folder; empty for the location itself'),
      name: z.string().min(1).max(200).describe('name of the file'),
      sizeBytes: z.number().int().min(0).max(1e15).describe('its length'),
      mayReplace: z.boolean().describe('whether a file of the same name gives way'),
    }),
    output: z.object({ path: z.string().describe('where the bytes are sent by PUT, once, within 30 seconds') }),
    isWrite: true,
  },
  'clips.backends': {
    input: z.object({}),
    output: z.object({
      backends: z
        .array(
          z.object({
            name: backendName,
            path: z.string().describe('where `on_play` finds it'),
            text: z.string().describe('the answer, as JSON'),
          }),
        )
        .describe('files that stand for backends, by name, at most 50'),
    }),
    isWrite: false,
  },
  'clips.save_backend': {
    input: z.object({ name: backendName, text: z.string().max(65_536).describe('the answer, as JSON') }),
    output: z.object({ path: z.string().describe('where `on_play` finds it') }),
    isWrite: true,
  },
  'clips.delete_backend': { input: z.object({ name: backendName }), output: z.object({}), isWrite: true },
  'clips.delete': { input: z.object({ path }), output: z.object({}), isWrite: true },
  'clips.cancel': { input: z.object({ id: z.string().min(1).max(200) }), output: z.object({}), isWrite: true },
} as const;
