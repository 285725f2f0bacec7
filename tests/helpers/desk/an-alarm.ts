import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';

/** Active alarm of a stream without input. */
export function anAlarm(id: string, more: Partial<AlarmObject> = {}): AlarmObject {
  return {
    id,
    name: 'cam1',
    alarm: 'no_input',
    severity: 'critical',
    detail: 'No frame',
    fault: null,
    facts: {},
    raised_at: 1,
    cleared_at: null,
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
    shelved_until: null,
    ...more,
  };
}
