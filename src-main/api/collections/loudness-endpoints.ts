import {
  LOUDNESS_FIELDS,
  loudnessRowSchema,
  type LoudnessRow,
} from '../../../src-preload/contract/api/loudness-object.ts';
import { requireAlarms } from '../../control/alarms/alarm-operations.ts';
import type { AlarmService } from '../../control/alarms/alarm-service.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { envelopeSchema } from './generic/collection-schemas.ts';
import { LogList } from './generic/log-list.ts';

const LIST = new LogList<LoudnessRow>('loudness', 'from_at', LOUDNESS_FIELDS, loudnessRowSchema);

export const LOUDNESS_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  loudness_figures: loudnessRowSchema,
  loudness_list: envelopeSchema('loudness', schemaRef('loudness_figures')),
};

/** Measured loudness of streams (EBU R128). */
export function loudnessEndpoint(context: { readonly alarms?: Pick<AlarmService, 'loudness'> | undefined }): Endpoint {
  return {
    tag: 'streams',
    method: 'GET',
    access: 'view',
    isScoped: true,
    errors: [403, 503],
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
      body: await LIST.page(requireAlarms(context).loudness.figures(name, caller), url),
    }),
  };
}
