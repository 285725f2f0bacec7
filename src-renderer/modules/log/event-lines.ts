import { z } from 'zod';
import { alarmFactsSchema, alarmFaultSchema } from '../../../src-preload/contract/api/alarm-faults.ts';
import { explanationSchema, isErrorCode, type ErrorCode } from '../../../src-preload/contract/index.ts';
import { EVENTS, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { explainedText } from '../../lib/explanation-text.ts';
import { adviceOf, errorTitle } from '../../lib/error-advice.ts';
import { formatSpan } from '../../lib/format.ts';
import { alarmDetail } from '../../domain/alarms/alarm-details.ts';
import { ALARM_LABELS } from '../../domain/alarms/texts.ts';
import { summaryText } from '../../lib/summary-text.ts';
import { MEANINGS, VALUES } from './event-texts.ts';
import { actOf, filledAct } from './act-texts.ts';
import { ADDITIONS, AUTHORS, SENTENCES } from './sentence-texts.ts';

/** Fields with columns of their own. */
const COLUMNS: ReadonlySet<string> = new Set([
  'event',
  'event_id',
  'utc_ms',
  'server',
  'media',
  'fault',
  'facts',
  'explanation',
]);
const alarmEventSchema = z.object({ fault: alarmFaultSchema, facts: alarmFactsSchema });

/** Fields of the event kind, without empty ones. */
export function ownFields(event: ServerEvent): readonly (readonly [name: string, text: string])[] {
  return Object.entries(event)
    .filter(([name, value]) => !COLUMNS.has(name) && value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
}

/** Meaning of the event kind in a sentence; null for a kind that this desk does not know. */
export function meaningOf({ event }: ServerEvent): string | null {
  return Object.hasOwn(EVENTS, event) ? MEANINGS[event] : null;
}

/** Explanation of an error code or a field value of an event, with advice; empty if it explains itself. */
export function explanationOf(name: string, text: string, event: ServerEvent): string {
  const code = codeOf(name, text);
  if (name === 'alarm') return alarmOf(name, text);
  if (code !== undefined) return [errorTitle(code), adviceOf(code)].filter(Boolean).join('. ');
  const isCode = name === 'reason' || name === 'status' || name === 'placement' || name === 'midroll_insert_by';
  return isCode ? (VALUE_TEXTS[`${event.event} ${text}`] ?? VALUE_TEXTS[text] ?? '') : '';
}

/** Authors without a login, by code. */
const AUTHOR_TEXTS: Readonly<Record<string, string>> = AUTHORS;
/** Texts of the catalogue by field value. */
const VALUE_TEXTS: Readonly<Record<string, string>> = VALUES;

/** Title of an alarm; empty for other fields. */
function alarmOf(name: string, text: string): string {
  const labels: Readonly<Record<string, string>> = ALARM_LABELS;
  return name === 'alarm' && Object.hasOwn(labels, text) ? (labels[text] ?? '') : '';
}

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
    summaryText(fields.get('summary') ?? ''),
    fields.get('is_pending') === 'true' ? ADDITIONS.onTrial : '',
    event.event === 'api_call' && Number(fields.get('status')) >= 400 ? ADDITIONS.refused : '',
    fields.get('note') ?? '',
  ].filter(Boolean);
  return [sentenceOf(event, fields), ...why].join(' · ');
}

/** Sentence of an event without additions. */
export function sentenceOf(event: ServerEvent, fields = new Map(ownFields(event))): string {
  const fact = (name: string): string =>
    factText(name, name === 'media' ? (event.media ?? '') : (fields.get(name) ?? ''));
  const act = event.event === 'api_call' ? actOf(fact('path'), fact('operation'), fact('kind')) : undefined;
  if (act !== undefined)
    return filledAct(act, (name) => (name === 'who' ? fact('user') || ADDITIONS.somebody : fact(name)));
  return Object.hasOwn(EVENTS, event.event) ? SENTENCES[event.event](fact) : event.event;
}

/** Placeholder for texts that the login may not read. */
const MASK = '********';
/** Fields with the author of a change. */
const AUTHOR_FIELDS: ReadonlySet<string> = new Set(['by', 'who', 'user']);

/** Author of a change. The server names authors without a login by a code. */
function authorText(who: string): string {
  const [, token] = /^token (.+)$/.exec(who) ?? [];
  if (token !== undefined) return `${AUTHORS.token} ${token}`;
  return Object.hasOwn(AUTHORS, who) ? (AUTHOR_TEXTS[who] ?? who) : who;
}

/** Value of a field inside a sentence. */
function factText(name: string, text: string): string {
  if (text === MASK) return '';
  if (name === 'alarm') return alarmOf(name, text) || text;
  if (AUTHOR_FIELDS.has(name)) return authorText(text);
  if (text === '' || !name.endsWith('_ms')) return text;
  const ms = Number(text);
  // A single picture is shorter than a tenth of a second.
  return ms > 0 && ms < 100 ? `${ms} ms` : formatSpan(ms);
}

function codeTitle(code: string | undefined): string {
  return code !== undefined && isErrorCode(code) ? errorTitle(code) : '';
}
