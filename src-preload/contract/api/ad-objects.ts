import { z } from 'zod';

/** Maximum number of clips in a list of an answer. */
const MAX_CLIPS = 100;

const clipName = z
  .string()
  .min(3)
  .max(1000)
  .refine((name) => !/^[a-z][a-z0-9+.-]*:/i.test(name), 'is an address: clips are files of VOD locations')
  .refine((name) => !name.startsWith('/'), 'is a path of the file system: clips are files of VOD locations')
  .refine((name) => name.includes('/'), 'names no VOD location: a clip is LOCATION/FILE');
const clipList = z.array(clipName).max(MAX_CLIPS);

/** `ad_inject`, as an authorization backend answers it. */
export const adInjectSchema = z.strictObject({
  v: z
    .union([z.literal(1), z.literal(2)])
    .default(2)
    .describe('1: segments of their own; 2: in segments like those of the stream; default 2'),
  preroll: z
    .union([clipList, clipName.transform((name) => [name])])
    .default([])
    .describe('clips before the stream, as LOCATION/FILE; one may stand without a list'),
  midroll: z
    .union([clipList, clipName.transform((name) => [name])])
    .default([])
    .describe('clips during the stream, in the order in which they play'),
  midroll_insert_by: z
    .enum(['interval', 'splicing'])
    .default('interval')
    .describe('what begins a break; default interval'),
  midroll_interval: z
    .number()
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .describe('time of the programme between two breaks, in seconds; without it there are none by interval'),
  midroll_overrun: z
    .enum(['cut', 'complete'])
    .optional()
    .describe('whether a clip is cut at the end of its break, or shown to its own; default: as the stream has it'),
  midroll_fill: z
    .union([z.enum(['repeat', 'programme']), clipName])
    .optional()
    .describe(
      'what follows the clips in a break that goes on: repeat, programme, or a slate as LOCATION/FILE; default: as the stream has it',
    ),
});

const differenceSchema = z.object({
  field: z.string().describe('track and property, such as `v1.width`'),
  clip: z.union([z.string(), z.number()]).nullable().describe('value of the clip; null where it has no such track'),
  stream: z.union([z.string(), z.number()]).nullable().describe('value of the stream'),
});

/** Reasons for which a clip or a break is left out. */
export const AD_SKIP_REASONS = [
  ...(['clip_not_found', 'clip_unusable', 'clip_differs', 'clip_not_ready'] as const),
  ...(['break_without_clips', 'viewer_absent'] as const),
] as const;

const skipReason = z.enum(AD_SKIP_REASONS).describe('why');
const placement = z.enum(['preroll', 'midroll']).describe('before the stream, or during it');

const breakSchema = z.object({
  break_id: z.string().describe('names the break; one by a splice point has the same name for all viewers'),
  placement,
  at: z.number().int().describe('start for this viewer, in epoch milliseconds'),
  clips: z
    .array(
      z.object({
        path: z.string().describe('the clip'),
        at: z.number().int().describe('start for this viewer, in epoch milliseconds'),
        clip_segments: z.number().int().describe('segments that the whole clip has, of a second each'),
        planned_segments: z
          .number()
          .int()
          .describe('those that the viewer is to be shown; grows while a break by splice points goes on'),
        planned_duration: z.number().describe('the same in seconds'),
        sent_segments: z.number().int().describe('those that went to the viewer to their end'),
      }),
    )
    .describe('clips of the plan, in their order'),
  skipped: z
    .array(
      z.object({
        path: z.string().nullable().describe('the clip; null for the whole break'),
        reason: skipReason,
        detail: z.string().describe('the reason in words'),
      }),
    )
    .describe('what was left out of it'),
});

/** `GET /streams/{name}/ads/explain`: the advertisements that a viewer gets, and why. */
export const adExplanationSchema = z.object({
  session_id: z.string().describe('the session'),
  answer: z.unknown().describe('`ad_inject` as the backend answered it; null where it said nothing'),
  faults: z.array(z.string()).describe('what is wrong with the answer; nothing is inserted then'),
  notes: z.array(z.string()).describe('what is done otherwise than the answer asks'),
  clips: z
    .array(
      z.object({
        path: z.string().describe('the clip, as LOCATION/FILE'),
        state: z
          .enum(['ready', 'clip_not_found', 'clip_unusable', 'clip_differs', 'clip_not_ready'])
          .describe('whether it can be inserted, or why not'),
        detail: z.string().describe('why it cannot be inserted; empty where it can'),
        duration: z.number().nullable().describe('length in seconds'),
        differences: z.array(differenceSchema).describe('in what it is not like the stream'),
      }),
    )
    .describe('clips of the answer, as they are now'),
  breaks: z
    .array(breakSchema)
    .describe(
      'breaks in the window of the viewer, oldest first: what was planned, what was sent and what was left out',
    ),
  shown: z
    .array(
      z.object({
        path: z.string().describe('the clip'),
        placement,
        at: z.number().int().describe('start for this viewer, in epoch milliseconds'),
        duration: z
          .number()
          .describe('how much of it is shown, in seconds; grows while a break by splice points goes on'),
        is_slate: z
          .boolean()
          .describe('whether it only fills what the clips of its break left, and counts as no advertisement'),
        is_sent: z.boolean().describe('whether a segment of it went to the viewer'),
      }),
    )
    .describe('clips in the window of the viewer, oldest first'),
  skipped: z
    .array(
      z.object({
        path: z.string().nullable().describe('the clip; null for a whole break'),
        placement,
        at: z.number().int().describe('when it would have been shown, in epoch milliseconds'),
        reason: skipReason,
        detail: z.string().describe('the reason in words'),
        differences: z.array(differenceSchema).describe('in what the clip is not like the stream'),
      }),
    )
    .describe('what was left out, oldest first'),
});
export type AdExplanation = z.infer<typeof adExplanationSchema>;

/** `POST /streams/{name}/ads/splice_insert`: sets a splice point by hand. */
export const spliceInsertSchema = z.strictObject({
  kind: z
    .enum(['out', 'in', 'cancel'])
    .default('out')
    .describe('out: a break starts; in: it ends; cancel: an event is taken back; default out'),
  at: z.number().int().optional().describe('when, in epoch milliseconds; default now, at most a day ahead'),
  duration: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe('length of the break in seconds; without it the break lasts until `in`'),
  auto_return: z
    .boolean()
    .optional()
    .describe('whether the break ends by itself after its length; default true where there is one'),
  event_id: z
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .optional()
    .describe('splice_event_id; made where it is not said; needed for `cancel`'),
});
/** Request body as clients write it: fields with a default may be absent. */
export type SpliceInsertBody = z.input<typeof spliceInsertSchema>;

/** Answer: the splice point that was set. */
export const spliceInsertedSchema = z.object({
  event_id: z.number().int().describe('splice_event_id'),
  kind: z.enum(['out', 'in', 'cancel']).describe('what was marked'),
  at: z.number().int().describe('when it takes effect, in epoch milliseconds'),
});
export type SpliceInserted = z.infer<typeof spliceInsertedSchema>;
