import { z } from 'zod';
import { integer, numberOrNull, text } from './api-parts.ts';

/** Loudness of a stream in one hour or one day (UTC). */
export const loudnessRowSchema = z.object({
  id: text('unique'),
  name: text('the stream'),
  span: z.enum(['hour', 'day']).describe('length of the period'),
  from_at: integer('start of the period, epoch milliseconds'),
  measured_ms: integer('measured part of the period, in milliseconds'),
  integrated: numberOrNull('integrated loudness in LUFS (ITU-R BS.1770); null where nothing was louder than -70 LUFS'),
  range: numberOrNull('loudness range in LU (EBU Tech 3342); null likewise'),
  max_momentary: numberOrNull('largest momentary loudness in LUFS; null without a measurement'),
  max_short_term: numberOrNull('largest short-term loudness in LUFS; null without a measurement'),
  true_peak: numberOrNull('true peak in dBTP (ITU-R BS.1770); null without a measurement'),
});
export type LoudnessRow = z.infer<typeof loudnessRowSchema>;
/** Name of a field of loudness. */
export type LoudnessField = keyof LoudnessRow;
/** Fields of loudness. */
export const LOUDNESS_FIELDS = Object.keys(loudnessRowSchema.shape) as readonly LoudnessField[];

const values = (description: string): z.ZodArray<z.ZodNullable<z.ZodNumber>> =>
  z.array(z.number().nullable()).describe(`${description}; null without a measurement`);

/** Momentary loudness of a time range, one value per 100 ms. */
export const loudnessLogSchema = z.object({
  name: text('the stream'),
  from_at: integer('time of the first value, epoch milliseconds'),
  step_ms: integer('distance of the values, in milliseconds'),
  momentary: values('momentary loudness in LUFS'),
  short_term: values('short-term loudness in LUFS'),
  true_peak: values('true peak in dBTP'),
});
export type LoudnessLogObject = z.infer<typeof loudnessLogSchema>;
