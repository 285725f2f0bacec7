import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { printPasswordHash } from '../lib/password-hash.ts';
import { hashOfToken, newApiToken } from './api-tokens.ts';
import type { LoginNotice } from './login-attempts.ts';
import { Operators, type AccessSettings } from './operators.ts';
import { LoginUses, UNUSED_MS } from './login-uses.ts';
import { FREE_ATTEMPTS } from './attempt-limiter.ts';
import { scryptSync } from 'node:crypto';

/** Hash that is cheap to compute, for tests. */
function cheapHash(password: string): string {
  const salt = Buffer.from('0123456789abcdef');
  return printPasswordHash({
    costLog: 10,
    blockSize: 1,
    parallelism: 1,
    salt,
    hash: scryptSync(password, salt, 32, { N: 1024, r: 1, p: 1 }),
  });
}

const NOTHING: AccessSettings = {
  viewAuth: null,
  editAuth: null,
  apiAuth: null,
  apiTokens: new Map(),
  trustedProxies: [],
  serverNames: [],
  apiOrigins: [],
  wallOrigins: [],
};
const LOGINS: AccessSettings = {
  ...NOTHING,
  editAuth: { login: 'admin', password: 'open sesame' },
  viewAuth: { login: 'viewer', password: cheapHash('look at it') },
};

let clock: FakeClock;
let notices: LoginNotice[];
let access: Operators;

function start(settings: AccessSettings): void {
  access = new Operators({ settings, clock, hostname: 'studio', notify: (notice) => notices.push(notice) });
}

