import { describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { OPEN_POLICY, type AccessPolicy } from '../sessions/access-policy.ts';
import { judge, type Visitor } from '../sessions/access-rules.ts';
import { AccessPolicies } from './session-policies.ts';

function policyOf(text: string, stream = 'cam'): AccessPolicy {
  const config = configOf(text);
  const settings = config.streams.get(stream) ?? config.livePrefixes.get(stream);
  if (!settings) throw new Error('no such stream');
  return new AccessPolicies(config, '/srv/airdesk').ofPlay(settings);
}

function positionsOf(text: string, stream = 'cam'): unknown[] {
  return policyOf(text, stream).backends.map(({ location }) => Object.values(location).at(-1));
}

const VISITOR: Visitor = {
  name: 'cam',
  ip: '192.0.2.7',
  token: 't',
  country: null,
  userAgent: 'VLC',
  referer: '',
  host: '',
  proto: 'hls',
};

describe('access policies of the configuration', () => {
  it('allow all viewers without a configured backend', () => {
    expect(policyOf('stream cam { input fake://; }')).toBe(OPEN_POLICY);
  });

  it.each([
    ['the stream', 'on_play http://g/; stream cam { input fake://; on_play http://s/; }', ['http://s/']],
    [
      'the stream, by the legacy name',
      'on_play http://g/; stream cam { input fake://; auth http://s/; }',
      ['http://s/'],
    ],
    ['its template', 'template t { on_play http://t/; } stream cam { template t; input fake://; }', ['http://t/']],
    [
      'its template before the legacy name',
      'template t { on_play http://t/; } stream cam { template t; input fake://; auth http://s/; }',
      ['http://t/'],
    ],
    ['the top level', 'on_play http://g/; auth http://a/; stream cam { input fake://; }', ['http://g/']],
    ['the top level, by the legacy name', 'auth http://a/; stream cam { input fake://; }', ['http://a/']],
    ['no backend if authorization is switched off', 'auth http://a/; stream cam { input fake://; auth false; }', []],
    ['a portal', 'stream cam { input fake://; on_play subscribers://city-tv; }', ['city-tv']],
    ['a file', 'stream cam { input fake://; on_play answers/yes.json; }', ['/srv/airdesk/answers/yes.json']],
    ['a file by its absolute path', 'stream cam { input fake://; on_play /etc/yes.json; }', ['/etc/yes.json']],
    ['a file by its address', 'stream cam { input fake://; on_play file:///etc/yes.json; }', ['/etc/yes.json']],
    [
      'several backends by a name',
      'auth_backend b { backend http://x/; backend http://y/; } stream cam { input fake://; on_play auth://b; }',
      ['http://x/', 'http://y/'],
    ],
    [
      'a portal and other backends by a name',
      'auth_backend b { backend http://x/; backend subscribers://city-tv; } stream cam { input fake://; on_play auth://b; }',
      ['http://x/', 'city-tv'],
    ],
  ])('use the backends of %s', (_what, text, places) => {
    expect(positionsOf(text)).toEqual(places);
  });

  it('allow all viewers if authorization is off, and none if the backend is unknown', () => {
    expect(judge(policyOf('auth http://a/; stream cam { input fake://; auth false; }'), VISITOR).kind).toBe('allow');
    expect(judge(policyOf('stream cam { input fake://; on_play auth://nobody; }'), VISITOR).kind).toBe('deny');
  });

  it('use subscribers for viewers by their tokens, but never for encoders', () => {
    const stream = (backends: string): string =>
      `auth_backend b { ${backends} } stream cam { input publish://; on_play auth://b session_keys=name,ip,proto; on_publish auth://b; }`;
    const alone = stream('backend subscribers://city-tv;');
    expect(policyOf(alone)).toMatchObject({ hasTokenInKey: true, hasNoAutoToken: true });
    // The other backend may allow a viewer without a token.
    expect(policyOf(stream('backend subscribers://city-tv; backend http://x/;'))).toMatchObject({
      hasTokenInKey: true,
      hasNoAutoToken: false,
    });
    const publishing = (text: string): AccessPolicy => {
      const config = configOf(text);
      return new AccessPolicies(config, '/srv').ofPublish(config.streams.get('cam')!);
    };
    expect(publishing(alone).backends).toEqual([]);
    expect(judge(publishing(alone), VISITOR).kind).toBe('deny');
    expect(publishing(stream('backend subscribers://city-tv; backend http://x/;')).backends).toHaveLength(1);
  });

  it('contain the configured lists, limits and options', () => {
    const policy = policyOf(
      'auth_backend b { backend http://x/ a=1; allow_default; allow_tokens t; deny_ips 192.0.2.0/24 2001:db8::1; } stream cam { input fake://; on_play auth://b max_sessions=2 soft_limitation=true domains=a.org,b.org session_keys=name,ip,proto site=north; } no_auto_token;',
    );
    expect(policy).toMatchObject({
      isAllowedByDefault: true,
      maxSessions: 2,
      isSoft: true,
      domains: ['a.org', 'b.org'],
      hasTokenInKey: false,
      hasNoAutoToken: true,
    });
    expect(policy.backends[0]?.extra).toEqual({ a: '1', site: 'north' });
    expect(judge({ ...policy, domains: [] }, VISITOR).kind).toBe('allow');
    expect(judge({ ...policy, domains: [] }, { ...VISITOR, token: 'u' }).kind).toBe('deny');
    expect(judge({ ...policy, domains: [] }, { ...VISITOR, token: 'u', ip: '2001:db8::1' }).kind).toBe('deny');
    expect(judge({ ...policy, domains: [] }, { ...VISITOR, token: 'u', ip: '198.51.100.1' }).kind).toBe('ask');
  });

  it.each([
    ['', []],
    ['hls_off;', ['hls']],
    ['dash_off; mpegts_off;', ['dash', 'mpegts']],
    ['protocols hls;', ['dash', 'mpegts', 'rtmp', 'mp4']],
    ['protocols cmaf;', ['mpegts', 'rtmp', 'mp4']],
    ['protocols -dash;', ['dash']],
    ['rtmp_off;', ['rtmp']],
    ['protocols hls dash; hls_off;', ['hls', 'mpegts', 'rtmp', 'mp4']],
    ['protocols mp4 hls;', ['dash', 'mpegts', 'rtmp']],
  ])('disable protocols for %s', (text, off) => {
    expect([...policyOf(`stream cam { input fake://; ${text} }`).protocolsOff]).toEqual(off);
  });

  it('have different fingerprints if and only if their meaning differs', () => {
    const print = (text: string): string => policyOf(text).fingerprint;
    const one = 'stream cam { input fake://; on_play http://s/; }';
    expect(print(one)).toBe(print(`stream other { input fake://; } ${one.replace('fake://', 'publish://')}`));
    expect(print(one)).not.toBe(print(one.replace('http://s/', 'http://s/ max_sessions=1')));
    const named = 'auth_backend b { backend http://x/; } stream cam { input fake://; on_play auth://b; }';
    expect(print(named)).not.toBe(print(named.replace('http://x/;', 'http://x/; allow_tokens a;')));
  });
});

describe('signing keys', () => {
  const KEY = 'key-of-all-streams-0';
  it.each([
    ['the key of the top level', '', [KEY]],
    ['its own', 'play_key key-of-this-stream-0;', ['key-of-this-stream-0']],
    ['none if it is switched off', 'play_key false;', []],
    ['none if its template switches it off', 'template open;', []],
    ['its own before the template', 'template open; play_key key-of-this-stream-0;', ['key-of-this-stream-0']],
  ])('of a stream are %s', (_what, statement, keys) => {
    const text = `play_key ${KEY}; template open { play_key false; } stream cam { input fake://; ${statement} }`;
    expect(policyOf(text).keys).toEqual(keys);
  });

  it('cannot be switched off at the top level', () => {
    expect(() => configOf('play_key false;')).toThrow();
  });
});
