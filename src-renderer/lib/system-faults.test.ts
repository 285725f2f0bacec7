import { afterEach, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { systemText } from './system-faults.ts';

const before = i18n.global.locale.value;
afterEach(() => {
  i18n.global.locale.value = before;
});

it('systemText translates system errors, and appends the error code', () => {
  expect(systemText('connect ECONNREFUSED 127.0.0.1:80')).toBe('127.0.0.1:80: connection refused (ECONNREFUSED)');
  i18n.global.locale.value = 'de';
  expect(
    [
      'connect ECONNREFUSED 127.0.0.1:80',
      'listen EADDRINUSE: address already in use 0.0.0.0:1935',
      'getaddrinfo ENOTFOUND nowhere.example',
      "ENOENT: no such file or directory, open '/srv/a b.mp4'",
      'read ECONNRESET',
      '-1094995529',
      'x'.repeat(100_000),
      '127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9',
      'cdn.example: connect ECONNREFUSED 192.0.2.1:80',
      'connect ENOTHING 1',
    ].map(systemText),
  ).toEqual([
    '127.0.0.1:80: die Verbindung wurde abgelehnt (ECONNREFUSED)',
    '0.0.0.0:1935: ein anderes Programm benutzt den Port (EADDRINUSE)',
    'nowhere.example: der Rechnername wurde nicht gefunden (ENOTFOUND)',
    '/srv/a b.mp4: Datei oder Ordner nicht gefunden (ENOENT)',
    'die Gegenseite hat die Verbindung getrennt (ECONNRESET)',
    'es ist keine Mediendatei, oder sie ist beschädigt',
    'x'.repeat(100_000),
    '127.0.0.1:9: die Verbindung wurde abgelehnt (ECONNREFUSED)',
    'cdn.example: 192.0.2.1:80: die Verbindung wurde abgelehnt (ECONNREFUSED)',
    'connect ENOTHING 1',
  ]);
});
