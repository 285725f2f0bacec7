import { describe, expect, it } from 'vitest';
import { TrustedProxies } from '../lib/trusted-proxies.ts';
import { originOf } from './request-origin.ts';

const OWN = { hostname: 'Studio', names: ['media.example.org'], origins: ['https://dash.example.org'] };
const proxies = new TrustedProxies(['192.0.2.1']);

function origin(
  peer: string,
  headers: Readonly<Record<string, string>>,
  trusted = proxies,
): ReturnType<typeof originOf> {
  return originOf({ peer, header: (name) => headers[name] }, trusted, OWN);
}

describe('originOf', () => {
  it.each([
    '127.0.0.1:8080',
    'localhost',
    'LOCALHOST:80',
    'desk.localhost',
    '[::1]:8080',
    '192.0.2.7',
    'studio:8080',
    'studio.',
    'media.example.org:443',
  ])('treats %s as a name of this machine', (host) => {
    expect(origin('127.0.0.1', { host }).isLocal).toBe(true);
  });

  it('accepts requests without a Host header, which all browsers send', () => {
    expect(origin('::1', {}).isLocal).toBe(true);
  });

  it.each([
    ['a foreign name that resolves to this machine', { host: 'evil.example:8080' }],
    ['a name that only starts like the own name', { host: 'localhost.evil.example' }],
    ['an empty name', { host: '' }],
    ['a proxy with X-Forwarded-For', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy with X-Real-IP', { host: 'localhost', 'x-real-ip': '127.0.0.1' }],
    ['a proxy with Forwarded (RFC 7239)', { host: 'localhost', forwarded: 'for=127.0.0.1' }],
    ['a page of another site', { host: 'localhost', 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { host: 'localhost:8080', 'sec-fetch-site': 'same-site' }],
    ['a page of another origin', { host: 'localhost:8080', origin: 'http://localhost:3000' }],
    ['a page without an origin', { host: 'localhost:8080', origin: 'null' }],
  ])('gives no rights of this machine to %s', (_what, headers) => {
    expect(origin('127.0.0.1', headers).isLocal).toBe(false);
  });

  it('recognizes pages of this server, also through a trusted proxy', () => {
    expect(
      origin('127.0.0.1', { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }),
    ).toEqual({ address: '127.0.0.1', isLocal: true, isCrossSitePage: false, isOtherHost: false, isOwnPage: true });
    expect(origin('127.0.0.1', { host: 'localhost:80', origin: 'http://localhost' }).isCrossSitePage).toBe(false);
    const forwarded = {
      host: '127.0.0.1:8080',
      'x-forwarded-host': 'media.example.org',
      'x-forwarded-for': '198.51.100.1',
      origin: 'https://media.example.org',
    };
    expect(origin('192.0.2.1', forwarded)).toEqual({
      address: '198.51.100.1',
      isLocal: false,
      isCrossSitePage: false,
      isOtherHost: false,
      isOwnPage: true,
    });
    expect(origin('192.0.2.2', forwarded)).toEqual({
      address: '192.0.2.2',
      isLocal: false,
      isCrossSitePage: true,
      isOtherHost: false,
      isOwnPage: false,
    });
  });

  it('never treats a loopback address in a header as this machine', () => {
    expect(origin('192.0.2.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' })).toEqual({
      address: '127.0.0.1',
      isLocal: false,
      isCrossSitePage: false,
      isOtherHost: false,
      isOwnPage: false,
    });

    const local = new TrustedProxies(['127.0.0.1']);
    expect(origin('127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, local).isLocal).toBe(false);
  });
});

describe('a request of a page', () => {
  const host = 'localhost:8080';
  it.each([
    ['of an allowed origin', { origin: 'https://dash.example.org', 'sec-fetch-site': 'cross-site' }, [false, true]],
    ['of an unknown origin, on the site of an allowed one', { 'sec-fetch-site': 'cross-site' }, [true, false]],
    ['of an origin with the same start', { origin: 'https://dash.example.org.evil.example' }, [true, false]],
    ['that a person opens', { 'sec-fetch-site': 'none' }, [false, true]],
    ['of this server', { 'sec-fetch-site': 'same-origin' }, [false, true]],
    ['of no site, from a client that is no browser', {}, [false, false]],
  ])('%s is classified', (_what, headers, [isCrossSitePage, isOwnPage]) => {
    expect(origin('127.0.0.1', { host, ...headers })).toMatchObject({ isCrossSitePage, isOwnPage });
  });
});
