import { z } from 'zod';
import { flag, flagOrNull, integer, integerOrNull, text } from './api-parts.ts';

const segmentationSchema = z.object({
  event_id: integer('segmentation_event_id'),
  is_cancelled: flag('whether the event is cancelled; other fields are then meaningless'),
  type_id: integer('segmentation_type_id'),
  type: text('name of the type in the standard, such as `Provider Advertisement Start`'),
  duration: integerOrNull('segmentation_duration in milliseconds, null without one'),
  upid_type_id: integer('segmentation_upid_type'),
  upid_type: text('name of the UPID type in the standard, such as `Ad-ID`'),
  upid: text('segmentation_upid: text, or `0x` and hexadecimal digits; empty without one'),
  segment_number: integer('segment_num'),
  segments_expected: integer('segments_expected'),
});

/** A splice point (SCTE-35) of a stream. */
export const spliceObjectSchema = z.object({
  at: integer('effective time on the timeline of the stream, in epoch milliseconds; may be in the future'),
  kind: z
    .enum(['out', 'in', 'cancel', 'other'])
    .describe('out: a break starts; in: a break ends; cancel: an announced event is cancelled; other: any other kind'),
  command: z
    .enum(['splice_null', 'splice_insert', 'time_signal', 'other'])
    .describe('splice command of the section; encrypted ones are `other`'),
  event_id: integerOrNull('splice_event_id, or that of the first segmentation descriptor'),
  duration: integerOrNull('announced duration of the break, in milliseconds'),
  auto_return: flagOrNull('whether the break ends by itself, null if not specified'),
  pts: integerOrNull(
    'time of the section on the clock of the output, 90 kHz ticks in 33 bits; null for an immediate splice',
  ),
  segmentation: z.array(segmentationSchema).describe('its segmentation descriptors'),
  section: text('the splice information section in base 64, with its time on the clock of the output'),
});
export type SpliceObject = z.infer<typeof spliceObjectSchema>;

/** `GET /splices/{name}`. */
export const splicesSchema = z.object({
  splices: z
    .array(spliceObjectSchema)
    .describe('past splice points of the live window, and announced ones, oldest first'),
  estimated_count: integer('number of items'),
  next: z.null().describe('null: the list has one page'),
  prev: z.null().describe('null: the list has one page'),
});
