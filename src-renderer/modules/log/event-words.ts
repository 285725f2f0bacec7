import { isErrorCode, type ErrorCode } from '../../../src-preload/contract/index.ts';
import { EVENTS, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { detailText } from '../../lib/detail-text.ts';
import { adviceOf, errorTitle } from '../../lib/error-advice.ts';
import { alarmSentence } from '../alarms/alarm-details.ts';
import { ALARM_WORDS } from '../alarms/texts.ts';
import { MEANINGS, VALUES } from './event-texts.ts';

/** Fields that stand in columns of their own. */
const COLUMNS: ReadonlySet<string> = new Set(['event', 'event_id', 'utc_ms', 'server', 'media']);

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

/** Whether a field names something by a number, or holds what only programs read. */
const isNumber = (name: string): boolean => /_id$|^(?:section|pts|dts)$/.test(name);

/** What an event says in detail, in the language of the desk. */
export function detailOf({ event }: ServerEvent, text: string): string {
  return event.startsWith('alarm_') ? alarmSentence(text) : detailText(text);
}

/** An event on one line: what it says in words where it does, then its other fields. */
export function eventLine(event: ServerEvent): string {
  const fields = ownFields(event);
  const titles = fields.flatMap(([name, text]) => {
    const code = codeOf(name, text);
    const alarm = alarmOf(name, text);
    return code === undefined ? (alarm === '' ? [] : [alarm]) : [errorTitle(code)];
  });
  const details = fields
    .filter(([name, text]) => name === 'detail' && !titles.includes(text))
    .map(([, text]) => detailOf(event, text));
  const words = [...titles, ...details];
  const named = fields.filter(([name]) => name !== 'detail');
  // What only programs read comes last.
  const others = [...named.filter(([name]) => !isNumber(name)), ...named.filter(([name]) => isNumber(name))];
  // "input 1", not "input input 1".
  return [...words, ...others.map(([name, text]) => (text.startsWith(`${name} `) ? text : `${name} ${text}`))].join(
    ' · ',
  );
}
