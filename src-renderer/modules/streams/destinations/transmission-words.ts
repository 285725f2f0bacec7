import type { PushTransmissionObject } from '../../../../src-preload/contract/api/push-object.ts';
import { problemText } from '../../../domain/streams/stream-condition.ts';
import { formatBytes, formatClock, formatDay, formatDayTime, formatElapsed } from '../../../lib/format.ts';
import { ENDS, TEXTS } from './texts.ts';

/** Ends that are no faults, with their texts. */
function orderlyEnd(code: string): string | undefined {
  return Object.hasOwn(ENDS, code) ? String(Reflect.get(ENDS, code)) : undefined;
}

/** Start and end of a transmission: `2026-11-30 18:55:00 – 20:31:12`. The end has its date if it is on another day. */
export function timesOf({ started_at: from, ended_at: to, code }: PushTransmissionObject): string {
  if (to === null) return `${formatDayTime(from)} – ${code === null ? TEXTS.logNow : TEXTS.logUnknown}`;
  const end = formatDay(from) === formatDay(to) ? formatClock(to, 'local') : formatDayTime(to);
  return `${formatDayTime(from)} – ${end}`;
}

/** Duration of a transmission; a dash if nothing was sent, or if its end is unknown. */
export function durationOf(
  { started_at: from, ended_at: to, has_sent: hasSent, code }: PushTransmissionObject,
  nowMs: number,
): string {
  if (!hasSent || (to === null && code !== null)) return '–';
  return formatElapsed((to ?? nowMs) - from);
}

/** Bytes of a transmission; a dash if nothing was sent. They are only known when it has ended. */
export function bytesOf({ ended_at: to, has_sent: hasSent, bytes }: PushTransmissionObject): string {
  return hasSent && to !== null ? formatBytes(bytes) : '–';
}

/** Reason for the end of a transmission. */
export function endOf({ code, detail, explanation, has_sent: hasSent }: PushTransmissionObject): {
  readonly text: string;
  readonly isFault: boolean;
} {
  if (code === null) return { text: TEXTS.logRuns, isFault: false };
  const orderly = orderlyEnd(code);
  const text = orderly ?? problemText({ code, detail: detail ?? '', explanation });
  return hasSent
    ? { text, isFault: orderly === undefined }
    : { text: TEXTS.logNeverSent(text), isFault: orderly === undefined };
}
