import {
  ALARM_FIELDS,
  alarmTexts,
  alarmObjectSchema,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import { requireAlarms } from '../../control/alarms/alarm-operations.ts';
import type { AlarmService } from '../../control/alarms/alarm-service.ts';
import type { JsonObject, ObjectSource } from '../objects/object-source.ts';
import type { Collection } from './generic/collection.ts';

export type ShownAlarms = Pick<
  AlarmService,
  'list' | 'find' | 'history' | 'historyPage' | 'acknowledge' | 'shelve' | 'loudness' | 'export' | 'evidence'
>;

/** Current alarms as a collection. */
export function alarmCollection(context: { readonly alarms?: ShownAlarms | undefined }): Collection {
  return {
    path: '/alarms',
    name: 'alarms',
    item: 'alarm',
    key: 'id',
    missing: 'alarm_not_found',
    schema: alarmObjectSchema,
    isScoped: true,
    implicitSort: ['raised_at', 'id'],
    source: new AlarmObjects(() => requireAlarms(context)),
  } satisfies Collection<AlarmObject> as Collection<unknown>;
}

class AlarmObjects implements ObjectSource<AlarmObject> {
  readonly #alarms: () => ShownAlarms;

  constructor(alarms: () => ShownAlarms) {
    this.#alarms = alarms;
  }

  rows(): readonly AlarmObject[] {
    return this.#alarms().list();
  }

  find(id: string): AlarmObject | undefined {
    return this.#alarms().find(id);
  }

  getter(path: string): (alarm: AlarmObject) => unknown {
    const field = ALARM_FIELDS.find((name) => name === path);
    return field ? (alarm) => alarm[field] : () => undefined;
  }

  texts(alarm: AlarmObject): Iterable<string | null> {
    return alarmTexts(alarm);
  }

  object(alarm: AlarmObject): JsonObject {
    return alarm;
  }
}
