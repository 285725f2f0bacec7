import { afterEach, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { configText, detailText } from './detail-text.ts';

const before = i18n.global.locale.value;
afterEach(() => {
  i18n.global.locale.value = before;
});

it('translates details of the server, with their figures and names', () => {
  const said = [
    'input 2: No connection: refused',
    '192.0.2.9:80 gave no answer in 5000 ms',
    'no frame for 3 s',
    'else',
  ];
  i18n.global.locale.value = 'de';
  expect(said.map(detailText)).toEqual([
    'Eingang 2: Keine Verbindung: refused',
    '192.0.2.9:80 antwortete nicht in 5000 ms',
    'kein Bild und kein Ton seit 3 s',
    'else',
  ]);
  i18n.global.locale.value = 'en';
  expect(said.map(detailText)).toEqual(said);
  expect(detailText('x'.repeat(100_000))).toHaveLength(100_000);
});

it('translates system errors, and appends the error code', () => {
  expect(detailText('connect ECONNREFUSED 127.0.0.1:80')).toBe(
    '127.0.0.1:80: the connection is refused (ECONNREFUSED)',
  );
  i18n.global.locale.value = 'de';
  expect(
    [
      'connect ECONNREFUSED 127.0.0.1:80',
      'listen EADDRINUSE: address already in use 0.0.0.0:1935',
      'getaddrinfo ENOTFOUND nowhere.example',
      "ENOENT: no such file or directory, open '/srv/a b.mp4'",
      'read ECONNRESET',
      'Opening /srv/x.mp4 failed (FFmpeg -1094995529)',
      'The password for cam1 is missing or wrong; it goes behind the name as ?password= (192.0.2.7:4123)',
      '127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9',
      'cdn.example: connect ECONNREFUSED 192.0.2.1:80',
      'connect ENOTHING 1',
    ].map(detailText),
  ).toEqual([
    '127.0.0.1:80: die Verbindung wurde abgelehnt (ECONNREFUSED)',
    '0.0.0.0:1935: ein anderes Programm benutzt den Port (EADDRINUSE)',
    'nowhere.example: der Rechnername wurde nicht gefunden (ENOTFOUND)',
    '/srv/a b.mp4: Datei oder Ordner nicht gefunden (ENOENT)',
    'die Gegenseite hat die Verbindung getrennt (ECONNRESET)',
    '/srv/x.mp4 öffnen misslang (FFmpeg: es ist keine Mediendatei, oder sie ist beschädigt)',
    'Das Passwort für cam1 fehlt oder ist falsch; es steht hinter dem Namen als ?password= (192.0.2.7:4123)',
    '127.0.0.1:9: die Verbindung wurde abgelehnt (ECONNREFUSED)',
    'cdn.example: 192.0.2.1:80: die Verbindung wurde abgelehnt (ECONNREFUSED)',
    'connect ENOTHING 1',
  ]);
});

it('translates configuration errors, with the suggested name', () => {
  i18n.global.locale.value = 'de';
  expect(
    [
      'There is no directive titel in stream; did you mean title?',
      'There is no directive y=1 at the top level; an address or value with ; stands in quotation marks',
      'segment_duration takes a time from 500ms to 1m, such as 2, 2s or 500ms',
      'segment_duration stands in this block already',
      'A ; is missing after title, before input in the next line',
      'input has no option prio; did you mean priority?',
    ].map(configText),
  ).toEqual([
    'Unbekannte Direktive titel in stream; meinten Sie title?',
    'Unbekannte Direktive y=1 auf der obersten Ebene; eine Adresse oder ein Wert mit ; steht in Anführungszeichen',
    'segment_duration verlangt eine Zeit von 500ms bis 1m, etwa 2, 2s oder 500ms',
    'segment_duration steht schon in diesem Block',
    'Nach title fehlt ein ;, vor input in der nächsten Zeile',
    'input hat keine Option prio; meinten Sie priority?',
  ]);
});
