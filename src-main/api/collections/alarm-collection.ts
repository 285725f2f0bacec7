import {
  ALARM_FIELDS,
  alarmTexts,
  alarmObjectSchema,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import { requireAlarms } from '../../control/alarms/alarm-operations.ts';
import type { AlarmService } from '../../control/alarms/alarm-service.ts';
import type { Collection } from './generic/collection.ts';

export type ShownAlarms = Pick<
  AlarmService,
  'list' | 'find' | 'history' | 'historyPage' | 'acknowledge' | 'shelve' | 'loudness' | 'export' | 'evidence'
>;

/** Current alarms as a collection. */
export function alarmCollection(context: { readonly alarms?: ShownAlarms | undefined }): Collection {
  const alarms = (): ShownAlarms => requireAlarms(context);
  return {
    path: '/alarms',
    name: 'alarms',
    item: 'alarm',
    key: 'id',
    missing: 'alarm_not_found',
    schema: alarmObjectSchema,
    isScoped: true,
    implicitSort: ['raised_at', 'id'],
    source: {
      rows: () => alarms().list(),
      find: (id) => alarms().find(id),
      getter(path) {
        const field = ALARM_FIELDS.find((name) => name === path);
        return field ? (alarm) => alarm[field] : () => undefined;
      },
      texts: alarmTexts,
      object: (alarm) => alarm,
    },
  } satisfies Collection<AlarmObject> as Collection<unknown>;
}
