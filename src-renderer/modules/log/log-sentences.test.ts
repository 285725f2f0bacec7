import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CALLS } from '../../../src-preload/contract/calls.ts';
import { EVENTS, type EventKind, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { FAULT_TEXTS, type AlarmFault } from '../../../src-preload/contract/api/alarm-faults.ts';
import { alarmObjectSchema } from '../../../src-preload/contract/api/alarm-object.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { i18n, type Language } from '../../i18n/i18n.ts';
import { ALARM_LABELS } from '../../domain/alarms/texts.ts';
import { detailOf, eventLine, explanationOf } from './event-lines.ts';

afterEach(() => {
  i18n.global.locale.value = 'en';
});

const UUID = '0b9d3a52-6c1e-4f0a-9a57-2f6a8c1f7d10';
const LANGUAGES: readonly Language[] = ['en', 'de'];
/** Names that a sentence may contain. All other texts of a test event are ids. */
const NAMES: Readonly<Record<string, string>> = {
  media: 'cam1',
  version: '1.2.3',
  ip: '192.0.2.7',
  by: 'admin',
  who: 'admin',
  user: 'admin',
  origin: 'desk 192.0.2.1',
  input: 'input 2',
  from: 'input 1',
  sink: 'tower',
  clip: 'ads/spot.mp4',
  path: 'live/cam1',
  url: 'rtmp://192.0.2.9/live',
  target: 'Ana Berg',
  parent: 'Kiosk',
  portal_name: 'Kiosk',
  alarm: 'no_input',
  detail: 'as the other side said it',
  summary: 'http',
  note: 'keep this',
};
/** Signs of machine text: an id, a template or a missing value. */
const FOREIGN =
  /[0-9a-f]{8}-[0-9a-f]{4}|\d{10,}|[{}[\]|]|undefined|null|\bNaN\b|\w+_\w+|\b[a-z]+\.[a-z]+_?[a-z]*\(|\s{2}|^\s|\s$/;

/** Event of a kind with an id in each text that is no name, and with the last value of each list. */
function madeEvent(kind: EventKind, more: Readonly<Record<string, string | number | null>> = {}): ServerEvent {
  const fields = Object.entries<z.ZodType>(EVENTS[kind].fields).map(([name, schema]) => [
    name,
    madeValue(name, schema),
  ]);
  return {
    event: kind,
    event_id: 7,
    utc_ms: 0,
    server: 'studio',
    ...Object.fromEntries(fields),
    ...more,
  } as ServerEvent;
}

function madeValue(name: string, schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return madeValue(name, schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodEnum) return schema.options.at(-1);
  if (schema instanceof z.ZodUnion) return madeValue(name, schema.options[0] as z.ZodType);
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodNumber) return name.endsWith('_ms') ? 65_000 : 25;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodString) return NAMES[name] ?? (name === 'code' ? 'input_refused' : UUID);
  return undefined;
}

function inLanguage(language: Language, event: ServerEvent): string {
  i18n.global.locale.value = language;
  return eventLine(event);
}

const KINDS = Object.keys(EVENTS) as EventKind[];

it('the log explains a wrong answer about advertisements in the language of the desk', () => {
  const fault = because('schema_of_field', {
    field: 'ad_inject',
    explanation: because('schema_key_unknown', { name: 'splicing' }),
  });
  const event: ServerEvent = Object.assign(madeEvent('ad_answer'), { is_refused: true }, fault);
  expect(inLanguage('de', event)).toBe(
    'Die Antwort des Backends zur Werbung für cam1 enthält Fehler. Werbung wird nicht eingefügt · ad_inject: Den Schlüssel splicing gibt es hier nicht',
  );
  expect(inLanguage('en', event)).toContain('ad_inject: There is no key splicing here');
});

