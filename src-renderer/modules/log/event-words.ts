import { z } from 'zod';
import { alarmFactsSchema, alarmFaultSchema } from '../../../src-preload/contract/api/alarm-words.ts';
import { isErrorCode, type ErrorCode } from '../../../src-preload/contract/index.ts';
import { EVENTS, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { detailText } from '../../lib/detail-text.ts';
import { adviceOf, errorTitle } from '../../lib/error-advice.ts';
import { formatSpan } from '../../lib/format.ts';
import { alarmDetail } from '../alarms/alarm-details.ts';
import { ALARM_WORDS } from '../alarms/texts.ts';
import { summaryText } from '../configuration/summary-text.ts';
import { MEANINGS, VALUES } from './event-texts.ts';
import { ACTS, ADDITIONS, SENTENCES } from './sentence-texts.ts';

/** Fields that stand in columns of their own. */
const COLUMNS: ReadonlySet<string> = new Set(['event', 'event_id', 'utc_ms', 'server', 'media', 'fault', 'facts']);
const alarmEventSchema = z.object({ fault: alarmFaultSchema, facts: alarmFactsSchema });

/** The fields of an event that are its own, without those that are empty. */
export function ownFields(event: ServerEvent): readonly (readonly [name: string, text: string])[] {
  return Object.entries(event)
    .filter(([name, value]) => !COLUMNS.has(name) && value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
}

/** When events of this kind happen, in a sentence; null for a kind that this desk does not know. */
export function meaningOf({ event }: ServerEvent): string | null {
  return Object.hasOwn(EVENTS, event) ? MEANINGS[event] : null;
}

/** What a code of the catalogue or a word of a field means, and what to do about it; empty where it says so itself. */
export function explanationOf(name: string, text: string): string {
  const code = codeOf(name, text);
  if (name === 'alarm') return alarmOf(name, text);
  if (code !== undefined) return [errorTitle(code), adviceOf(code)].filter(Boolean).join('. ');
  const isWord = name === 'reason' || name === 'status' || name === 'placement' || name === 'midroll_insert_by';
  return isWord && Object.hasOwn(WORDS, text) ? (WORDS[text] ?? '') : '';
}

/** The fields of the catalogue by their words. */
const WORDS: Readonly<Record<string, string>> = VALUES;

/** What an alarm is called; empty for another field. */
function alarmOf(name: string, text: string): string {
  const words: Readonly<Record<string, string>> = ALARM_WORDS;
  return name === 'alarm' && Object.hasOwn(words, text) ? (words[text] ?? '') : '';
}

function codeOf(name: string, text: string): ErrorCode | undefined {
  return name === 'code' && isErrorCode(text) ? text : undefined;
}

/** Detail of an event in the language of the desk. */
export function detailOf(event: ServerEvent, text: string): string {
  const { data } = alarmEventSchema.safeParse(event);
  return data ? alarmDetail({ ...data, detail: text }) : detailText(text);
}

/** An event as a sentence: what happened to what, by whom, and why. All fields are in the details. */
export function eventLine(event: ServerEvent): string {
  const fields = new Map(ownFields(event));
  const [title, detail] = [codeTitle(fields.get('code')), fields.get('detail')];
  const why = [
    title,
    detail === undefined || detail === title ? '' : detailOf(event, detail),
    explanationOf('reason', fields.get('reason') ?? ''),
    summaryText(fields.get('summary') ?? ''),
    fields.get('is_pending') === 'true' ? ADDITIONS.onTrial : '',
    event.event === 'api_call' && Number(fields.get('status')) >= 400 ? ADDITIONS.refused : '',
    fields.get('note') ?? '',
  ].filter(Boolean);
  return [sentenceOf(event, fields), ...why].join(' · ');
}

/** The sentence of an event alone. */
export function sentenceOf(event: ServerEvent, fields = new Map(ownFields(event))): string {
  const [path, target] = [fields.get('path') ?? '', fields.get('target') ?? ''];
  const act = event.event === 'api_call' ? (ACTS[`${path} ${target}`] ?? ACTS[path]) : undefined;
  if (act !== undefined)
    return act
      .replace('{who}', () => fields.get('user') ?? ADDITIONS.somebody)
      .replace('{target}', () => target)
      .trimEnd();
  if (!Object.hasOwn(EVENTS, event.event)) return event.event;
  const fact = (name: string): string =>
    factText(name, name === 'media' ? (event.media ?? '') : (fields.get(name) ?? ''));
  return SENTENCES[event.event](fact);
}

/** A field as it stands in a sentence. */
function factText(name: string, text: string): string {
  if (name === 'alarm') return alarmOf(name, text) || text;
  return text !== '' && name.endsWith('_ms') ? formatSpan(Number(text)) : text;
}

function codeTitle(code: string | undefined): string {
  return code !== undefined && isErrorCode(code) ? errorTitle(code) : '';
}
