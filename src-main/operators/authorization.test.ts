import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAuthorization } from './authorization.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

describe('parseAuthorization', () => {
  it.each([
    ['Basic', `Basic ${encoded('admin:open sesame')}`, { login: 'admin', password: 'open sesame' }],
    ['any case', `bAsIc   ${encoded('admin:x')} `, { login: 'admin', password: 'x' }],
    ['Bearer with the same value', `Bearer ${encoded('admin:x')}`, { login: 'admin', password: 'x' }],
    ['colons in the password', `Basic ${encoded('admin:a:b')}`, { login: 'admin', password: 'a:b' }],
    ['letters beyond ASCII', `Basic ${encoded('Zoë:pässe')}`, { login: 'Zoë', password: 'pässe' }],
    ['no padding', `Basic ${encoded('admin:x').replace(/=+$/, '')}`, { login: 'admin', password: 'x' }],
  ])('parses %s', (_what, header, given) => {
    expect(parseAuthorization(header)).toEqual(given);
  });

  it.each([
    '',
    'Basic',
    'Basic !',
    `Digest ${encoded('a:b')}`,
    `Bearer ${encoded('token')}`,
    `Basic ${'A'.repeat(2001)}`,
  ])('returns undefined for %j', (header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });

  it('returns the encoded login and password', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        (name, password) => {
          const login = name.replaceAll(':', '');
          expect(parseAuthorization(`Basic ${encoded(`${login}:${password}`)}`)).toEqual({
            login,
            password,
          });
        },
      ),
    );
  });
});
