import {
  ALARM_FIELDS,
  alarmEvidenceSchema,
  alarmObjectSchema,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import { requireAlarms } from '../../control/alarms/alarm-operations.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import {
  PiecesBody,
  type BodySchema,
  type Endpoint,
  type EndpointRequest,
  type ParameterDoc,
} from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { parameter } from '../endpoints/query-flag.ts';
import { requireInScope } from '../../operators/require.ts';
import { envelopeSchema } from './generic/collection-schemas.ts';
import { LogList, type ShownLog } from './generic/log-list.ts';
import { timeSortedParameters } from './generic/list-parameters.ts';
import type { ShownAlarms } from './alarm-collection.ts';

const HISTORY = new LogList<AlarmObject>('alarm_history', 'raised_at', ALARM_FIELDS, alarmObjectSchema, {
  isSearched: true,
});
const parameters = (): ParameterDoc[] => timeSortedParameters(alarmObjectSchema, 'raised_at', true);
/** Parameters that an export ignores: it contains everything that passes the filters. */
const PORTION = ['sort', 'limit', 'cursor', 'select', 'format'];

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
      errors: [503],
      readsQuery: true,
      summary: 'Lists the history of alarms',
      description:
        'One row for each raised alarm, for 90 days and at most 50 000 rows. Filters are those of all lists; the order is by `raised_at`, upward or downward.',
      get parameters() {
        return parameters();
      },
      replies: { 200: { description: 'A page, in its envelope', schema: schemaRef('alarm_history') } },
      handle: async ({ url }) => {
        const { history } = requireAlarms(context);
        const log: ShownLog<AlarmObject> = {
          rows: (query, text) => (text ? history.find(query, text) : Promise.resolve(history.rows(query))),
          count: (filters, text) =>
            text ? history.countFound(filters, text) : Promise.resolve(history.count(filters)),
        };
        return { status: 200, body: await HISTORY.page(log, url) };
      },
    },
    {
      id: 'alarm_history_export',
      tag: 'alarms',
      method: 'GET',
      path: '/alarm_history/export',
      access: 'view',
      errors: [503],
      readsQuery: true,
      summary: 'The history of alarms as a file',
      description: 'Oldest first, with the filters of the list.',
      get parameters() {
        const format: ParameterDoc = {
          name: 'format',
          in: 'query',
          description: 'jsonl or csv; default jsonl',
          schema: { type: 'string', enum: ['jsonl', 'csv'] },
        };
        return [format, ...parameters().filter(({ name }) => !PORTION.includes(name))];
      },
      replies: {
        200: {
          description: 'The rows',
          type: 'application/x-ndjson',
          schema: { type: 'string' },
          otherTypes: ['text/csv'],
        },
      },
      handle: (request) => {
        const { format, url } = exportOf(request);
        const pieces = requireAlarms(context).export(format, HISTORY.conditions(url), HISTORY.search(url));
        const headers = { 'content-disposition': `attachment; filename="alarms.${format}"` };
        const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
        return { status: 200, headers, body: new PiecesBody(pieces, type) };
      },
    },
    {
      id: 'alarm_evidence_get',
      tag: 'alarms',
      method: 'GET',
      path: '/streams/{name}/alarms/{id}/evidence',
      access: 'view',
      isScoped: true,
      errors: [403, 404, 503],
      summary: 'Evidence of a stream’s alarm',
      description:
        'A picture from before the start of the condition, a picture at the time of the alarm, and the measured values around it. Kept for 90 days, and for the newest 2000 alarms.',
      replies: { 200: { description: 'The evidence', schema: schemaRef('alarm_evidence') } },
      handle: async ({ params: { name = '', id = '' }, caller }) => {
        requireInScope(caller, name);
        const evidence = await requireAlarms(context).evidence(name, id);
        if (!evidence)
          throw new AirdeskError('alarm_not_found', 'There is no evidence of this alarm', { parameter: 'id' });
        return { status: 200, body: evidence };
      },
    },
  ];
}

/** Format of an export, and its filters as an address. Raises `bad_query`. */
function exportOf(request: EndpointRequest): { readonly format: 'jsonl' | 'csv'; readonly url: string } {
  const format = parameter(request, 'format') ?? 'jsonl';
  if (format !== 'jsonl' && format !== 'csv') throw bad('format', 'format must be jsonl or csv');
  for (const name of PORTION)
    if (name !== 'format' && parameter(request, name) !== undefined)
      throw bad(name, `An export has no parameter ${name}`);
  return { format, url: request.url };
}

function bad(name: string, message: string): AirdeskError {
  return new AirdeskError('bad_query', message, { parameter: name });
}
