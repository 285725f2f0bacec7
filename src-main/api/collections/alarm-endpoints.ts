import {
  ALARM_FIELDS,
  alarmEvidenceSchema,
  alarmObjectSchema,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import {
  LOUDNESS_FIELDS,
  loudnessRowSchema,
  type LoudnessRow,
} from '../../../src-preload/contract/api/loudness-object.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { exportAnswer } from '../endpoints/text-export.ts';
import type { CollectionContext } from './collection-context.ts';
import { envelopeSchema } from './generic/collection-schemas.ts';
import { LogList } from './generic/log-list.ts';

const HISTORY = new LogList<AlarmObject>('alarm_history', 'raised_at', ALARM_FIELDS, alarmObjectSchema, {
  isSearched: true,
  stream: 'name',
});
const LOUDNESS = new LogList<LoudnessRow>('loudness', 'from_at', LOUDNESS_FIELDS, loudnessRowSchema);

export const ALARM_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  alarm_evidence: alarmEvidenceSchema,
  alarm_history: envelopeSchema('alarm_history', schemaRef('alarm_part')),
  loudness_figures: loudnessRowSchema,
  loudness_list: envelopeSchema('loudness', schemaRef('loudness_figures')),
};

/** Endpoints of the history of alarms. */
export function alarmEndpoints({ alarms }: Pick<CollectionContext, 'alarms'>): readonly Endpoint[] {
  const row = { tag: 'alarms', access: 'view', errors: [503] } as const;
  return [
    HISTORY.listEndpoint(
      {
        ...row,
        id: 'alarm_history_list',
        path: '/alarm_history',
        summary: 'Lists the history of alarms',
        description:
          'One row for each raised alarm, for 90 days and at most 50 000 rows. Filters are those of all lists; the order is by `raised_at`, upward or downward.',
      },
      'alarm_history',
      () => {
        const { history } = alarms;
        return {
          rows: (query, text) => (text ? history.find(query, text) : Promise.resolve(history.rows(query))),
          count: (filters, text) =>
            text ? history.countFound(filters, text) : Promise.resolve(history.count(filters)),
        };
      },
    ),
    HISTORY.exportEndpoint(
      {
        ...row,
        id: 'alarm_history_export',
        path: '/alarm_history/export',
        summary: 'The history of alarms as a file',
        description: 'Oldest first, with the filters of the list.',
      },
      'The rows',
      ({ format, conditions, search }, { caller }) =>
        exportAnswer(format, alarms.export(format, conditions, search, caller), `alarms.${format}`),
    ),
  ];
}

/** Measured loudness of streams (EBU R128). */
export function loudnessEndpoint({ alarms }: Pick<CollectionContext, 'alarms'>): Endpoint {
  return LOUDNESS.listEndpoint(
    {
      tag: 'streams',
      access: 'view',
      isScoped: true,
      errors: [403, 503],
      id: 'stream_loudness',
      path: '/streams/{name}/loudness',
      summary: 'The loudness of a stream, hour by hour and day by day',
      description:
        'For streams with `loudness_log` or a loudness alarm: one row for each hour and each day (UTC), for 90 days. Filters are those of all lists; the order is by `from_at`, upward or downward.',
    },
    'loudness_list',
    ({ params: { name = '' }, caller }) => alarms.loudness.figures(name, caller),
  );
}
