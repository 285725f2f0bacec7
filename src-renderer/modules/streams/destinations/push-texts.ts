import type { PushStateObject } from '../../../../src-preload/contract/api/push-object.ts';
import { problemText } from '../../../domain/streams/stream-condition.ts';
import { formatFixed } from '../../../i18n/i18n.ts';
import { formatBitrate, formatBytes } from '../../../lib/format.ts';
import { pushLight } from './push-light.ts';
import { serviceOf } from './services.ts';
import { LIGHT_NAMES, SERVICE_NAMES, TEXTS } from './texts.ts';

/** Delay from which it is shown, in milliseconds. */
const SHOWN_LAG_MS = 1000;

/** Name of a destination: its service, or its address without the scheme. */
export function destinationName({ url }: Pick<PushStateObject, 'url'>): string {
  const service = serviceOf(url);
  return service === 'other' ? url.replace(/^rtmps?:\/\//i, '') : SERVICE_NAMES[service];
}

/** State of a destination in words. */
export function pushStateText(push: PushStateObject): string {
  if (push.state === 'retry') return TEXTS.retries;
  if (push.state === 'error') return TEXTS.gaveUp;
  return push.state === 'pending' ? TEXTS.waits : LIGHT_NAMES[pushLight(push)];
}

/** Bit rate, bytes, delay and dropped frames of a running destination; empty for any other. */
export function pushFigures(push: PushStateObject): string {
  if (push.state !== 'running') return '';
  const { bitrate, bytes, bytes_acknowledged: confirmed, lag, dropped } = push;
  return [
    formatBitrate(bitrate),
    confirmed === null ? TEXTS.sent(formatBytes(bytes)) : TEXTS.confirmed(formatBytes(confirmed)),
    lag >= SHOWN_LAG_MS ? TEXTS.behind(formatFixed(lag / 1000, 1)) : '',
    dropped > 0 ? TEXTS.dropped(dropped) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Last fault of a destination; empty if it has none. */
export function pushFault({ code, detail, explanation }: PushStateObject): string {
  return code === null ? '' : problemText({ code, detail: detail ?? '', explanation });
}
