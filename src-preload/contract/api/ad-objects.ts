import { z } from 'zod';
import { explanationSchema } from '../explanations/explanation-schema.ts';
import { flag, integer, number, numberOrNull, optionalFlag, optionalInteger, text, textOrNull } from './api-parts.ts';

/** Maximum number of clips in a list of an answer. */
const MAX_CLIPS = 100;

const clipName = z
  .string()
  .min(3)
  .max(1000)
  .refine((name) => !/^[a-z][a-z0-9+.-]*:/i.test(name), { params: { explanation: 'clip_is_address' } })
  .refine((name) => !name.startsWith('/'), { params: { explanation: 'clip_is_path' } })
  .refine((name) => name.includes('/'), { params: { explanation: 'clip_without_location' } });
const clipList = z.array(clipName).max(MAX_CLIPS);

/** `ad_inject`, as an authorization backend answers it. */
export const adInjectSchema = z.strictObject({
  v: z.literal([1, 2]).default(2).describe('1: segments of its own; 2: segments like those of the stream; default 2'),
  preroll: z
    .union([clipList, clipName.transform((name) => [name])])
    .default([])
    .describe('clips before the stream, as LOCATION/FILE; a single clip needs no list'),
  midroll: z
    .union([clipList, clipName.transform((name) => [name])])
    .default([])
    .describe('clips during the stream, in playback order'),
  midroll_insert_by: z
    .enum(['interval', 'splicing'])
    .default('interval')
    .describe('trigger of breaks; default interval'),
  midroll_interval: z
    .number()
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .describe('programme time between two breaks, in seconds; without it there are no interval breaks'),
  midroll_overrun: z
    .enum(['cut', 'complete'])
    .optional()
    .describe('whether a clip is cut at the end of its break or plays to its end; default: setting of the stream'),
  midroll_fill: z
    .union([z.enum(['repeat', 'programme']), clipName])
    .optional()
    .describe(
      'content after the last clip of a longer break: repeat, programme, or a slate as LOCATION/FILE; default: setting of the stream',
    ),
});

const differenceSchema = z.object({
  field: text('track and property, such as `v1.width`'),
  clip: z.union([z.string(), z.number()]).nullable().describe('value of the clip; null if it has no such track'),
  stream: z.union([z.string(), z.number()]).nullable().describe('value of the stream'),
});

/** Reasons why a clip or a break is left out. */
export const AD_SKIP_REASONS = [
  ...(['clip_not_found', 'clip_unusable', 'clip_differs', 'clip_not_ready'] as const),
  ...(['break_without_clips', 'viewer_absent'] as const),
] as const;

const skipReason = z.enum(AD_SKIP_REASONS).describe('reason');
const placement = z.enum(['preroll', 'midroll']).describe('preroll or midroll');

const breakSchema = z.object({
  break_id: text('id of the break; a break of a splice point has the same id for all viewers'),
  placement,
  at: integer('start for this viewer, in epoch milliseconds'),
  clips: z
    .array(
      z.object({
        path: text('the clip'),
        at: integer('start for this viewer, in epoch milliseconds'),
        clip_segments: integer('number of one-second segments of the clip'),
        planned_segments: integer('number of segments planned for the viewer; grows during a break of splice points'),
        planned_duration: number('planned duration in seconds'),
        sent_segments: integer('number of segments sent completely'),
      }),
    )
    .describe('planned clips, in order'),
  skipped: z
    .array(
      z.object({
        path: textOrNull('the clip; null for the whole break'),
        reason: skipReason,
        detail: text('description of the reason'),
        explanation: explanationSchema
          .nullable()
          .describe('code and facts of `detail`; null for messages of other programs'),
      }),
    )
    .describe('skipped parts of the break'),
});

/** `GET /streams/{name}/ads/explain`: the advertisements that a viewer gets, and why. */
export const adExplanationSchema = z.object({
  session_id: text('the session'),
  answer: z.unknown().describe('`ad_inject` as the backend answered it; null without one'),
  faults: z.array(z.string()).describe('errors in the answer; with any, nothing is inserted'),
  notes: z.array(z.string()).describe('deviations from the answer, and why'),
  explanations: z.array(explanationSchema).describe('code and facts of each of `faults`, then of each of `notes`'),
  clips: z
    .array(
      z.object({
        path: text('the clip, as LOCATION/FILE'),
        state: z
          .enum(['ready', 'clip_not_found', 'clip_unusable', 'clip_differs', 'clip_not_ready'])
          .describe('whether the clip can be inserted, or the reason against it'),
        detail: text('reason why it cannot be inserted; empty if it can'),
        explanation: explanationSchema
          .nullable()
          .describe('code and facts of `detail`; null for messages of other programs'),
        duration: numberOrNull('length in seconds'),
        differences: z.array(differenceSchema).describe('differences from the stream'),
      }),
    )
    .describe('clips of the answer, with their present state'),
  breaks: z
    .array(breakSchema)
    .describe('breaks in the window of the viewer, oldest first: planned, sent and skipped clips'),
  shown: z
    .array(
      z.object({
        path: text('the clip'),
        placement,
        at: integer('start for this viewer, in epoch milliseconds'),
        duration: number('shown duration, in seconds; grows during a break of splice points'),
        is_slate: flag('whether it only fills the rest of a break, and does not count as an advertisement'),
        is_sent: flag('whether a segment of it was sent to the viewer'),
      }),
    )
    .describe('clips in the window of the viewer, oldest first'),
  skipped: z
    .array(
      z.object({
        path: textOrNull('the clip; null for a whole break'),
        placement,
        at: integer('scheduled time, in epoch milliseconds'),
        reason: skipReason,
        detail: text('description of the reason'),
        explanation: explanationSchema
          .nullable()
          .describe('code and facts of `detail`; null for messages of other programs'),
        differences: z.array(differenceSchema).describe('differences between the clip and the stream'),
      }),
    )
    .describe('skipped clips and breaks, oldest first'),
});
export type AdExplanation = z.infer<typeof adExplanationSchema>;

/** `POST /streams/{name}/ads/splice_insert`: sets a splice point by hand. */
export const spliceInsertSchema = z.strictObject({
  kind: z
    .enum(['out', 'in', 'cancel'])
    .default('out')
    .describe('out: a break starts; in: a break ends; cancel: cancels an event; default out'),
  at: optionalInteger('epoch milliseconds; default now, at most a day ahead'),
  duration: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe('length of the break in seconds; without it the break lasts until `in`'),
  auto_return: optionalFlag('whether the break ends by itself after its duration; default true with a duration'),
  event_id: z
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .optional()
    .describe('splice_event_id; generated if absent; required for `cancel`'),
});
/** Request body as clients write it: fields with a default may be absent. */
export type SpliceInsertBody = z.input<typeof spliceInsertSchema>;

/** Answer: the splice point that was set. */
export const spliceInsertedSchema = z.object({
  event_id: integer('splice_event_id'),
  kind: z.enum(['out', 'in', 'cancel']).describe('kind of the splice point'),
  at: integer('effective time, in epoch milliseconds'),
});
export type SpliceInserted = z.infer<typeof spliceInsertedSchema>;
