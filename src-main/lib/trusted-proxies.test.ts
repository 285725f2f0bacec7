import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isProxied, TrustedProxies } from './trusted-proxies.ts';

function headers(values: Readonly<Record<string, string>>): (name: string) => string | undefined {
  return (name) => values[name];
}

const proxies = new TrustedProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);

describe('TrustedProxies', () => {
  it.each([
    ['no proxy and no header', '192.0.2.1', {}, '192.0.2.1'],
    [
      'no proxy, but a client with a forged header',
      '192.0.2.1',
      { 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '198.51.100.1' },
      '192.0.2.1',
    ],
    ['a proxy without headers', '127.0.0.1', {}, '127.0.0.1'],
    ['a proxy with X-Forwarded-For', '127.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
    ['a proxy with X-Real-IP', '127.0.0.1', { 'x-real-ip': '198.51.100.1' }, '198.51.100.1'],
    [
      'a client that forged the first hop',
      '127.0.0.1',
      { 'x-forwarded-for': '127.0.0.1, 198.51.100.1' },
      '198.51.100.1',
    ],
    [
      'a client that forged X-Real-IP',
      '127.0.0.1',
      { 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '127.0.0.1' },
      '198.51.100.1',
    ],
    ['two proxies', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9, 198.51.100.1, 10.1.2.3' }, '198.51.100.1'],
    ['only proxies', '127.0.0.1', { 'x-forwarded-for': '10.0.0.9, 10.1.2.3' }, '10.0.0.9'],
    ['a hop that is no address', '127.0.0.1', { 'x-forwarded-for': '198.51.100.1, unknown, 10.1.2.3' }, '10.1.2.3'],
    ['ports', '127.0.0.1', { 'x-forwarded-for': '198.51.100.1:443' }, '198.51.100.1'],
    ['IPv6 with a port', '2001:db8::1', { 'x-forwarded-for': '[2001:db9::5]:443' }, '2001:db9::5'],
    ['a broken X-Real-IP', '127.0.0.1', { 'x-real-ip': 'localhost' }, '127.0.0.1'],
    ['IPv4 on an IPv6 socket', '::ffff:10.0.0.1', { 'x-forwarded-for': '::ffff:198.51.100.1' }, '198.51.100.1'],
  ])('finds the client address for %s', (_what, peer, given, address) => {
    expect(proxies.clientAddress(peer, headers(given))).toBe(address);
  });

  it('trusts no proxy by default', () => {
    expect(new TrustedProxies([]).clientAddress('127.0.0.1', headers({ 'x-forwarded-for': '198.51.100.1' }))).toBe(
      '127.0.0.1',
    );
    expect(new TrustedProxies([]).isTrusted('127.0.0.1')).toBe(false);
  });

  it('never uses an address before the last untrusted one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (header) => {
        expect(
          proxies.clientAddress('127.0.0.1', headers({ 'x-forwarded-for': `${header},198.51.100.1, 10.0.0.1` })),
        ).toBe('198.51.100.1');
      }),
    );
  });

  it('returns an address for any header of any length', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 5000 }),
        (header) =>
          typeof proxies.clientAddress('10.0.0.1', headers({ 'x-forwarded-for': header, 'x-real-ip': header })) ===
          'string',
      ),
    );
  });
});

describe('isProxied', () => {
  it('recognizes requests by the headers of proxies', () => {
    expect(isProxied(headers({ host: 'a' }))).toBe(false);
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
      expect(isProxied(headers({ [name]: 'x' }))).toBe(true);
  });
});
