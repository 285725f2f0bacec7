import { rowsInScope } from '../../operators/require.ts';
import {
  ALARM_FIELDS,
  alarmEvidenceSchema,
  alarmObjectSchema,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import { alarmReads, requireAlarms } from '../../control/alarms/alarm-operations.ts';
import { ALARM_READS } from '../../../src-preload/contract/operations/alarms.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { envelopeSchema } from './generic/collection-schemas.ts';
import { LogList, type ShownLog } from './generic/log-list.ts';
import type { ShownAlarms } from './alarm-collection.ts';
import { exportAnswer, exportReply } from '../endpoints/text-export.ts';

const HISTORY = new LogList<AlarmObject>('alarm_history', 'raised_at', ALARM_FIELDS, alarmObjectSchema, {
  isSearched: true,
});

export const ALARM_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  alarm_evidence: alarmEvidenceSchema,
  alarm_history: envelopeSchema('alarm_history', schemaRef('alarm_part')),
};

/** History of alarms, and their evidence. */
export function alarmEndpoints(context: { readonly alarms?: ShownAlarms | undefined }): readonly Endpoint[] {
  return [
    {
      id: 'alarm_history_list',
      tag: 'alarms',
      method: 'GET',
      path: '/alarm_history',
      access: 'view',
      isScoped: true,
      errors: [503],
      readsQuery: true,
      summary: 'Lists the history of alarms',
      description:
        'One row for each raised alarm, for 90 days and at most 50 000 rows. Filters are those of all lists; the order is by `raised_at`, upward or downward.',
      get parameters() {
        return HISTORY.parameters;
      },
      replies: { 200: { description: 'A page, in its envelope', schema: schemaRef('alarm_history') } },
      handle: async ({ url, caller }) => {
        const { history } = requireAlarms(context);
        const log: ShownLog<AlarmObject> = {
          rows: (query, text) => (text ? history.find(query, text) : Promise.resolve(history.rows(query))),
          count: (filters, text) =>
            text ? history.countFound(filters, text) : Promise.resolve(history.count(filters)),
        };
        return { status: 200, body: await HISTORY.page(log, url, rowsInScope(caller, 'name')) };
      },
    },
    {
      id: 'alarm_history_export',
      tag: 'alarms',
      method: 'GET',
      path: '/alarm_history/export',
      access: 'view',
      isScoped: true,
      errors: [503],
      readsQuery: true,
      summary: 'The history of alarms as a file',
      description: 'Oldest first, with the filters of the list.',
      get parameters() {
        return HISTORY.exportParameters;
      },
      replies: { 200: exportReply('The rows') },
      handle: (request) => {
        const { format, conditions, search } = HISTORY.exportQuery(request, rowsInScope(request.caller, 'name'));
        const lines = requireAlarms(context).export(format, conditions, search, request.caller);
        return exportAnswer(format, lines, `alarms.${format}`);
      },
    },
    ...endpointsOf(ALARM_READS, alarmReads(context), { tag: 'alarms' }),
  ];
}
