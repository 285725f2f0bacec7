import { afterEach, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { authorText } from './author-texts.ts';

afterEach(() => {
  i18n.global.locale.value = 'en';
});

it('authorText describes authors without a login, and returns other logins', () => {
  const authors = ['admin', 'local', 'token robot', 'toString'];
  expect(authors.map(authorText)).toEqual(['admin', 'someone at the server', 'API token robot', 'toString']);
  i18n.global.locale.value = 'de';
  expect(authors.map(authorText)).toEqual(['admin', 'jemand am Server', 'API-Token robot', 'toString']);
});
