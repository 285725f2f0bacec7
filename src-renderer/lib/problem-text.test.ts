import { afterEach, expect, it } from 'vitest';
import { ConfigDocument } from '../../src-main/config/document.ts';
import { i18n } from '../i18n/i18n.ts';
import { problemText } from './problem-text.ts';

const before = i18n.global.locale.value;
afterEach(() => {
  i18n.global.locale.value = before;
});

it('problemText returns sentences about a configuration text in the language of the desk', () => {
  i18n.global.locale.value = 'de';
  const texts = [
    'stream a { titel x; }',
    'y=1;',
    'stream a { segment_duration 1d; }',
    'stream a { title x; title y; }',
    'stream a {\n title x\n input publish://;\n}',
    'stream a { input publish:// priorty=2; }',
    'sessions_keys x;',
    'stream a {',
    'stream a { template news; }',
  ];
  const shown = texts.map((text) => problemText(ConfigDocument.parse(text).errors[0]));
  expect(shown).toMatchInlineSnapshot(`
    [
      "Unbekannte Direktive titel in stream; meinten Sie title?",
      "Unbekannte Direktive y=1 auf der obersten Ebene; setzen Sie eine Adresse oder einen Wert mit ; in Anführungszeichen",
      "segment_duration verlangt eine Zeit von 500ms bis 1m, etwa 2, 2s oder 500ms",
      "title steht schon in diesem Block",
      "Nach title fehlt ein ;, vor input in der nächsten Zeile",
      "input hat keine Option priorty; meinten Sie priority?",
      "Unbekannte Direktive sessions_keys auf der obersten Ebene",
      "Der Block ab Zeile 1 ist nicht geschlossen",
      "Es gibt weder eine Vorlage noch ein Live-Präfix news",
    ]
  `);
});

it('problemText returns an empty text without a problem', () => {
  expect(problemText(undefined)).toBe('');
});
