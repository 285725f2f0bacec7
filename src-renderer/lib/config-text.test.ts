import { afterEach, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { configText } from './config-text.ts';

const before = i18n.global.locale.value;
afterEach(() => {
  i18n.global.locale.value = before;
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
