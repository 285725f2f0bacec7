import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newToken, tokenOf, withToken } from './token.ts';

describe('tokens in query strings', () => {
  it.each([
    ['', ''],
    ['token=abc', 'abc'],
    ['a=1&token=abc&b=2', 'abc'],
    ['token=', ''],
    ['token', ''],
    ['mytoken=abc', ''],
    ['a=token=abc', ''],
    ['token=a%20b', 'a b'],
    ['token=a+b', 'a b'],
    ['token=%zz', ''],
    ['token=1&token=2', '1'],
    [`token=${'x'.repeat(2001)}`, ''],
  ])('are parsed from %s', (query, token) => {
    expect(tokenOf(query, 'token')).toBe(token);
  });

  it('can be added and parsed, while other parameters are kept', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 50, minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed()),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z0-9]{1,8}$/)),
        (token, others) => {
          const query = new URLSearchParams(others).toString();
          const withBoth = withToken(query, 'token', token);
          expect(tokenOf(withBoth, 'token')).toBe(token);
          const rest = new URLSearchParams(withBoth);
          for (const [name, value] of Object.entries(others)) if (name !== 'token') expect(rest.get(name)).toBe(value);
        },
      ),
    );
  });

  it('are different each time', () => {
    expect(newToken()).toMatch(/^[0-9a-f]{32}$/);
    expect(newToken()).not.toBe(newToken());
  });
});
