import type { PushLampObject, PushStateObject } from '../../../src-preload/contract/api/push-object.ts';
import { serviceOf } from './services.ts';
import { formatDate } from '../../i18n/i18n.ts';
import { formatDay } from '../../lib/format.ts';
import { pushLight } from './push-light.ts';
import { LIGHT_NAMES, SERVICE_NAMES, TEXTS } from './texts.ts';

/** Name of a destination: its service, or its address without the scheme. */
export function destinationName({ url }: Pick<PushStateObject, 'url'>): string {
  const service = serviceOf(url);
  return service === 'other' ? withoutScheme(url) : SERVICE_NAMES[service];
}

/** Letter of a destination: the first one of its service or host, or of its protocol, because a digit looks like a count. */
export function destinationLetter(push: Pick<PushStateObject, 'url'>): string {
  const name = destinationName(push);
  return (/\p{L}/u.exec(/^[\d[]/.test(name) ? push.url : name)?.[0] ?? '?').toUpperCase();
}

/** State of a destination in words. @param nowMs epoch milliseconds, by which the day of a planned start is left out */
export function destinationState(push: PushLampObject, nowMs: number): string {
  const light = pushLight(push);
  return light === 'planned' && push.start_at !== null
    ? TEXTS.startsAt(planTime(push.start_at, nowMs))
    : LIGHT_NAMES[light];
}

/** Local time of a plan: `18:55`, with the date if it is on another day. */
export function planTime(epochMs: number, nowMs: number): string {
  const time = formatDate(epochMs, 'minute');
  return formatDay(epochMs) === formatDay(nowMs) ? time : `${formatDay(epochMs)} ${time}`;
}

function withoutScheme(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '');
}
