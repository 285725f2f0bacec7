import { z } from 'zod';
import { mediaInfoSchema } from '../media-info.ts';
import { streamNameSchema } from '../streams.ts';
import { timestampSchema } from './api-parts.ts';

/** Maximum number of source files of a clip. */
const MAX_INPUTS = 16;
/** Maximum number of filters of a job. */
const MAX_FILTERS = 32;
/** Maximum duration of a clip in milliseconds: one hour. */
const MAX_MS = 3_600_000;
const MAX_PIXELS = 8192;

/** `GET` and `PUT /file_processor`. */
export const fileProcessorObjectSchema = z.object({
  path: z.string().describe('the VOD location in which clips are stored: its prefix, or the folder that it has'),
  jobs: z.number().int().min(1).max(8).optional().describe('clips that are made at once; 1 without it'),
});

const time = z.number().int().min(0).max(MAX_MS);
const place = z.number().int().min(0).max(MAX_PIXELS);

/** Filter that a job applies to its source files. */
const clipFilterSchema = z.discriminatedUnion('group', [
  z.strictObject({
    group: z.literal('transcoder'),
    transcoder: mediaInfoSchema
      .partial()
      .describe('`media_info` of the stream that the clip is for, as `info.json` shows it'),
  }),
  z.strictObject({
    group: z.literal('crop'),
    crop: z
      .strictObject({
        start: time.describe('milliseconds from the start of the file'),
        stop: time.describe('milliseconds; not part of it'),
      })
      .describe('a time that is cut away'),
  }),
  z.strictObject({
    group: z.literal('mute'),
    mute: z
      .strictObject({
        start: time.optional().describe('milliseconds from the start of the file; 0 without it'),
        stop: time.optional().describe('milliseconds; the end of the file without it'),
      })
      .optional()
      .describe('a time without sound; all of it without this'),
  }),
  z.strictObject({
    group: z.literal('overlay'),
    overlay: z
      .strictObject({
        x1: place.describe('left edge, pixels of the file'),
        y1: place.describe('upper edge'),
        x2: place.describe('right edge; not part of it'),
        y2: place.describe('lower edge; not part of it'),
      })
      .describe('a black box over the picture'),
  }),
]);
export type ClipFilter = z.infer<typeof clipFilterSchema>;

const inputFiles = z.array(z.string().min(1).max(1000)).min(1).max(MAX_INPUTS);

const loudnessSchema = z
  .union([
    z.number().min(-40).max(-5).describe('LUFS (EBU R 128), such as -23'),
    z.strictObject({ stream: streamNameSchema.describe('as loud as this stream was over the last minute') }),
  ])
  .describe('how loud each file becomes; it is measured first, and true peaks stay below -1 dB');

const slateSchema = z
  .strictObject({
    multiple: z
      .number()
      .int()
      .min(100)
      .max(60_000)
      .describe('milliseconds; the clip lasts a whole number of times as long'),
    file: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('a picture (PNG or JPEG) or a film, named as `input_files` are; black without it'),
  })
  .describe('silent filler behind the last picture');

/** Body of `POST /file_processor/jobs`. */
export const clipJobBodySchema = z.strictObject({
  input_files: inputFiles.describe(
    'files that are played one after the other: prefix of a VOD location and the path in it, or a path in the location of the clips',
  ),
  output_file: z.string().min(1).max(150).describe('name of the clip; its ending is mp4 or none'),
  filters: z
    .array(clipFilterSchema)
    .min(1)
    .max(MAX_FILTERS)
    .describe('one `transcoder`; the others only where there is one file'),
  lead_in: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe('black and silent milliseconds before the first picture; 0 without it'),
  loudness: loudnessSchema.optional(),
  slate: slateSchema.optional(),
});
export type ClipJobBody = z.infer<typeof clipJobBodySchema>;

/** Job that converts a clip into the format of a stream. */
export const clipJobObjectSchema = z.object({
  id: z.string().describe('unique'),
  input_files: inputFiles.describe('as they were asked for'),
  output_file: z.string().describe('name of the clip in its location, known from the start'),
  clip: z.string().describe('the same with the location before it, as `ad_inject` names it'),
  filters: z.array(clipFilterSchema).describe('as they were asked for'),
  lead_in: z.number().int().describe('milliseconds'),
  loudness: loudnessSchema.nullable().describe('as it was asked for; null where files stay as loud as they are'),
  slate: slateSchema.nullable().describe('as it was asked for'),
  measured_loudness: z
    .object({
      target: z.number().describe('LUFS that the clip was brought to'),
      files: z.array(z.number().nullable()).describe('LUFS of each file; null where it is silent'),
    })
    .nullable()
    .describe('null where nothing was measured: not asked for, not done yet, or the stream was silent'),
  status: z
    .enum(['new', 'running', 'done', 'error'])
    .describe('new: others come first; after a restart of the server a job that ran is new again'),
  progress: z.number().describe('0 to 100'),
  size: z.number().int().nullable().describe('bytes; null until it is done'),
  duration: z.number().int().nullable().describe('milliseconds; null until it is done'),
  errors: z
    .array(z.object({ error: z.string().describe('code'), detail: z.string().describe('the same in words') }))
    .describe('what made it fail'),
  differences: z
    .array(
      z.object({
        field: z.string().describe('track and property, such as `v1.width`'),
        clip: z.union([z.string(), z.number()]).nullable().describe('value of the clip'),
        stream: z.union([z.string(), z.number()]).nullable().describe('value of the stream'),
      }),
    )
    .describe('in what the finished clip is not like the stream: with any it is not inserted'),
  created_at: z.number().int().describe('epoch milliseconds'),
  created_by: z.string().describe('login, or what is known instead'),
  started_at: timestampSchema.describe('epoch milliseconds, of the last attempt'),
  finished_at: timestampSchema.describe('epoch milliseconds'),
});
export type ClipJobObject = z.infer<typeof clipJobObjectSchema>;
