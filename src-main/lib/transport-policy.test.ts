import { describe, expect, it } from 'vitest';
import { TransportPolicy, type TransportSettings } from './transport-policy.ts';

const PROXY = '192.0.2.9';

function policy(settings: Partial<TransportSettings> = {}, httpsPort: number | undefined = 8443): TransportPolicy {
  return new TransportPolicy({
    settings: () => ({ httpsRedirect: 'on', hstsMs: 86_400_000, ...settings }),
    isTrustedProxy: (address) => address === PROXY,
    httpsPort: () => httpsPort,
  });
}

interface Facts {
  readonly method?: string;
  readonly target?: string;
  readonly peer?: string;
  readonly isEncrypted?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

function redirect(facts: Facts, of = policy()): string | undefined {
  const { headers = { host: 'tv.example.org:8080' }, ...rest } = facts;
  const header = (name: string): string | undefined => headers[name];
  return of.redirect({ method: 'GET', target: '/cam?a=1', peer: '198.51.100.1', isEncrypted: false, header, ...rest });
}

describe('TransportPolicy', () => {
  it('redirects requests for pages and playlists from HTTP to HTTPS, with the same host name', () => {
    expect(redirect({})).toBe('https://tv.example.org:8443/cam?a=1');
    expect(redirect({}, policy({}, 443))).toBe('https://tv.example.org/cam?a=1');
    expect(redirect({ method: 'HEAD', target: '/cam/index.m3u8' })).toBe('https://tv.example.org:8443/cam/index.m3u8');
    expect(redirect({ headers: { host: '[2001:db8::1]:80' } })).toBe('https://[2001:db8::1]:8443/cam?a=1');
  });

  it.each<[string, Facts]>([
    ['a request by https', { isEncrypted: true }],
    ['a request that changes something', { method: 'POST' }],
    ['a preflight', { method: 'OPTIONS' }],
    ['a segment', { target: '/cam/v1/1.m4s?token=x' }],
    ['a request from this machine', { peer: '::ffff:127.0.0.1' }],
    ['a health probe', { target: '/mediaserver/api/v3/monitoring/readiness' }],
    ['a request to an invalid host name', { headers: { host: 'a/b' } }],
    ['a request without a host name', { headers: {} }],
    [
      'a proxy that received the request by https',
      { peer: PROXY, headers: { host: 'a', 'x-forwarded-proto': 'https' } },
    ],
    ['a proxy that does not state the protocol', { peer: PROXY }],
  ])('does not redirect %s', (_what, facts) => {
    expect(redirect(facts)).toBeUndefined();
  });

  it('trusts the headers of configured proxies only', () => {
    const headers = { host: '10.0.0.1:8080', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'tv.example.org' };
    expect(redirect({ peer: PROXY, headers })).toBe('https://tv.example.org/cam?a=1');
    const claims = { host: 'a', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
    expect(redirect({ headers: claims })).toBe('https://a:8443/cam?a=1');
  });

  it('redirects local requests and probes only with `all`, and no request without a TLS port', () => {
    const all = policy({ httpsRedirect: 'all' });
    expect(redirect({ peer: '127.0.0.1' }, all)).toBeDefined();
    expect(redirect({ target: '/mediaserver/api/v3/monitoring/liveness' }, all)).toBeDefined();
    expect(redirect({}, policy({ httpsRedirect: 'off' }))).toBeUndefined();
    const none = new TransportPolicy({
      settings: () => ({ httpsRedirect: 'all', hstsMs: null }),
      isTrustedProxy: () => false,
      httpsPort: () => undefined,
    });
    expect(redirect({}, none)).toBeUndefined();
  });

  it('has HSTS for answers over HTTPS only', () => {
    const header = (name: string): string | undefined => (name === 'x-forwarded-proto' ? 'https' : undefined);
    const none = (): undefined => undefined;
    const of = policy();
    expect(of.strictTransport({ peer: '198.51.100.1', isEncrypted: true, header: none })).toBe('max-age=86400');
    expect(of.strictTransport({ peer: '198.51.100.1', isEncrypted: false, header })).toBeUndefined();
    expect(of.strictTransport({ peer: PROXY, isEncrypted: false, header })).toBe('max-age=86400');
    expect(of.strictTransport({ peer: PROXY, isEncrypted: false, header: none })).toBeUndefined();
    const silent = policy({ hstsMs: null });
    expect(silent.strictTransport({ peer: '198.51.100.1', isEncrypted: true, header: none })).toBeUndefined();
  });
});
