import { alarmDetail } from '../../domain/alarms/alarm-details.ts';
import { ALARM_LABELS, SEVERITY } from '../../domain/alarms/texts.ts';
import { isTrouble } from '../../domain/streams/stream-condition.ts';
import type { StreamRow } from './stream-rows.ts';

/** Alarms of a row, as the table shows them. */
type Alarms = StreamRow['alarms'];

/** Alarms without `no_input` if the state of the stream already shows that it has no input. */
export function alarmsBesideState({ condition, alarms }: Pick<StreamRow, 'condition' | 'alarms'>): Alarms {
  return isTrouble(condition) ? alarms.filter(({ alarm }) => alarm !== 'no_input') : alarms;
}

/** Mark and title of an alarm; empty without one. */
export function alarmText(alarm: Alarms[number] | undefined): string {
  return alarm ? `${SEVERITY[alarm.severity].shape} ${ALARM_LABELS[alarm.alarm]}` : '';
}

/** Descriptions of all alarms, one per line. */
export function alarmsText(alarms: Alarms): string {
  return alarms.map((one) => `${ALARM_LABELS[one.alarm]}: ${alarmDetail(one)}`).join('\n');
}
