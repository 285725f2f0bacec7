import { z } from 'zod';
import { alarmFactsSchema, alarmFaultSchema } from './alarm-words.ts';

/** Severities of alarms, worst first. */
export const ALARM_SEVERITIES = ['critical', 'major', 'info'] as const;
/** Severity of an alarm. */
export type AlarmSeverity = (typeof ALARM_SEVERITIES)[number];

/** Kinds of alarms of a stream. */
export const STREAM_ALARMS = [
  'no_input',
  'bitrate',
  'frame_rate',
  'format_change',
  'stream_errors',
  'continuity',
  'pcr',
  'recording_stopped',
  'missing_scte35',
  'black',
  'frozen',
  'silence',
  'silence_frozen',
  'level',
  'loudness_momentary',
  'loudness_short_term',
  'loudness_integrated',
  'loudness_range',
  'true_peak',
  'latency',
] as const;
/** A kind of alarm of a stream. */
export type StreamAlarm = (typeof STREAM_ALARMS)[number];

/** Kinds of alarms of the server itself. */
const SERVER_ALARMS = [
  'certificate',
  'archive',
  'disk',
  'disk_nearly_full',
  'backend',
  'event_sink',
  'server',
] as const;

/** A condition that is raised, acknowledged and cleared. */
export const alarmObjectSchema = z.object({
  id: z.string().describe('unique; another one each time that it is raised'),
  name: z.string().nullable().describe('the stream; null for an alarm of the server itself'),
  alarm: z.enum([...STREAM_ALARMS, ...SERVER_ALARMS]).describe('its kind'),
  severity: z.enum(ALARM_SEVERITIES).describe('how bad it is'),
  detail: z.string().describe('what is wrong, in words, which may change: programs go by `fault` and `facts`'),
  fault: alarmFaultSchema
    .nullable()
    .describe('what is wrong; null for alarms of the history that an older version wrote'),
  facts: alarmFactsSchema.describe(
    'the values in `detail` by their names, such as `value`, `min` and `max`; each fault has its own',
  ),
  raised_at: z.number().int().describe('when it was raised, epoch milliseconds'),
  cleared_at: z
    .number()
    .int()
    .nullable()
    .describe('when the condition had ended, epoch milliseconds; null while it lasts'),
  acknowledged_at: z.number().int().nullable().describe('when it was acknowledged, epoch milliseconds; null before'),
  acknowledged_by: z.string().nullable().describe('login of who acknowledged it, or what is known instead'),
  note: z.string().nullable().describe('what they wrote'),
  shelved_until: z
    .number()
    .int()
    .nullable()
    .describe(
      'until when the alarm is silent: neither counted nor sent as an event, epoch milliseconds; null where it is not',
    ),
});
export type AlarmObject = z.infer<typeof alarmObjectSchema>;
/** Name of a field of an alarm. */
export type AlarmField = keyof AlarmObject;
/** Fields of an alarm. */
export const ALARM_FIELDS = Object.keys(alarmObjectSchema.shape) as readonly AlarmField[];

/** Texts of an alarm that a search reads. */
export function alarmTexts({
  name,
  alarm,
  detail,
  note,
  acknowledged_by: by,
}: AlarmObject): readonly (string | null)[] {
  return [name, alarm, detail, note, by];
}

const jpeg = (words: string): z.ZodNullable<z.ZodString> =>
  z.string().nullable().describe(`${words}: JPEG in base 64; null where there is none`);

/** Diagnostics that are stored with an alarm of a stream. */
export const alarmEvidenceSchema = z.object({
  id: z.string().describe('that of the alarm'),
  name: z.string().describe('the stream'),
  alarm: z.enum([...STREAM_ALARMS, ...SERVER_ALARMS]).describe('its kind'),
  raised_at: z.number().int().describe('when it was raised, epoch milliseconds'),
  before_jpeg: jpeg('a picture from before the condition began'),
  at_jpeg: jpeg('the picture when it was raised'),
  graph: z
    .object({
      from_at: z.number().describe('when the first value was measured, epoch milliseconds'),
      step_ms: z.number().int().describe('how far they are apart, in milliseconds'),
      values: z.array(z.number().nullable()).describe('the values; null where none was known'),
    })
    .nullable()
    .describe('what was measured before and after it was raised; null where the condition has no value'),
  is_locked: z.boolean().describe('whether its time is locked in the archive'),
});
export type AlarmEvidenceObject = z.infer<typeof alarmEvidenceSchema>;

/** Body of an acknowledgement. */
export const alarmAcknowledgeSchema = z.strictObject({
  note: z.string().max(1000).optional().describe('what was found or done'),
});

/** Duration for which alarms of one kind of one stream are shelved. */
export const alarmShelveSchema = z.strictObject({
  seconds: z.number().int().min(0).max(604_800).describe('from now on, up to 7 days; 0 ends it'),
});