beforeEach(() => {
  clock = new FakeClock();
  notices = [];
  start(LOGINS);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const basic = (login: string, password: string): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

function authorize(
  authorization?: string,
  peer = '192.0.2.1',
  headers: Readonly<Record<string, string>> = {},
): ReturnType<Operators['identify']> {
  return access.identify(
    { peer, header: (name) => (name === 'authorization' ? authorization : headers[name]) },
    'general',
  );
}

describe('Operators', () => {
  it('keeps connections identified when unrelated settings change', () => {
    const configuration = { ...LOGINS, streams: ['a'] };
    start(configuration);
    const changed = vi.fn();
    access.onChange(changed);
    access.apply({ ...configuration, streams: ['a', 'b'] } as AccessSettings);
    expect(changed).not.toHaveBeenCalled();
    access.apply({ ...NOTHING, streams: ['a', 'b'] } as AccessSettings);
    expect(changed).toHaveBeenCalledOnce();
  });

  it('accepts logins with plain and hashed passwords', async () => {
    expect(await authorize(basic('admin', 'open sesame'))).toEqual({
      mayRead: true,
      mayWrite: true,
      mustLogIn: false,
      who: 'admin',
      address: '192.0.2.1',
      isDeliberate: true,
    });
    expect(await authorize(basic('viewer', 'look at it'))).toMatchObject({
      mayRead: true,
      mayWrite: false,
      mustLogIn: false,
      who: 'viewer',
    });
    expect(await authorize(basic('viewer', 'open sesame'))).toMatchObject({
      mayRead: false,
      mustLogIn: true,
      who: 'anyone',
    });
    expect(await authorize(basic('admin', 'look at it'))).toMatchObject({ mayRead: false, mustLogIn: true });
    expect(await authorize(basic('viewer', LOGINS.viewAuth?.password ?? ''))).toMatchObject({ mayRead: false });
    expect(await authorize()).toMatchObject({ mayRead: false, mustLogIn: true });
  });

  it('reads the client address from headers of trusted proxies only', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    expect((await authorize(undefined, '192.0.2.1', headers)).address).toBe('192.0.2.1');
    access.apply({ ...LOGINS, trustedProxies: ['192.0.2.0/24'] });
    expect((await authorize(undefined, '192.0.2.1', headers)).address).toBe('198.51.100.1');
  });

  it('delays an address after wrong logins, but no other address', async () => {
    for (let n = 0; n < FREE_ATTEMPTS; n++)
      expect(await authorize(basic('admin', `guess ${n}`))).toMatchObject({ mayRead: false });
    await expect(authorize(basic('admin', 'guess'))).rejects.toMatchObject({
      code: 'too_many_attempts',
      details: { retry_after: 6 },
    });
    await expect(authorize(basic('admin', 'open sesame'))).rejects.toMatchObject({ code: 'too_many_attempts' });
    expect(await authorize(basic('admin', 'open sesame'), '192.0.2.2')).toMatchObject({ mayWrite: true });
    clock.advance(6000);
    expect(await authorize(basic('admin', 'open sesame'))).toMatchObject({ mayWrite: true });
    expect(notices.map(({ event }) => event)).toEqual([
      ...Array.from({ length: FREE_ATTEMPTS - 1 }, () => 'login_refused'),
      'login_slowed',
      'login_accepted',
      'login_accepted',
    ]);
    expect(notices[0]).toEqual({ event: 'login_refused', address: '192.0.2.1', login: 'admin' });
  });

  it('reports the first use of a login from an address, and again after a long time', async () => {
    const right = basic('admin', 'open sesame');
    for (const peer of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) await authorize(right, peer);
    await authorize();
    expect(notices).toEqual(
      ['192.0.2.1', '192.0.2.2'].map((address) => ({ event: 'login_accepted', address, login: 'admin' })),
    );
    // A session lasts as long as it is used.
    for (let n = 0; n < 3; n++) {
      clock.advance(UNUSED_MS - 1);
      await authorize(right);
    }
    expect(notices).toHaveLength(2);
    clock.advance(UNUSED_MS);
    await authorize(right);
    expect(notices).toHaveLength(3);
  });

  it('remembers the uses of a limited number of pairs of login and address', () => {
    const uses = new LoginUses(() => 0);
    for (let n = 0; n < 20_000; n++) expect(uses.isNew('admin', `address ${n}`)).toBe(true);
    expect([uses.isNew('admin', 'address 19999'), uses.isNew('admin', 'address 1')]).toEqual([false, true]);
  });

  it('limits parallel attempts', async () => {
    const replies = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) => authorize(basic('viewer', `guess ${n}`))),
    );
    expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(FREE_ATTEMPTS);
    expect(notices).toHaveLength(FREE_ATTEMPTS);
  });

  it('checks a limited number of logins in parallel, and does not count unchecked ones as attempts', async () => {
    const replies = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) =>
        authorize(basic('viewer', `guess ${n}`), `192.0.${2 + (n >> 8)}.${n & 255}`),
      ),
    );
    const refused = replies.flatMap((reply, n) => (reply.status === 'rejected' ? [n] : []));
    expect(refused.length).toBe(300 - 257);
    const [late = 0] = refused;
    for (let n = 0; n < FREE_ATTEMPTS; n++)
      expect(await authorize(basic('viewer', `again ${n}`), `192.0.${2 + (late >> 8)}.${late & 255}`)).toMatchObject({
        mayRead: false,
      });
  });

  it('counts the same wrong login as one attempt, and the same correct one as none', async () => {
    for (let n = 0; n < 100; n++)
      expect(await authorize(basic('admin', 'the old one'))).toMatchObject({ mayRead: false });
    await Promise.all(
      Array.from({ length: 100 }, async () =>
        expect(await authorize(basic('viewer', 'look at it'))).toMatchObject({ mayRead: true }),
      ),
    );
    expect(notices.map(({ event }) => event)).toEqual(['login_refused', 'login_accepted']);
  });

  it('reports names only if they are configured logins', async () => {
    await authorize(basic('my password by mistake', ''));
    await authorize('Bearer something-else');
    expect(notices.map(({ login }) => login)).toEqual([null, null]);
    expect(JSON.stringify(notices)).not.toContain('mistake');
  });

  it('applies changed logins at once, and reports the change', async () => {
    const changed = vi.fn();
    access.onChange(changed);
    expect(await authorize(basic('viewer', 'look at it'))).toMatchObject({ mayRead: true });
    expect(await authorize(basic('viewer', 'the new one'))).toMatchObject({ mayRead: false });
    access.apply({ ...LOGINS });
    expect(changed).not.toHaveBeenCalled();
    access.apply({ ...LOGINS, viewAuth: { login: 'viewer', password: 'the new one' } });
    expect(changed).toHaveBeenCalledOnce();
    expect(await authorize(basic('viewer', 'look at it'))).toMatchObject({ mayRead: false });
    expect(await authorize(basic('viewer', 'the new one'))).toMatchObject({ mayRead: true });
    access.apply(NOTHING);
    expect(await authorize(basic('whatever', 'it is'))).toMatchObject({
      mayRead: true,
      mayWrite: false,
      mustLogIn: false,
    });
  });

  it('refuses changes by cross-site pages with any login, and accepts pages of allowed origins', async () => {
    const page = { origin: 'https://evil.example', host: '192.0.2.9:8080' };
    expect(await authorize(basic('admin', 'open sesame'), '192.0.2.1', page)).toMatchObject({
      mayRead: true,
      mayWrite: false,
      mustLogIn: false,
    });
    const bearer = basic('admin', 'open sesame').replace('Basic', 'Bearer');
    expect(await authorize(bearer, '192.0.2.1', page)).toMatchObject({ mayWrite: false });
    access.apply({ ...LOGINS, apiOrigins: ['https://evil.example'] });
    expect(await authorize(bearer, '192.0.2.1', page)).toMatchObject({ mayWrite: true });
    // The bridge is open to pages of this server only.
    expect(
      access.isCrossSitePage({ peer: '192.0.2.1', header: (name) => new Map(Object.entries(page)).get(name) }),
    ).toBe(true);
  });

  it('refuses all access if a login has no password', async () => {
    start({ ...NOTHING, apiAuth: { login: 'api', password: null } });
    const caller = await access.identify(
      { peer: '127.0.0.1', header: (name) => (name === 'authorization' ? basic('api', '') : undefined) },
      'streamer',
    );
    expect(caller).toMatchObject({ mayRead: false, mayWrite: false });
  });
});

