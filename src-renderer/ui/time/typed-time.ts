/** A day, or a day with a time; the seconds and the `T` may be absent. */
const TYPED = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Reads a typed local date, or date with time, in ISO style. A date without a time means the start of the day.
 * @returns `yyyy-mm-dd` or `yyyy-mm-ddThh:mm:ss`, as the fields of a browser give them; undefined for any other text
 */
export function readTypedTime(text: string, hasTime: boolean): string | undefined {
  const match = TYPED.exec(text.trim());
  if (!match || (!hasTime && match[4] !== undefined)) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const isTime = (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  // The calendar has no such day, for example 31 February.
  if (!isTime || date.getUTCMonth() !== (month ?? 0) - 1 || date.getUTCDate() !== day) return undefined;
  const found = text.trim().slice(0, 10);
  const two = (value = 0): string => String(value).padStart(2, '0');
  return hasTime ? `${found}T${two(hour)}:${two(minute)}:${two(second)}` : found;
}

/** Text of a date or time in a field: ISO style with a space. */
export function typedTimeText(value: string): string {
  return value.replace('T', ' ');
}
