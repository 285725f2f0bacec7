import { defineStore } from 'pinia';
import {
  ALARM_SEVERITIES,
  type AlarmObject,
  type AlarmSeverity,
} from '../../../src-preload/contract/api/alarm-object.ts';

/** Active alarms. State and synchronous setters only. */
interface AlarmsState {
  /** Most severe first, then newest first. Never changed in place. */
  alarms: readonly AlarmObject[];
  isReady: boolean;
}

/** True if an alarm is active and not acknowledged. */
export function isOpen(alarm: AlarmObject): boolean {
  return alarm.cleared_at === null && alarm.acknowledged_at === null && alarm.shelved_until === null;
}

export const useAlarmsStore = defineStore('alarms', {
  state: (): AlarmsState => ({ alarms: [], isReady: false }),
  getters: {
    /** Number of active alarms by severity, without shelved ones. */
    counts: (state): Readonly<Record<AlarmSeverity, number>> => {
      const counts = { critical: 0, major: 0, info: 0 };
      for (const { severity, cleared_at: at, shelved_until: until } of state.alarms)
        if (at === null && until === null) counts[severity]++;
      return counts;
    },
    /** Unacknowledged alarms. */
    open: (state): readonly AlarmObject[] => state.alarms.filter(isOpen),
    /** Active alarms by stream, most severe first, without shelved ones. */
    byStream: (state): ReadonlyMap<string, readonly AlarmObject[]> => {
      const found = new Map<string, AlarmObject[]>();
      for (const alarm of state.alarms) {
        if (alarm.name === null || alarm.cleared_at !== null || alarm.shelved_until !== null) continue;
        const list = found.get(alarm.name);
        if (list) list.push(alarm);
        else found.set(alarm.name, [alarm]);
      }
      return found;
    },
  },
  actions: {
    set(alarms: readonly AlarmObject[]) {
      const rank = (alarm: AlarmObject): number =>
        ALARM_SEVERITIES.indexOf(alarm.severity) + (isOpen(alarm) ? 0 : alarm.cleared_at === null ? 10 : 20);
      this.alarms = [...alarms].sort((a, b) => rank(a) - rank(b) || b.raised_at - a.raised_at);
      this.isReady = true;
    },
  },
});
