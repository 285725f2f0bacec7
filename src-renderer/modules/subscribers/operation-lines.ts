import type { Operation } from '../../../src-preload/contract/api/operation-object.ts';

/** Fields of a payload that stand elsewhere on the line. */
const ELSEWHERE: ReadonlySet<string> = new Set(['keyName', 'managerEmail']);

/** Who made an operation: the person, where the caller named one, and the key. */
export function madeBy({ payload }: Pick<Operation, 'payload'>): string {
  const { managerEmail, keyName } = payload;
  const key = typeof keyName === 'string' ? keyName : '';
  return typeof managerEmail === 'string' ? `${managerEmail} (${key})` : key;
}

/** What an operation is about: names of the subscriber and of the package. */
export function subjectOf({ payload }: Pick<Operation, 'payload'>): string {
  const { subscriberName, packageName, name } = payload;
  return [subscriberName ?? name, packageName].filter((part) => typeof part === 'string').join(', ');
}

/** The fields of the payload, with what they say. */
export function payloadFields({ payload }: Pick<Operation, 'payload'>): readonly (readonly [string, string])[] {
  return Object.entries(payload).flatMap(([name, value]): (readonly [string, string])[] => {
    if (ELSEWHERE.has(name) || value === '' || value === null) return [];
    return [[name, Array.isArray(value) ? value.join(', ') : String(value)]];
  });
}

/** A number as people write it; empty without one. */
export function numberOf({ phoneCountryCode, phone }: { phoneCountryCode: string; phone: string }): string {
  if (phone === '') return '';
  return phoneCountryCode === '' ? phone : `+${phoneCountryCode} ${phone}`;
}

/** Day and second of a time of the API on this machine, as `YYYY-MM-DD hh:mm:ss`; – for none. */
export function formatDay(iso: string | null): string {
  if (iso === null) return '–';
  const time = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** Why a subscriber was blocked last, by operations with the newest first: what blocking again for it takes. */
export function lastReason(operations: readonly Pick<Operation, 'type' | 'payload'>[]): { readonly reason?: string } {
  const reason = operations.find(({ type }) => type === 'disableSubscriber')?.payload['reason'];
  return typeof reason === 'string' ? { reason } : {};
}
