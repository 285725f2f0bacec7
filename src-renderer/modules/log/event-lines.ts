import { z } from 'zod';
import { alarmFactsSchema, alarmFaultSchema } from '../../../src-preload/contract/api/alarm-faults.ts';
import { explanationSchema, isErrorCode, type ErrorCode } from '../../../src-preload/contract/index.ts';
import { EVENTS, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { explainedText } from '../../lib/explanation-text.ts';
import { formatBytes, formatDayTime, formatSpan } from '../../lib/format.ts';
import { adviceOf, errorTitle } from '../../lib/error-advice.ts';
import { alarmDetail } from '../../domain/alarms/alarm-details.ts';
import { MASK } from '../../lib/mask.ts';
import { changesText } from '../../lib/changes-text.ts';
import { MEANINGS, VALUES } from './event-texts.ts';
import { alarmLabel, ownFields, sentenceOf } from './event-sentence.ts';
import { ADDITIONS } from './sentence-texts.ts';

const alarmEventSchema = z.object({ fault: alarmFaultSchema, facts: alarmFactsSchema });

/** Meaning of the event kind in a sentence; null for a kind that this desk does not know. */
export function meaningOf({ event }: ServerEvent): string | null {
  return Object.hasOwn(EVENTS, event) ? MEANINGS[event] : null;
}

/** Explanation of an error code, a moment, a size or another value of an event, with advice; empty if the value needs none. */
export function explanationOf(name: string, text: string, event: ServerEvent): string {
  const code = codeOf(name, text);
  if (name === 'alarm') return alarmLabel(text);
  if (code !== undefined) return [errorTitle(code), adviceOf(code)].filter(Boolean).join('. ');
  if (name === 'bytes' || name.startsWith('bytes_')) return formatBytes(Number(text));
  if (name.endsWith('_ms')) return formatSpan(Number(text));
  if (EPOCH_MS.test(text)) return formatDayTime(Number(text));
  const isCode = name === 'reason' || name === 'status' || name === 'placement' || name === 'midroll_insert_by';
  return isCode ? (VALUE_TEXTS[`${event.event} ${text}`] ?? VALUE_TEXTS[text] ?? '') : '';
}

/** A moment in epoch milliseconds, from 2001 on. */
const EPOCH_MS = /^[1-9]\d{12}$/;

/** Texts of the catalogue by field value. */
const VALUE_TEXTS: Readonly<Record<string, string>> = VALUES;

function codeOf(name: string, text: string): ErrorCode | undefined {
  return name === 'code' && isErrorCode(text) ? text : undefined;
}

/** Detail of an event in the language of the desk. */
export function detailOf(event: ServerEvent, text: string): string {
  const { data } = alarmEventSchema.safeParse(event);
  if (data) return alarmDetail({ ...data, detail: text });
  return explainedText({ detail: text, explanation: explanationSchema.safeParse(event['explanation']).data });
}

/** Event as a sentence: action, object, actor and reason. All fields are in the details. */
export function eventLine(event: ServerEvent): string {
  const fields = new Map(ownFields(event));
  const [title, detail] = [codeTitle(fields.get('code')), fields.get('detail')];
  const why = [
    title,
    detail === undefined || detail === title ? '' : detailOf(event, detail),
    explanationOf('reason', fields.get('reason') ?? '', event),
    changesText({ summary: fields.get('summary') ?? '', changes: event['changes'] }),
    fields.get('is_pending') === 'true' ? ADDITIONS.onTrial : '',
    event.event === 'api_call' && Number(fields.get('status')) >= 400 ? ADDITIONS.refused : '',
    fields.get('note') ?? '',
  ].filter((part) => part !== '' && !part.includes(MASK));
  return [sentenceOf(event, fields), ...why].join(' · ');
}

function codeTitle(code: string | undefined): string {
  return code !== undefined && isErrorCode(code) ? errorTitle(code) : '';
}
