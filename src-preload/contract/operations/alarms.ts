import { z } from 'zod';
import {
  ALARM_SEVERITIES,
  alarmAcknowledgeSchema,
  alarmEvidenceSchema,
  alarmObjectSchema,
  alarmShelveSchema,
} from '../api/alarm-object.ts';
import { loudnessRowSchema } from '../api/loudness-object.ts';
import { streamNameSchema } from '../api/streams.ts';
import { reads, streamInPath, writes, type OperationTable } from './operation.ts';
import { optionalInteger } from '../api/api-parts.ts';

const nothing = z.object({});
const id = z.string().min(1).max(200).describe('id of the alarm');
const CHANGED = { answer: 'The changed alarm', answerSchema: 'alarm', errors: [404, 503] } as const;

/** Operations about alarms. */
export const ALARM_OPERATIONS = {
  'alarms.list': {
    ...reads('view', 'visible'),
    sameAs: ['alarm_list'],
    input: nothing,
    output: z.object({
      alarms: z.array(alarmObjectSchema).describe('active alarms, and cleared ones that were not acknowledged'),
    }),
  },
  'alarms.history': {
    ...reads('view', 'visible'),
    sameAs: ['alarm_history_list'],
    input: z.object({
      limit: z.number().int().min(1).max(500),
      before: z
        .object({ raised_at: z.number().int(), id: z.string().max(200) })
        .optional()
        .describe('only alarms raised before this alarm'),
      from: optionalInteger('only raised at or after this time, epoch milliseconds'),
      to: optionalInteger('only raised before this time, epoch milliseconds'),
      name: z.string().max(200).optional().describe('only of this stream'),
      alarm: z.string().max(100).optional().describe('only of this kind'),
      severity: z.enum(ALARM_SEVERITIES).optional().describe('only of this severity'),
      text: z
        .string()
        .max(200)
        .optional()
        .describe('only with this text in stream, kind, description, note or operator'),
    }),
    output: z.object({ alarms: z.array(alarmObjectSchema).describe('newest first') }),
  },
  'alarms.evidence': {
    ...reads('view', 'stream'),
    input: z.object({ name: streamInPath, id }),
    output: alarmEvidenceSchema,
    http: {
      id: 'alarm_evidence_get',
      at: 'GET /streams/{name}/alarms/{id}/evidence',
      summary: 'Evidence of a stream’s alarm',
      description:
        'A picture from before the start of the condition, a picture at the time of the alarm, and the measured values around it. Kept for 90 days, and for the newest 2000 alarms.',
      answer: 'The evidence',
      answerSchema: 'alarm_evidence',
      errors: [403, 404, 503],
    },
  },
  'alarms.loudness': {
    ...reads('view', 'stream'),
    sameAs: ['stream_loudness_report'],
    input: z.object({ name: streamNameSchema }),
    output: z.object({
      days: z.array(loudnessRowSchema).max(100).describe('days (UTC) with measured audio, newest first'),
    }),
  },
  'alarms.acknowledge': {
    ...writes('operate', 'visible'),
    input: alarmAcknowledgeSchema.extend({ id }),
    output: alarmObjectSchema,
    http: {
      id: 'alarm_acknowledge',
      at: 'POST /alarms/{id}/acknowledge',
      summary: 'Acknowledges an alarm',
      description: 'A cleared alarm leaves the list. An active alarm stays in the list as acknowledged.',
      ...CHANGED,
    },
  },
  'alarms.shelve': {
    ...writes('operate', 'visible'),
    input: alarmShelveSchema.extend({ id }),
    output: alarmObjectSchema,
    http: {
      id: 'alarm_shelve',
      at: 'POST /alarms/{id}/shelve',
      summary: 'Shelves alarms of this kind for their stream',
      description:
        'Until then they are listed with `shelved_until`, and no events are sent. An alarm that is still active at the end emits its event then.',
      ...CHANGED,
    },
  },
} as const satisfies OperationTable;
