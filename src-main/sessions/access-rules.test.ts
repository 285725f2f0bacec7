import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { OPEN_POLICY, type AccessList, type AccessPolicy } from './access-policy.ts';
import { judge, type Visitor } from './access-rules.ts';

const BACKEND = [{ location: { kind: 'http', url: 'http://127.0.0.1:1/' }, extra: {} }] as const;

function visitor(facts: Partial<Visitor> = {}): Visitor {
  return {
    name: 'cam',
    ip: '192.0.2.7',
    token: 'abc',
    country: null,
    userAgent: 'VLC/3.0',
    referer: '',
    host: 'media.example.org',
    proto: 'hls',
    ...facts,
  };
}

function list(
  facts: Partial<Omit<AccessList, 'networks'>> & { readonly network?: readonly [string, number] } = {},
): AccessList {
  const networks = new BlockList();
  if (facts.network)
    networks.addSubnet(facts.network[0], facts.network[1], facts.network[0].includes(':') ? 'ipv6' : 'ipv4');
  return {
    tokens: facts.tokens ?? new Set(),
    networks,
    countries: facts.countries ?? new Set(),
    players: facts.players ?? [],
  };
}

function kindOf(policy: Partial<AccessPolicy>, who: Partial<Visitor> = {}): string {
  return judge({ ...OPEN_POLICY, ...policy }, visitor(who)).kind;
}

describe('access rules', () => {
  it('refuse disabled protocols without a request to a backend', () => {
    const policy = { backends: BACKEND, protocolsOff: new Set(['dash']) };
    expect([kindOf(policy, { proto: 'dash' }), kindOf(policy, { proto: 'hls' })]).toEqual(['deny', 'ask']);
  });

  it('allow all viewers without rules or backends, and use a configured backend', () => {
    expect([kindOf({}), kindOf({ backends: BACKEND })]).toEqual(['allow', 'ask']);
  });

  it.each<[string, Partial<Visitor>, string]>([
    ['a listed page', { referer: 'https://tv.example.org/live' }, 'allow'],
    ['a page of a subdomain', { referer: 'https://a.b.example.net/live' }, 'allow'],
    ['the domain of a wildcard itself', { referer: 'https://example.net/live' }, 'deny'],
    ['another page', { referer: 'https://tv.example.com/' }, 'deny'],
    ['a host with the same ending', { referer: 'https://notexample.net/' }, 'deny'],
    ['a listed host in the path', { referer: 'https://example.com/tv.example.org' }, 'deny'],
    ['no page', {}, 'deny'],
    ['no address', { referer: 'tv.example.org' }, 'deny'],
    ['the embeddable player', { referer: 'https://media.example.org/cam/embed.html' }, 'allow'],
  ])('decide by domain: %s', (_what, who, kind) => {
    expect(kindOf({ domains: ['TV.example.org', '*.example.net'] }, who)).toBe(kind);
  });

  it.each<[string | null, string, string]>([
    ['DE', 'allow', 'deny'],
    ['FR', 'deny', 'allow'],
    [null, 'deny', 'allow'],
  ])('decide by country: %s', (country, allowed, disallowed) => {
    expect(kindOf({ allowedCountries: new Set(['DE']) }, { country })).toBe(allowed);
    expect(kindOf({ disallowedCountries: new Set(['DE']) }, { country })).toBe(disallowed);
  });

  it.each<[string, Partial<AccessPolicy>, string]>([
    ['an allowed token', { allow: list({ tokens: new Set(['abc']) }) }, 'allow'],
    ['a denied token', { deny: list({ tokens: new Set(['abc']) }) }, 'deny'],
    [
      'an allowed token of a denied address',
      { allow: list({ tokens: new Set(['abc']) }), deny: list({ network: ['192.0.2.0', 24] }) },
      'allow',
    ],
    [
      'a denied token of an allowed address',
      { allow: list({ network: ['192.0.2.0', 24] }), deny: list({ tokens: new Set(['abc']) }) },
      'deny',
    ],
    ['an address of an allowed network', { allow: list({ network: ['192.0.2.0', 24] }) }, 'allow'],
    ['an address of another network', { allow: list({ network: ['192.0.2.128', 25] }) }, 'ask'],
    ['an allowed player', { allow: list({ players: ['VLC'] }) }, 'allow'],
    [
      'a denied player of an allowed country',
      { allow: list({ countries: new Set(['DE']) }), deny: list({ players: ['VLC'] }) },
      'allow',
    ],
    ['a token in no list', { allow: list({ tokens: new Set(['x']) }), deny: list({ tokens: new Set(['y']) }) }, 'ask'],
  ])('decide by list: %s', (_what, policy, kind) => {
    expect(kindOf({ backends: BACKEND, ...policy }, { country: 'DE' })).toBe(kind);
  });

  it('match networks of both address families', () => {
    expect(kindOf({ backends: BACKEND, deny: list({ network: ['2001:db8::', 32] }) }, { ip: '2001:db8:1::7' })).toBe(
      'deny',
    );
    expect(kindOf({ backends: BACKEND, deny: list({ network: ['192.0.2.7', 32] }) }, { ip: '::ffff:192.0.2.7' })).toBe(
      'deny',
    );
    expect(kindOf({ backends: BACKEND, deny: list({ network: ['192.0.2.0', 24] }) }, { ip: '' })).toBe('ask');
  });

  it('use the default if lists do not match and there is no backend', () => {
    expect(kindOf({ deny: list(), isAllowedByDefault: false })).toBe('deny');
    expect(kindOf({ deny: list(), isAllowedByDefault: true })).toBe('allow');
  });
});
