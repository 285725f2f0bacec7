import {
  ALARM_FIELDS,
  alarmAcknowledgeSchema,
  alarmObjectSchema,
  alarmShelveSchema,
  type AlarmObject,
} from '../../../../src-preload/contract/api/alarm-object.ts';
import type { Endpoint, BodySchema } from '../../endpoints/endpoint.ts';
import { jsonSchemaOf } from '../../endpoints/json-schema.ts';
import { schemaRef } from '../../endpoints/open-api.ts';
import { bodyOf } from '../../legacy/checked.ts';
import { envelopeSchema } from '../collection-schemas.ts';
import { LogList } from '../log-list.ts';
import { timeSortedParameters } from '../list-parameters.ts';
import { requireAlarms, type ShownAlarms } from './alarm-collection.ts';

const SCHEMA = jsonSchemaOf(alarmObjectSchema);
const HISTORY = new LogList<AlarmObject>('alarm_history', 'raised_at', ALARM_FIELDS, SCHEMA);
const ACTION = { tag: 'alarms', method: 'POST', access: 'operate', isScoped: true, errors: [404, 503] } as const;
const ALARM = { description: 'The alarm as it is then', schema: schemaRef('alarm') };

/** Schemas that these endpoints refer to. */
export const ALARM_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  alarm_history: envelopeSchema('alarm_history', schemaRef('alarm_part')),
};

/** The history of alarms, and what operators do with those of this moment. */
export function alarmEndpoints(context: { readonly alarms?: ShownAlarms | undefined }): readonly Endpoint[] {
  return [
    {
      ...{
        id: 'alarm_history_list',
        tag: 'alarms',
        method: 'GET',
        path: '/alarm_history',
        access: 'view',
        errors: [503],
      },
      summary: 'Lists which alarms were raised, and what became of them',
      description:
        'A row for each time that an alarm was raised, for 90 days, of the newest 50 000. Filters are those of all lists; the order is by `raised_at`, upward or downward.',
      parameters: timeSortedParameters(SCHEMA, 'raised_at'),
      replies: { 200: { description: 'A portion, in its envelope', schema: schemaRef('alarm_history') } },
      handle: async ({ url }) => {
        const { history } = requireAlarms(context);
        const log = {
          rows: async (query: Parameters<typeof history.rows>[0]) => Promise.resolve(history.rows(query)),
          count: async (conditions: Parameters<typeof history.count>[0]) => Promise.resolve(history.count(conditions)),
        };
        return { status: 200, body: await HISTORY.portion(log, url) };
      },
    },
    {
      ...{ ...ACTION, id: 'alarm_acknowledge', path: '/alarms/{id}/acknowledge' },
      summary: 'Acknowledges an alarm',
      description: 'One that has cleared leaves the list; one that lasts stays there, acknowledged.',
      body: { schema: alarmAcknowledgeSchema },
      replies: { 200: ALARM },
      handle: ({ params: { id = '' }, body, caller }) => {
        const { note = '' } = bodyOf(alarmAcknowledgeSchema, body);
        return { status: 200, body: requireAlarms(context).acknowledge(id, note, caller) };
      },
    },
    {
      ...{ ...ACTION, id: 'alarm_shelve', path: '/alarms/{id}/shelve' },
      summary: 'Makes alarms of this kind silent for their stream',
      description:
        'Until then they are listed with `shelved_until` and no events are sent. One that still lasts at the end is raised as an event then. A restart of the server ends it.',
      body: { schema: alarmShelveSchema },
      replies: { 200: ALARM },
      handle: ({ params: { id = '' }, body, caller }) => {
        const { seconds } = bodyOf(alarmShelveSchema, body);
        return { status: 200, body: requireAlarms(context).shelve(id, seconds, caller) };
      },
    },
  ];
}
