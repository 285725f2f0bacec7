import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';

/** Maximum pause between two alarms of one row, in milliseconds: one hour. */
const MAX_PAUSE_MS = 3_600_000;

/** Alarms of one condition that came and went: one row of the table. */
export interface AlarmGroup {
  /** Constant while newer alarms are added. */
  readonly key: string;
  /** The newest alarm, which the row shows. */
  readonly newest: AlarmObject;
  /** All of them, newest first. */
  readonly alarms: readonly AlarmObject[];
}

/** Groups alarms of the same kind and stream that were raised again within an hour. Keeps the order of the newest of each group. */
export function groupAlarms(alarms: readonly AlarmObject[]): readonly AlarmGroup[] {
  const groups: [AlarmObject, ...AlarmObject[]][] = [];
  const latest = new Map<string, AlarmObject[]>();
  for (const alarm of alarms) {
    const condition = `${alarm.alarm} ${alarm.name ?? ''}`;
    const group = latest.get(condition);
    const next = group?.at(-1);
    const pauseMs = next && alarm.cleared_at !== null ? next.raised_at - alarm.cleared_at : NaN;
    if (group && pauseMs >= 0 && pauseMs <= MAX_PAUSE_MS) {
      group.push(alarm);
      continue;
    }
    const started: [AlarmObject] = [alarm];
    groups.push(started);
    latest.set(condition, started);
  }
  return groups.map((group) => ({ key: group.at(-1)?.id ?? '', newest: group[0], alarms: group }));
}

/** Adds alarms that preceded a group. @param earlier newest first; may contain the alarms of the group, and other alarms */
export function withEarlier(group: AlarmGroup, earlier: readonly AlarmObject[]): AlarmGroup {
  const { name, alarm } = group.newest;
  const oldestMs = group.alarms.at(-1)?.raised_at ?? 0;
  const before = earlier.filter((one) => one.name === name && one.alarm === alarm && one.raised_at < oldestMs);
  return groupAlarms([...group.alarms, ...before])[0] ?? group;
}

/** Whether an alarm matches a search in stream, kind, description, note or operator. */
export function matchesSearch(texts: readonly (string | null)[], search: string): boolean {
  const needle = search.trim().toLowerCase();
  return needle === '' || texts.some((text) => text?.toLowerCase().includes(needle) === true);
}
