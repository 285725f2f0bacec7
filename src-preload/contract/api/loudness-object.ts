import { z } from 'zod';

const level = (description: string): z.ZodNullable<z.ZodNumber> => z.number().nullable().describe(description);

/** Loudness of a stream in one hour or one day (UTC). */
export const loudnessRowSchema = z.object({
  id: z.string().describe('unique'),
  name: z.string().describe('the stream'),
  span: z.enum(['hour', 'day']).describe('length of the period'),
  from_at: z.number().int().describe('start of the period, epoch milliseconds'),
  measured_ms: z.number().int().describe('measured part of the period, in milliseconds'),
  integrated: level('integrated loudness in LUFS (ITU-R BS.1770); null where nothing was louder than -70 LUFS'),
  range: level('loudness range in LU (EBU Tech 3342); null likewise'),
  max_momentary: level('largest momentary loudness in LUFS; null without a measurement'),
  max_short_term: level('largest short-term loudness in LUFS; null without a measurement'),
  true_peak: level('true peak in dBTP (ITU-R BS.1770); null without a measurement'),
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
  name: z.string().describe('the stream'),
  from_at: z.number().int().describe('time of the first value, epoch milliseconds'),
  step_ms: z.number().int().describe('distance of the values, in milliseconds'),
  momentary: values('momentary loudness in LUFS'),
  short_term: values('short-term loudness in LUFS'),
  true_peak: values('true peak in dBTP'),
});
export type LoudnessLogObject = z.infer<typeof loudnessLogSchema>;
