import { afterEach, expect, it } from 'vitest';
import { serverEventSchema } from '../../src-preload/contract/events/catalogue.ts';
import { because } from '../../src-preload/contract/index.ts';
import { i18n } from '../i18n/i18n.ts';
import { explainedText } from './explanation-text.ts';

const before = i18n.global.locale.value;
afterEach(() => {
  i18n.global.locale.value = before;
});

const REFUSED = 'connect ECONNREFUSED 127.0.0.1:80';
const NESTED = because('file_not_written', { explanation: because('disk_is_full', { path: '/a' }) });

it('builds the sentence from code and facts in the language of the desk', () => {
  const parts = [
    because('export_space', { bytes: 1_500_000, free: 12 }),
    because('file_not_removed', { explanation: REFUSED }),
    NESTED,
    because('udp_port_failed', { port: 9998, explanation: because('disk_became_full') }),
    because('input_failed', {
      number: 2,
      explanation: because('hls_no_key', {
        host: 'a.example',
        explanation: because('host_silent', { host: 'a.example', seconds: 2.5 }),
      }),
    }),
  ];
  i18n.global.locale.value = 'de';
  expect(parts.map(explainedText)).toEqual([
    'Der Export braucht 1.500.000 Bytes, frei sind nur 12',
    'Die Datei lässt sich nicht löschen: 127.0.0.1:80: die Verbindung wurde abgelehnt (ECONNREFUSED)',
    'Die Datei lässt sich nicht schreiben: /a ist voll',
    'UDP-Port 9998: Der Datenträger ist voll',
    'Eingang 2: Kein Schlüssel von a.example: a.example hat seit 2,5 s nichts gesendet',
  ]);
  i18n.global.locale.value = 'en';
  expect(explainedText(NESTED)).toBe(NESTED.detail);
});

it('shows the English sentence of a newer server, and messages of other programs', () => {
  i18n.global.locale.value = 'de';
  expect(explainedText({ detail: 'The tape tore', explanation: { code: 'tape_tore', facts: {} } })).toBe(
    'The tape tore',
  );
  expect(explainedText({ detail: 'segfault', explanation: null })).toBe('segfault');
});

it('comes with the events of the server', () => {
  const event = { event: 'dvr_drop_write', event_id: 1, utc_ms: 2, server: 'a', media: 'cam1', ...NESTED };
  expect(serverEventSchema.parse(event)).toEqual(event);
});
