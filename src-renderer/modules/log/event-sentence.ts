import { MASK } from '../../lib/mask.ts';
import { EVENTS, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { authorText } from '../../lib/author-texts.ts';
import { formatSpan } from '../../lib/format.ts';
import { ALARM_LABELS } from '../../domain/alarms/texts.ts';
import { actOf, filledAct } from './act-texts.ts';
import { ADDITIONS, SENTENCES } from './sentence-texts.ts';

/** Fields that the page shows elsewhere, or that only programs read. */
const COLUMNS: ReadonlySet<string> = new Set([
  'event',
  'event_id',
  'utc_ms',
  'server',
  'media',
  'fault',
  'facts',
  'explanation',
  'changes',
]);

/** Fields of the event kind, without empty ones. */
export function ownFields(event: ServerEvent): readonly (readonly [name: string, text: string])[] {
  return Object.entries(event)
    .filter(([name, value]) => !COLUMNS.has(name) && value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
}

/** Sentence of an event without additions. */
export function sentenceOf(event: ServerEvent, fields = new Map(ownFields(event))): string {
  const fact = (name: string): string => {
    const text = name === 'media' ? (event.media ?? '') : (fields.get(name) ?? '');
    return isStill(event, name, text) ? ADDITIONS.still : factText(name, text);
  };
  const act = event.event === 'api_call' ? actOf(fact('path'), fact('operation'), fact('kind')) : undefined;
  if (act !== undefined)
    return filledAct(act, (name) => (name === 'who' ? fact('user') || ADDITIONS.somebody : fact(name)));
  return Object.hasOwn(EVENTS, event.event) ? SENTENCES[event.event](fact) : event.event;
}

/** Whether a value is the duration of a locked still: one picture is shorter than a tenth of a second. */
function isStill({ event }: ServerEvent, name: string, text: string): boolean {
  return /^dvr_(?:un)?locked$/.test(event) && name === 'duration_ms' && Number(text) < 100;
}

/** Fields with the author of a change. */
const AUTHOR_FIELDS: ReadonlySet<string> = new Set(['by', 'who', 'user']);

/** Author at the start of a sentence; logins keep their case. */
function authorAtStart(who: string): string {
  const text = authorText(who);
  return text === who ? who : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Value of a field inside a sentence. */
function factText(name: string, text: string): string {
  if (text === MASK) return '';
  if (name === 'alarm') return alarmLabel(text) || text;
  if (AUTHOR_FIELDS.has(name)) return authorAtStart(text);
  return text === '' || !name.endsWith('_ms') ? text : formatSpan(Number(text));
}

/** Title of an alarm; empty for an unknown one. */
export function alarmLabel(alarm: string): string {
  const labels: Readonly<Record<string, string>> = ALARM_LABELS;
  return Object.hasOwn(labels, alarm) ? (labels[alarm] ?? '') : '';
}
