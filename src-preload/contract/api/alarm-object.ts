import { z } from 'zod';
import { LINES } from './plain-text.ts';
import { alarmFactsSchema, alarmFaultSchema } from './alarm-faults.ts';
import { flag, integer, integerOrNull, number, text, textOrNull } from './api-parts.ts';

/** Severities of alarms, worst first. */
export const ALARM_SEVERITIES = ['critical', 'major', 'info'] as const;
/** Severity of an alarm. */
export type AlarmSeverity = (typeof ALARM_SEVERITIES)[number];

/** Kinds of alarms of a stream. */
export const STREAM_ALARMS = [
  'no_input',
  'codec',
  'reserve',
  'push',
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
  id: text('unique; a new one each time that the alarm is raised'),
  name: textOrNull('the stream; null for an alarm of the server itself'),
  alarm: z.enum([...STREAM_ALARMS, ...SERVER_ALARMS]).describe('kind of the alarm'),
  severity: z.enum(ALARM_SEVERITIES).describe('severity'),
  detail: text('description, which may change: programs use `fault` and `facts`'),
  fault: alarmFaultSchema
    .nullable()
    .describe('code of the fault; null for alarms of the history from an older version'),
  facts: alarmFactsSchema.describe(
    'values in `detail` by name, such as `value`, `min` and `max`; they depend on the fault',
  ),
  raised_at: integer('start of the condition, epoch milliseconds'),
  cleared_at: integerOrNull('end of the condition, epoch milliseconds; null while the alarm is active'),
  acknowledged_at: integerOrNull('time of the acknowledgement, epoch milliseconds; null without one'),
  acknowledged_by: textOrNull('login of the operator, or the origin of the request'),
  note: textOrNull('note of the acknowledgement'),
  shelved_until: integerOrNull(
    'end of the shelving, epoch milliseconds; null if not shelved. A shelved alarm is neither counted nor sent as an event',
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

const jpeg = (description: string): z.ZodNullable<z.ZodString> =>
  textOrNull(`${description}: JPEG in base 64; null without a picture`);

/** Diagnostics that are stored with an alarm of a stream. */
export const alarmEvidenceSchema = z.object({
  id: text('id of the alarm'),
  name: text('the stream'),
  alarm: z.enum([...STREAM_ALARMS, ...SERVER_ALARMS]).describe('kind of the alarm'),
  raised_at: integer('start of the condition, epoch milliseconds'),
  before_jpeg: jpeg('a picture from before the condition began'),
  at_jpeg: jpeg('the picture when it was raised'),
  graph: z
    .object({
      from_at: number('time of the first value, epoch milliseconds'),
      step_ms: integer('distance of the values, in milliseconds'),
      values: z.array(z.number().nullable()).describe('values; null without a measurement'),
    })
    .nullable()
    .describe('measurements before and after the alarm was raised; null if the condition has no value'),
  is_locked: flag('whether its time range is locked in the archive'),
});
export type AlarmEvidenceObject = z.infer<typeof alarmEvidenceSchema>;

/** Body of an acknowledgement. */
export const alarmAcknowledgeSchema = z.strictObject({
  note: z
    .string()
    .max(1000)
    .refine(...LINES)
    .optional()
    .describe('cause or remedy'),
});

/** Duration for which alarms of one kind of one stream are shelved. */
export const alarmShelveSchema = z.strictObject({
  seconds: z.number().int().min(0).max(604_800).describe('duration from now, up to 7 days; 0 ends the shelving'),
});
