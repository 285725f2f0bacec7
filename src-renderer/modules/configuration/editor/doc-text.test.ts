import { afterEach, expect, it } from 'vitest';
import { i18n } from '../../../i18n/i18n.ts';
import { docText } from './doc-text.ts';

afterEach(() => {
  i18n.global.locale.value = 'en';
});

it('docText translates the description of a directive by its code, for any English sentence', () => {
  const docs = [
    { doc: 'Another sentence.', doc_code: 'login' },
    { doc: 'Something `new`.', doc_code: 'novelty' },
  ];
  expect(docs.map(docText)).toEqual(['Another sentence.', 'Something new.']);
  i18n.global.locale.value = 'de';
  expect(docs.map(docText)).toEqual(['Name des Logins.', 'Something new.']);
});
