import { defineStore } from 'pinia';
import {
  ALARM_SEVERITIES,
  type AlarmObject,
  type AlarmSeverity,
} from '../../../src-preload/contract/api/alarm-object.ts';

/** The alarms of this moment. State and synchronous setters only. */
interface AlarmsState {
  /** Worst first, then newest first. Never changed in place. */
  alarms: readonly AlarmObject[];
  isReady: boolean;
}

/** Whether an alarm lasts and an operator has yet to take it. */
export function isOpen(alarm: AlarmObject): boolean {
  return alarm.cleared_at === null && alarm.acknowledged_at === null && alarm.shelved_until === null;
}

export const useAlarmsStore = defineStore('alarms', {
  state: (): AlarmsState => ({ alarms: [], isReady: false }),
  getters: {
    /** How many last of each severity, without those that are shelved. */
    counts: (state): Readonly<Record<AlarmSeverity, number>> => {
      const counts = { critical: 0, major: 0, info: 0 };
      for (const { severity, cleared_at: at, shelved_until: until } of state.alarms)
        if (at === null && until === null) counts[severity]++;
      return counts;
    },
    /** Those that an operator has yet to take. */
    open: (state): readonly AlarmObject[] => state.alarms.filter(isOpen),
    /** What lasts of each stream, worst first, without what is shelved. */
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
