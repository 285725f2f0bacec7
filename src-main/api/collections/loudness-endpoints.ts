import {
  LOUDNESS_FIELDS,
  loudnessLogSchema,
  loudnessRowSchema,
  type LoudnessRow,
} from '../../../src-preload/contract/api/loudness-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { AlarmService } from '../../control/alarms/alarm-service.ts';
import {
  TextBody,
  type BodySchema,
  type Endpoint,
  type EndpointRequest,
  type ParameterDoc,
} from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { envelopeSchema } from './generic/collection-schemas.ts';
import { LogList } from './generic/log-list.ts';
import { loudnessReport } from './loudness-report.ts';
import { inQuery, required } from '../endpoints/parameters.ts';

const LIST = new LogList<LoudnessRow>('loudness', 'from_at', LOUDNESS_FIELDS, loudnessRowSchema);
const ROW = { tag: 'streams', method: 'GET', access: 'view', isScoped: true, errors: [403, 503] } as const;

export const LOUDNESS_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  loudness_figures: loudnessRowSchema,
  loudness_list: envelopeSchema('loudness', schemaRef('loudness_figures')),
  loudness_log: loudnessLogSchema,
};

const time = (name: string, description: string): ParameterDoc =>
  required(inQuery(name, description, { type: 'integer', minimum: 0 }));

/** Measured loudness of streams (EBU R128). */
export function loudnessEndpoints(context: {
  readonly alarms?: Pick<AlarmService, 'loudness'> | undefined;
}): readonly Endpoint[] {
  const desk = (): AlarmService['loudness'] => {
    if (!context.alarms) throw new AirdeskError('unavailable', 'This server has no alarms');
    return context.alarms.loudness;
  };
  return [
    {
      ...ROW,
      id: 'stream_loudness',
      path: '/streams/{name}/loudness',
      readsQuery: true,
      summary: 'The loudness of a stream, hour by hour and day by day',
      description:
        'For streams with `loudness_log` or a loudness alarm: one row for each hour and each day (UTC), for 90 days. Filters are those of all lists; the order is by `from_at`, upward or downward.',
      get parameters() {
        return LIST.parameters;
      },
      replies: { 200: { description: 'A page, in its envelope', schema: schemaRef('loudness_list') } },
      handle: async ({ url, params: { name = '' }, caller }) => ({
        status: 200,
        body: await LIST.page(desk().figures(name, caller), url),
      }),
    },
    {
      ...ROW,
      id: 'stream_loudness_log',
      path: '/streams/{name}/loudness/log',
      summary: 'The loudness of a stream for each 100 ms',
      description: 'For the last 24 hours, at most an hour in one answer.',
      parameters: [
        time('from', 'start, epoch milliseconds'),
        time('to', 'end, epoch milliseconds, at most an hour later'),
      ],
      replies: { 200: { description: 'The measured loudness', schema: schemaRef('loudness_log') } },
      handle: async (request) => {
        const range = { fromMs: timeOf(request, 'from'), toMs: timeOf(request, 'to') };
        return { status: 200, body: await desk().log(request.params['name'] ?? '', range, request.caller) };
      },
    },
    {
      ...ROW,
      id: 'stream_loudness_report',
      path: '/streams/{name}/loudness/report',
      summary: 'A stream’s loudness of a day, as a printable page',
      parameters: [required(inQuery('day', 'the day (UTC), as `2027-01-31`', { type: 'string', format: 'date' }))],
      replies: { 200: { description: 'A page', schema: { type: 'string' }, type: 'text/html' } },
      handle: async (request) => {
        const day = await desk().day(request.params['name'] ?? '', dayOf(request), request.caller);
        return { status: 200, body: new TextBody(loudnessReport(day), 'text/html; charset=utf-8') };
      },
    },
  ];
}

function timeOf({ query }: EndpointRequest, name: string): number {
  const value = query.find((one) => one.name === name)?.value ?? '';
  if (/^[0-9]{1,15}$/.test(value)) return Number(value);
  throw new AirdeskError('bad_query', `${name} must be a time in epoch milliseconds`, { parameter: name });
}

function dayOf({ query }: EndpointRequest): number {
  const value = query.find(({ name }) => name === 'day')?.value ?? '';
  const atMs = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new AirdeskError('bad_query', 'day must be a date such as 2027-01-31', { parameter: 'day' });
}
