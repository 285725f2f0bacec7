import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import type { CallOutput } from '../../../src-preload/contract/index.ts';
import { authorText } from '../../lib/author-texts.ts';
import { alarmDetail } from '../alarms/alarm-details.ts';
import { ALARM_LABELS } from '../alarms/texts.ts';
import { SELECTION_TEXTS as TEXTS } from './selection-texts.ts';

/** Kinds of marks, in the order of their lanes. */
export const MARK_KINDS = ['alarm', 'break', 'note', 'lock'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];
export const MARK_COLOURS: { readonly [K in MarkKind]: string } = {
  alarm: '#ff5a5c',
  break: '#c79bff',
  note: '#ffd84d',
  lock: '#7dbdff',
};

/** Mark on the timeline: a moment or a range. Times are epoch milliseconds. */
export interface Mark {
  readonly kind: MarkKind;
  /** Unique among all marks. */
  readonly id: string;
  /** Name of the stream. */
  readonly name: string;
  readonly from: number;
  /** End of the mark; null for a mark without a duration. */
  readonly to: number | null;
  readonly text: string;
  readonly severity?: AlarmObject['severity'];
}

/** Marks of a server answer, sorted by start. */
export function marksOf({ alarms, locks, notes }: Omit<CallOutput<'archive.marks'>, 'is_more'>, nowMs: number): Mark[] {
  const alarmIds = new Set<string>();
  return [
    ...alarms.flatMap((alarm): Mark[] => {
      if (alarm.name === null || alarmIds.has(alarm.id)) return [];
      alarmIds.add(alarm.id);
      const { id, name, severity, raised_at: from, cleared_at: to } = alarm;
      const detail = alarmDetail(alarm);
      const text = `${ALARM_LABELS[alarm.alarm]}${detail === '' ? '' : `: ${detail}`}`;
      return [{ kind: 'alarm', id: `alarm ${id}`, name, from, to: Math.max(from, to ?? nowMs), severity, text }];
    }),
    ...locks.map(({ name, from, to, note, by }): Mark => ({
      kind: 'lock',
      id: `lock ${name} ${from}`,
      name,
      from,
      to,
      text: lockText(note, by),
    })),
    ...notes.map(({ id, name, at, text }): Mark => ({ kind: 'note', id, name, from: at, to: null, text })),
  ].sort((a, b) => a.from - b.from);
}

/** Text of a lock: its reason, or its author. For a lock by an alarm, the title of the alarm. */
function lockText(note: string, by: string): string {
  if (note === '') return TEXTS.lockedBy(authorText(by));
  const alarm = /^Alarm: (\w+)$/.exec(note)?.[1];
  const labels: Readonly<Record<string, string>> = ALARM_LABELS;
  return alarm !== undefined && Object.hasOwn(labels, alarm) ? TEXTS.lockedForAlarm(labels[alarm] ?? alarm) : note;
}

/**
 * Next mark after a moment, or the last one before it; undefined if there is none.
 *
 * @param marginMs marks this near to the moment are skipped
 */
export function nextMark(marks: readonly Mark[], ms: number, direction: 1 | -1, marginMs: number): Mark | undefined {
  return direction > 0
    ? marks.find(({ from }) => from > ms + marginMs)
    : marks.findLast(({ from }) => from < ms - marginMs);
}

/** Marks that overlap a range. @param marks sorted by start */
export function marksWithin(marks: readonly Mark[], fromMs: number, toMs: number): Mark[] {
  return marks.filter(({ from, to }) => from < toMs && (to ?? from) >= fromMs);
}