describe.each(LANGUAGES)('in %s, the log line', (language) => {
  it.each(KINDS.filter((kind) => kind !== 'api_call'))('of %s is a sentence without ids and codes', (kind) => {
    const line = inLanguage(language, madeEvent(kind));
    expect(line).not.toMatch(FOREIGN);
    expect(line.split(' ').length).toBeGreaterThan(2);
    if (language === 'de') expect(line).not.toBe(inLanguage('en', madeEvent(kind)));
  });

  it.each(KINDS.filter((kind) => 'media' in EVENTS[kind].fields))('of %s names its stream', (kind) => {
    expect(inLanguage(language, madeEvent(kind, { path: null }))).toContain('cam1');
  });

  it('of a refused key names its portal', () => {
    expect(inLanguage(language, madeEvent('portal_key_refused'))).toContain('Kiosk');
  });

  it.each(changes())('of the change %s %s is a sentence with its names', (path, kind) => {
    const facts = { method: 'CALL', path, kind, operation: null, status: 200, reason: null, detail: null, count: null };
    const line = inLanguage(language, madeEvent('api_call', facts));
    expect(line).toMatch(/^admin /);
    expect(line).not.toMatch(FOREIGN);
    expect(line).not.toContain(language === 'en' ? 'HTTP API' : 'HTTP-API');
    // An operator reads who changed what. A restored ban, several viewers and settings of the server have no name.
    if (!NAMELESS.has(path)) expect(line).toMatch(/Ana Berg|Kiosk/);
    const bare = inLanguage(language, madeEvent('api_call', { ...facts, target: null, parent: null }));
    if (OPTIONAL.test(`${path} ${kind}`)) expect(bare).not.toMatch(FOREIGN);
  });

  it.each(operations())('of the HTTP operation %s is a sentence without the address', (operation) => {
    const path = `/mediaserver/api/v3/things/${UUID}`;
    const line = inLanguage(
      language,
      madeEvent('api_call', { method: 'PUT', path, kind: null, operation, status: 200 }),
    );
    expect(line).not.toMatch(FOREIGN);
    expect(line).not.toMatch(/HTTP.API/);
  });

  it.each(Object.keys(FAULT_TEXTS) as AlarmFault[])(
    'of an alarm with the fault %s does not repeat the label',
    (fault) => {
      i18n.global.locale.value = language;
      const facts = { name: 'tower', explanation: 'ECONNREFUSED', before: 'h264', now: 'hevc' };
      const detail = detailOf({ ...madeEvent('alarm_raised'), media: 'cam1', fault, facts }, '');
      const labels = alarmObjectSchema.shape.alarm.options.map((alarm) => ALARM_LABELS[alarm]);
      expect(labels.filter((label) => label.includes(' ') && detail.startsWith(label))).toEqual([]);
    },
  );

  it('of an event with a reason explains the reason', () => {
    i18n.global.locale.value = language;
    const unexplained = KINDS.flatMap((kind) => {
      const reason: unknown = Reflect.get(EVENTS[kind].fields, 'reason');
      const options = reason instanceof z.ZodEnum ? reason.options : [];
      return options.filter((option) => explanationOf('reason', String(option), madeEvent(kind)) === '');
    });
    expect(unexplained).toEqual([]);
  });
});

/** Calls without an object that has a name. */
const NAMELESS: ReadonlySet<string> = new Set([
  ...(['sessions.close_all', 'sessions.unban', 'archive.allow_deletion', 'system.confirm_keys'] as const),
  ...(['config.apply', 'config.confirm', 'config.rollback', 'config.reload'] as const),
  'people.change_own_password',
]);
/** Changes of objects that may be removed before they are named. */
const OPTIONAL =
  /^(?:cases\.(?!create)|alarms|sessions|portals\.(?:update|r|test|discard)|subscribers\.(?!change create))/;

/** Calls that change something, with the kinds of their changes. */
function changes(): [path: string, kind: string][] {
  const types = CALLS['subscribers.change'].input.shape.change.options.flatMap(({ shape }) =>
    shape.type instanceof z.ZodLiteral ? [...shape.type.values] : shape.type.options,
  );
  return Object.entries(CALLS).flatMap(([name, { isWrite }]): [string, string][] => {
    if (!isWrite) return [];
    if (name === 'subscribers.change') return types.map((type) => [name, type]);
    if (name === 'streams.disable_all')
      return [
        [name, 'disable'],
        [name, 'enable'],
      ];
    return name === 'streams.record_all'
      ? [
          [name, 'start'],
          [name, 'stop'],
        ]
      : [[name, '']];
  });
}

/** Operations of the HTTP APIs with which a login may change something. */
function operations(): string[] {
  const golden = readFileSync('tests/golden/operations.txt', 'utf8');
  const found = [...golden.matchAll(/^(?:PUT|POST|DELETE) \S+ (\w+) (?:edit|operate)\b/gm)];
  return found.map(([, id = '']) => id);
}

it('the sentence of an event contains no mask of texts that the login may not see', () => {
  const masked = { detail: '********', note: '********', summary: '', changes: undefined };
  const lost = { event: 'input_switched', event_id: 1, utc_ms: 1, server: 's', media: 'cam1', code: null, ...masked };
  expect(eventLine({ ...lost, input: 'input 1', from: 'input 2' } as unknown as ServerEvent)).toBe(
    'cam1 switched from input 2 to input 1',
  );
  const changes = [{ part: '********' }];
  const applied = { event: 'config_applied', event_id: 1, utc_ms: 1, server: 's', by: 'admin', ...masked };
  expect(eventLine({ ...applied, summary: '********', changes } as unknown as ServerEvent)).toBe(
    'admin changed the configuration',
  );
});