describe('the rights fingerprint of a login', () => {
  it('changes with the password or secret, the removal and the set of logins, but not with other settings', () => {
    const token = (hash: string): AccessSettings['apiTokens'] =>
      new Map([['robot', { name: 'robot', hash, scope: 'operate', prefixes: [] }]]);
    start({ ...LOGINS, apiTokens: token('a') });
    const all = (): string[] =>
      ['admin', 'viewer', 'token robot', 'local', 'desk'].map((who) => access.rightsFingerprint(who));
    let before = all();
    const changed = (settings: AccessSettings): boolean[] => {
      access.apply(settings);
      const now = all();
      const differences = now.map((fingerprint, at) => fingerprint !== before[at]);
      before = now;
      return differences;
    };
    expect(changed({ ...LOGINS, apiTokens: token('a'), serverNames: ['media'] })).toEqual(Array(5).fill(false));
    const admin = { login: 'admin', password: 'the new one' };
    expect(changed({ ...LOGINS, editAuth: admin, apiTokens: token('a') })).toEqual([true, false, false, false, false]);
    expect(changed({ ...LOGINS, editAuth: admin, apiTokens: token('b') })).toEqual([false, false, true, false, false]);
    expect(changed({ ...LOGINS, editAuth: admin })).toEqual([false, false, true, false, false]);
    expect(changed({ ...LOGINS, editAuth: null })).toEqual([true, true, true, true, false]);
  });
});

describe('API tokens', () => {
  const secret = newApiToken();
  const token = { name: 'robot', hash: hashOfToken(secret), scope: 'operate', prefixes: ['studio'] } as const;

  it('have their scope, a time of last use, and no access after they are revoked', async () => {
    start({ ...NOTHING, apiTokens: new Map([['robot', token]]) });
    expect(access.tokenUsedMs('robot')).toBeNull();
    expect(await authorize(`Bearer ${secret}`)).toMatchObject({
      mayRead: true,
      mayWrite: false,
      mayOperate: true,
      prefixes: ['studio'],
      who: 'token robot',
    });
    expect(access.tokenUsedMs('robot')).toBe(clock.now());
    access.apply(NOTHING);
    // A wrong token is never treated as no token, not even from this machine.
    expect(await authorize(`Bearer ${secret}`, '127.0.0.1')).toMatchObject({ mayRead: false, mayWrite: false });
    expect(access.tokenUsedMs('robot')).toBeNull();
  });

  it('are delayed when guessed, but not when the same one is repeated', async () => {
    for (let n = 0; n < 50; n++) await authorize(`Bearer ${secret}`);
    expect(notices).toHaveLength(1);
    for (let n = 1; n < FREE_ATTEMPTS; n++) await authorize(`Bearer ${newApiToken()}`);
    await expect(authorize(`Bearer ${newApiToken()}`)).rejects.toMatchObject({ code: 'too_many_attempts' });
  });
});
