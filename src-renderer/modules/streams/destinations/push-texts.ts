import type { PushStateObject } from '../../../../src-preload/contract/api/push-object.ts';
import { problemText } from '../../../domain/streams/stream-condition.ts';
import { formatFixed } from '../../../i18n/i18n.ts';
import { explainedText } from '../../../lib/explanation-text.ts';
import { formatBitrate, formatBytes } from '../../../lib/format.ts';
import { TEXTS } from './texts.ts';

/** Delay from which it is shown, in milliseconds. */
const SHOWN_LAG_MS = 1000;

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

/** Last fault of a destination; empty if it has none. Explanations of pushes are sentences, which need no title. */
export function pushFault({ code, detail, explanation }: PushStateObject): string {
  if (code === null) return '';
  const fault = { code, detail: detail ?? '', explanation };
  return explanation ? explainedText(fault) : problemText(fault);
}
