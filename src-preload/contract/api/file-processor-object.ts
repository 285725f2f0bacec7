import { z } from 'zod';
import { mediaInfoSchema } from './media-info.ts';
import { streamNameSchema } from './streams.ts';
import { integer, integerOrNull, number, text, timestampSchema } from './api-parts.ts';
import { explanationSchema } from '../explanations/explanation-schema.ts';

/** Maximum number of source files of a clip. */
const MAX_INPUTS = 16;
/** Maximum number of filters of a job. */
const MAX_FILTERS = 32;
/** Maximum duration of a clip in milliseconds: one hour. */
const MAX_MS = 3_600_000;
const MAX_PIXELS = 8192;

/** `GET` and `PUT /file_processor`. */
export const fileProcessorObjectSchema = z.object({
  path: text('VOD location of finished clips: its prefix or its folder'),
  jobs: z.number().int().min(1).max(8).optional().describe('number of clips converted at the same time; default 1'),
});

const time = z.number().int().min(0).max(MAX_MS);
const place = z.number().int().min(0).max(MAX_PIXELS);

/** Filter that a job applies to its source files. */
const clipFilterSchema = z.discriminatedUnion('group', [
  z.strictObject({
    group: z.literal('transcoder'),
    transcoder: mediaInfoSchema.partial().describe('`media_info` of the target stream, as `info.json` shows it'),
  }),
  z.strictObject({
    group: z.literal('crop'),
    crop: z
      .strictObject({
        start: time.describe('milliseconds from the start of the file'),
        stop: time.describe('milliseconds; exclusive'),
      })
      .describe('removed time range'),
  }),
  z.strictObject({
    group: z.literal('mute'),
    mute: z
      .strictObject({
        start: time.optional().describe('milliseconds from the start of the file; default 0'),
        stop: time.optional().describe('milliseconds; default: end of the file'),
      })
      .optional()
      .describe('muted time range; default: the whole file'),
  }),
  z.strictObject({
    group: z.literal('overlay'),
    overlay: z
      .strictObject({
        x1: place.describe('left edge, pixels of the file'),
        y1: place.describe('top edge'),
        x2: place.describe('right edge; exclusive'),
        y2: place.describe('bottom edge; exclusive'),
      })
      .describe('a black box over the picture'),
  }),
]);
export type ClipFilter = z.infer<typeof clipFilterSchema>;

const inputFiles = z.array(z.string().min(1).max(1000)).min(1).max(MAX_INPUTS);

const loudnessSchema = z
  .union([
    z.number().min(-40).max(-5).describe('LUFS (EBU R 128), such as -23'),
    z.strictObject({ stream: streamNameSchema.describe('same loudness as this stream over the last minute') }),
  ])
  .describe('target loudness of each file; it is measured first, and true peaks stay below -1 dB');

const slateSchema = z
  .strictObject({
    multiple: z
      .number()
      .int()
      .min(100)
      .max(60_000)
      .describe('milliseconds; the duration of the clip is padded to a multiple'),
    file: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('picture (PNG or JPEG) or video, named like `input_files`; default: black'),
  })
  .describe('silent filler after the last picture');

/** Body of `POST /file_processor/jobs`. */
export const clipJobBodySchema = z.strictObject({
  input_files: inputFiles.describe(
    'source files, joined in this order: prefix of a VOD location and the path in it, or a path in the location of the clips',
  ),
  output_file: z.string().min(1).max(150).describe('name of the clip, with the extension mp4 or none'),
  filters: z
    .array(clipFilterSchema)
    .min(1)
    .max(MAX_FILTERS)
    .describe('one `transcoder`; the others only with a single source file'),
  lead_in: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe('black and silent lead-in before the first picture, in milliseconds; default 0'),
  loudness: loudnessSchema.optional(),
  slate: slateSchema.optional(),
});
export type ClipJobBody = z.infer<typeof clipJobBodySchema>;

/** Requested clip, as stored with its job. */
export interface ClipRequest extends Readonly<Pick<ClipJobBody, 'loudness' | 'slate'>> {
  readonly inputFiles: readonly string[];
  readonly filters: readonly ClipFilter[];
  readonly leadInMs: number;
  /** Prefix of the VOD location, and the name of the file in it. */
  readonly location: string;
  readonly outputFile: string;
}

/** Job that converts a clip into the format of a stream. */
export const clipJobObjectSchema = z.object({
  id: text('unique'),
  input_files: inputFiles.describe('as requested'),
  output_file: text('name of the clip in its location, known from the start'),
  clip: text('the same with its location, as `ad_inject` names it'),
  filters: z.array(clipFilterSchema).describe('as requested'),
  lead_in: integer('milliseconds'),
  loudness: loudnessSchema.nullable().describe('as requested; null if the loudness is not changed'),
  slate: slateSchema.nullable().describe('as requested'),
  measured_loudness: z
    .object({
      target: number('target loudness in LUFS'),
      files: z.array(z.number().nullable()).describe('LUFS of each file; null if it is silent'),
    })
    .nullable()
    .describe('null without a measurement: not requested, not done yet, or the stream was silent'),
  status: z
    .enum(['new', 'running', 'done', 'error'])
    .describe('new: waits for other jobs; a running job is new again after a restart of the server'),
  progress: number('0 to 100'),
  size: integerOrNull('bytes; null before the end'),
  duration: integerOrNull('milliseconds; null before the end'),
  errors: z
    .array(
      z.object({
        error: text('error code'),
        detail: text('description of the error'),
        explanation: explanationSchema
          .nullable()
          .describe('code and facts of `detail`; null for messages of other programs'),
      }),
    )
    .describe('reason of the failure'),
  differences: z
    .array(
      z.object({
        field: text('track and property, such as `v1.width`'),
        clip: z.union([z.string(), z.number()]).nullable().describe('value of the clip'),
        stream: z.union([z.string(), z.number()]).nullable().describe('value of the stream'),
      }),
    )
    .describe('differences between the clip and the stream; with any, it is not inserted'),
  created_at: integer('epoch milliseconds'),
  created_by: text('login, or the origin of the request'),
  started_at: timestampSchema.describe('epoch milliseconds, of the last attempt'),
  finished_at: timestampSchema.describe('epoch milliseconds'),
});
export type ClipJobObject = z.infer<typeof clipJobObjectSchema>;

/** A finished clip. */
export interface ClipFile {
  readonly sizeBytes: number;
  readonly durationMs: number;
  /** Measured loudness of each source file, and the target, in LUFS; null for a silent file. */
  readonly loudness?: { readonly ofInputs: readonly (number | null)[]; readonly lufs: number } | undefined;
  /** Differences from the stream; the clip is inserted only if there are none. */
  readonly differences: readonly Readonly<ClipJobObject['differences'][number]>[];
}
