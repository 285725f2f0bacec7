import { afterEach, expect, it } from 'vitest';
import { i18n } from '../../../i18n/i18n.ts';
import { docText } from './doc-text.ts';

afterEach(() => {
  i18n.global.locale.value = 'en';
});

it('translates the description of a directive; unknown descriptions stay', () => {
  const texts = ['The login.', 'Whether encoders may publish.', 'Something new.'];
  expect(texts.map(docText)).toEqual(texts);
  i18n.global.locale.value = 'de';
  expect(texts.map(docText)).toEqual(['Name des Logins.', 'Erlaubt Encodern zu senden.', 'Something new.']);
});
