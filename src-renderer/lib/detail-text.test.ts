import { afterEach, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { detailText } from './detail-text.ts';

const before = i18n.global.locale.value;
afterEach(() => {
  i18n.global.locale.value = before;
});

it('says what the server says in the language of the desk, with its figures and names', () => {
  const said = [
    'input 2: No connection: refused',
    '192.0.2.9:80 gave no answer in 5000 ms',
    'no frame for 3 s',
    'It cannot be played: ad.mp4 was not read in time',
    'else',
  ];
  i18n.global.locale.value = 'de';
  expect(said.map(detailText)).toEqual([
    ...['input 2: Keine Verbindung: refused', '192.0.2.9:80 antwortete nicht in 5000 ms'],
    ...['kein Bild und kein Ton seit 3 s', 'Nicht abspielbar: ad.mp4 wurde nicht rechtzeitig gelesen', 'else'],
  ]);
  i18n.global.locale.value = 'en';
  expect(said.map(detailText)).toEqual(said);
  expect(detailText('x'.repeat(100_000))).toHaveLength(100_000);
});
