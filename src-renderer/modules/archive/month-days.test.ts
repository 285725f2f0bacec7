import { expect, it } from 'vitest';
import { monthDays } from './month-days.ts';

it('monthDays lists the days of a month, with recordings and weekdays', () => {
  const at = Date.UTC(2028, 1, 28, 23, 59);
  const days = monthDays(
    2028,
    1,
    'utc',
    [
      { from: at, to: at + 61_000 },
      { from: at + 1000, to: at + 2000 },
    ],
    at,
  );
  expect(days).toHaveLength(29);
  expect(days[0]).toMatchObject({ day: 1, weekday: 1, isRecorded: false });
  expect(days.filter(({ isRecorded }) => isRecorded).map(({ day, isToday }) => [day, isToday])).toEqual([
    [28, true],
    [29, false],
  ]);
  expect(monthDays(2027, 0, 'local', [], at).every(({ from, to }) => to - from >= 82_800_000)).toBe(true);
});
