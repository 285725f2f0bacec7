import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';

/** Fields of a payload that other columns show. */
const OTHER_COLUMNS: ReadonlySet<string> = new Set(['keyName', 'managerEmail']);

/** Author of an operation: the person, if the caller named one, and the key. */
export function authorOf({ payload }: Pick<Operation, 'payload'>): string {
  const { managerEmail, keyName } = payload;
  const key = typeof keyName === 'string' ? keyName : '';
  return typeof managerEmail === 'string' ? `${managerEmail} (${key})` : key;
}

/** Subject of an operation: names of the subscriber and the package. */
export function subjectOf({ payload }: Pick<Operation, 'payload'>): string {
  const { subscriberName, packageName, name } = payload;
  return [subscriberName ?? name, packageName].filter((part) => typeof part === 'string').join(', ');
}

/** Fields of the payload with their values. */
export function payloadFields({ payload }: Pick<Operation, 'payload'>): readonly (readonly [string, string])[] {
  return Object.entries(payload).flatMap(([name, value]): (readonly [string, string])[] => {
    if (OTHER_COLUMNS.has(name) || value === '' || value === null) return [];
    return [[name, Array.isArray(value) ? value.join(', ') : String(value)]];
  });
}

/** Formatted phone number; empty if there is none. */
export function numberOf({ phoneCountryCode, phone }: { phoneCountryCode: string; phone: string }): string {
  if (phone === '') return '';
  return phoneCountryCode === '' ? phone : `+${phoneCountryCode} ${phone}`;
}

/** Formats an API time in local time as `YYYY-MM-DD hh:mm:ss`; – for null. */
export function formatDay(iso: string | null): string {
  if (iso === null) return '–';
  const time = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** Formats a planned API time in local time, without seconds, and without the time if it is midnight. */
export function formatPlanned(iso: string | null): string {
  return formatDay(iso)
    .replace(/:00$/, '')
    .replace(/ 00:00$/, '');
}

/** Local time of an API time, in the form for `TimeField`; empty for null. */
export function localTime(iso: string | null): string {
  return iso === null ? '' : formatDay(iso).replace(' ', 'T');
}

/** Reason of the last block. It is used again if the operator undoes an unblocking. @param operations newest first */
export function lastReason(operations: readonly Pick<Operation, 'type' | 'payload'>[]): { readonly reason?: string } {
  const reason = operations.find(({ type }) => type === 'disableSubscriber')?.payload['reason'];
  return typeof reason === 'string' ? { reason } : {};
}
