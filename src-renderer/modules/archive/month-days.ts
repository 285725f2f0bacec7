import { firstAfter, joined } from './ranges.ts';
import type { Zone } from './ticks.ts';
import { unzoned } from './time-code.ts';
import type { Range } from './time-scale.ts';

/** Day of a month. Times are epoch milliseconds. */
export interface MonthDay extends Range {
  /** Day of the month, from 1. */
  readonly day: number;
  /** Day of the week; Monday is 0. */
  readonly weekday: number;
  readonly isRecorded: boolean;
  readonly isToday: boolean;
}

/** Days of a month in a time zone, and whether each has recordings. @param month from 0 */
export function monthDays(
  year: number,
  month: number,
  zone: Zone,
  recorded: readonly Range[],
  nowMs: number,
): MonthDay[] {
  const all = joined(recorded);
  const days: MonthDay[] = [];
  for (let day = 1; day <= new Date(Date.UTC(year, month + 1, 0)).getUTCDate(); day++) {
    const zoned = Date.UTC(year, month, day);
    const [from, to] = [unzoned(zoned, zone), unzoned(Date.UTC(year, month, day + 1), zone)];
    const found = all[firstAfter(all, from)];
    days.push({
      day,
      from,
      to,
      weekday: (new Date(zoned).getUTCDay() + 6) % 7,
      isRecorded: found !== undefined && found.from < to,
      isToday: nowMs >= from && nowMs < to,
    });
  }
  return days;
}
