import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { scryptSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { hashOfToken } from '../operators/api-tokens.ts';
import { Operators, type AccessSettings } from '../operators/operators.ts';
import { FREE_ATTEMPTS } from '../operators/attempt-limiter.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { printPasswordHash } from '../lib/password-hash.ts';
import { addEndpoints } from './endpoints/add-endpoints.ts';
import { authorizeCaller } from './endpoints/authorize.ts';
import type { Api } from './endpoints/endpoint.ts';
import { createHttpApp } from './http-app.ts';
import { COLLECTION_PREFIXES, NATIVE_PREFIX, LEGACY_PREFIXES } from './http/prefixes.ts';

const ANY = { replies: {}, tag: 'test', summary: 'a test' };
const answer = (): { readonly status: number; readonly body: string } => ({ status: 200, body: 'done' });
const API: Api = {
  prefixes: [...COLLECTION_PREFIXES, NATIVE_PREFIX, ...LEGACY_PREFIXES],
  endpoints: [
    { ...ANY, id: 'read', method: 'GET', path: '/things', access: 'view', handle: answer },
    { ...ANY, id: 'write', method: 'PUT', path: '/things', access: 'edit', body: { schema: {} }, handle: answer },
    { ...ANY, id: 'read-config', method: 'GET', path: '/config', access: 'edit', handle: answer },
    { ...ANY, id: 'probe', method: 'GET', path: '/monitoring/liveness', access: 'probe', handle: answer },
  ],
};

const salt = Buffer.from('0123456789abcdef');
/** Hash that is cheap to compute, for tests. */
const HASHED = printPasswordHash({
  costLog: 10,
  blockSize: 1,
  parallelism: 1,
  salt,
  hash: scryptSync('see all', salt, 32, { N: 1024, r: 1, p: 1 }),
});
const NONE: AccessSettings = {
  viewAuth: null,
  editAuth: null,
  apiAuth: null,
  apiTokens: new Map(),
  trustedProxies: [],
  serverNames: [],
  apiOrigins: [],
  wallOrigins: [],
};
const VIEW = { viewAuth: { login: 'viewer', password: HASHED } };
const EDIT = { editAuth: { login: 'admin', password: 'change: all' } };
const API_LOGIN = { apiAuth: { login: 'robot', password: 'pass' } };

const LOGINS = {
  missing: undefined,
  view: 'viewer:see all',
  edit: 'admin:change: all',
  api: 'robot:pass',
  wrong: 'admin:see all',
} as const;
type Login = keyof typeof LOGINS;

/** Requests, each with the column of TABLE that contains its status. */
const REQUESTS = [
  ...[...COLLECTION_PREFIXES, ...LEGACY_PREFIXES]
    .filter((prefix) => !prefix.startsWith('/streamer'))
    .flatMap(
      (prefix) =>
        [
          { column: 0, method: 'GET', url: `${prefix}/things` },
          { column: 1, method: 'PUT', url: `${prefix}/things` },
          { column: 1, method: 'GET', url: `${prefix}/config` },
        ] as const,
    ),
  ...['/streamer/api/v3', NATIVE_PREFIX].flatMap(
    (prefix) =>
      [
        { column: 2, method: 'GET', url: `${prefix}/things` },
        { column: 3, method: 'PUT', url: `${prefix}/things` },
        { column: 3, method: 'GET', url: `${prefix}/config` },
      ] as const,
  ),
  { column: 0, method: 'GET', url: '/nothing' },
] as const;

/**
 * Rows: configured logins, origin of the caller, its login, and the statuses of four requests: read and write outside
 * /streamer, read and write below /streamer.
 */
const TABLE: readonly (readonly [
  configured: string,
  origin: 'here' | 'elsewhere' | 'anywhere',
  login: Login,
  statuses: readonly number[],
])[] = [
  ['none', 'here', 'missing', [200, 200, 200, 200]],
  ['none', 'here', 'wrong', [200, 200, 200, 200]],
  ['none', 'elsewhere', 'missing', [200, 403, 200, 403]],
  ['none', 'elsewhere', 'edit', [200, 403, 200, 403]],
  ['all', 'anywhere', 'missing', [401, 401, 401, 401]],
  ['all', 'anywhere', 'wrong', [401, 401, 401, 401]],
  ['all', 'anywhere', 'view', [200, 403, 200, 403]],
  ['all', 'anywhere', 'edit', [200, 200, 200, 200]],
  ['all', 'anywhere', 'api', [401, 401, 200, 200]],
  ['view', 'here', 'missing', [200, 200, 200, 200]],
  ['view', 'elsewhere', 'missing', [401, 401, 401, 401]],
  ['view', 'elsewhere', 'view', [200, 403, 200, 403]],
  ['view', 'anywhere', 'wrong', [401, 401, 401, 401]],
  ['view', 'anywhere', 'edit', [401, 401, 401, 401]],
  ['edit', 'anywhere', 'missing', [200, 401, 200, 401]],
  ['edit', 'anywhere', 'wrong', [401, 401, 401, 401]],
  ['edit', 'anywhere', 'view', [401, 401, 401, 401]],
  ['edit', 'anywhere', 'edit', [200, 200, 200, 200]],
  ['api', 'here', 'missing', [200, 200, 401, 401]],
  ['api', 'elsewhere', 'missing', [200, 403, 401, 401]],
  ['api', 'anywhere', 'api', [401, 401, 200, 200]],
  ['api', 'anywhere', 'wrong', [401, 401, 401, 401]],
];

const CONFIGURED: Readonly<Record<string, AccessSettings>> = {
  none: NONE,
  view: { ...NONE, ...VIEW },
  edit: { ...NONE, ...EDIT },
  api: { ...NONE, ...API_LOGIN },
  all: { ...NONE, ...VIEW, ...EDIT, ...API_LOGIN },
};
const HERE = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
const ELSEWHERE = ['192.0.2.1', '2001:db8::1'];

let app: FastifyInstance;
let access: Operators;
let folder: string;
let base: string;
const clock = new FakeClock();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-login-'));
  writeFileSync(join(folder, 'index.html'), 'the desk');
  writeFileSync(join(folder, 'player.js'), 'the player');
  access = new Operators({ settings: NONE, clock, hostname: 'studio', notify: () => undefined });
  const created = await createHttpApp({
    access,
    clock,
    desk: {
      call: (name, _input, { who, mayWrite }) => Promise.resolve({ ok: true, value: { name, who, mayWrite } }),
      subscribe: () => undefined,
    },
    deskFolder: folder,
    playerFolders: [folder],
    routes: [(target) => addEndpoints(target, [API], authorizeCaller)],
    log: silentLog,
    media: () => false,
  });
  app = created.app;
  created.server.listen(0, '127.0.0.1');
  await new Promise((resolve) => created.server.once('listening', resolve));
  // The address of a TCP server is an object.
  base = `127.0.0.1:${(created.server.address() as AddressInfo).port}`;
});
afterEach(() => {
  clock.advance(3_600_000);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

function authorization(login: Login, scheme: 'Basic' | 'Bearer'): Readonly<Record<string, string>> {
  const text = LOGINS[login];
  return text === undefined ? {} : { authorization: `${scheme} ${Buffer.from(text).toString('base64')}` };
}

describe('credentials', () => {
  it.each(TABLE)(
    'allow or refuse requests with %s configured, from %s, with the login %s',
    async (configured, origin, login, statuses) => {
      access.apply(CONFIGURED[configured] ?? NONE);
      for (const remoteAddress of [...(origin === 'elsewhere' ? [] : HERE), ...(origin === 'here' ? [] : ELSEWHERE)]) {
        for (const scheme of login === 'missing' ? (['Basic'] as const) : (['Basic', 'Bearer'] as const)) {
          for (const { column, method, url } of REQUESTS) {
            const reply = await app.inject({
              method,
              url,
              remoteAddress,
              headers: {
                host: 'localhost',
                ...authorization(login, scheme),
                ...(method === 'PUT' ? { 'content-type': 'application/json' } : {}),
              },
              ...(method === 'PUT' ? { payload: '{}' } : {}),
            });
            // Only callers with read access learn that an address does not exist.
            const isThere = url !== '/nothing' || statuses[column] !== 200;
            expect([method, url, remoteAddress, scheme, reply.statusCode]).toEqual([
              method,
              url,
              remoteAddress,
              scheme,
              isThere ? statuses[column] : 404,
            ]);
            expect(reply.headers['www-authenticate']).toBe(
              reply.statusCode === 401 ? 'Basic realm="Airdesk", charset="UTF-8"' : undefined,
            );
            if (reply.statusCode === 401 || reply.statusCode === 403)
              expect(reply.json()).toMatchObject({ error: reply.statusCode === 401 ? 'unauthorized' : 'forbidden' });
          }
          for (const url of [
            `${NATIVE_PREFIX}/monitoring/liveness`,
            '/mediaserver/api/v3/monitoring/liveness',
            '/-/time',
            '/-/access',
            '/-/player/player.js',
            // The page of the desk has its own login form, so the browser shall show none.
            '/',
            '/player.js',
          ]) {
            expect([
              url,
              (
                await app.inject({
                  url,
                  remoteAddress,
                  headers: { host: 'localhost', ...authorization(login, scheme) },
                })
              ).statusCode,
            ]).toEqual([url, 200]);
          }
        }
      }
    },
  );

  it('are also required at unknown addresses and for unknown methods', async () => {
    access.apply({ ...NONE, ...VIEW });
    const request = (method: 'GET' | 'POST' | 'DELETE', url: string): Promise<number> =>
      app.inject({ method, url, remoteAddress: '192.0.2.1' }).then(({ statusCode }) => statusCode);
    expect([
      await request('GET', '/nothing/here'),
      await request('POST', '/nothing/here'),
      await request('DELETE', '/mediaserver/api/v3/things'),
      await request('GET', '/streamer/api-v4/nothing'),
    ]).toEqual([401, 401, 401, 401]);
  });

  it('are required from proxies, cross-site pages and other host names, even if the connection comes from this machine', async () => {
    access.apply(NONE);
    const put = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (
        await app.inject({
          method: 'PUT',
          url: '/mediaserver/api/v3/things',
          payload: '{}',
          headers: { host: 'localhost:8080', 'content-type': 'application/json', ...headers },
        })
      ).statusCode;
    expect(await put({})).toBe(200);
    expect(await put({ 'x-real-ip': '127.0.0.1' })).toBe(403);
    expect(await put({ 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    expect(await put({ host: 'evil.example' })).toBe(403);
    expect(await put({ origin: 'https://evil.example' })).toBe(403);
    access.apply({ ...NONE, trustedProxies: ['127.0.0.1'], serverNames: ['evil.example'] });
    expect(await put({ host: 'evil.example' })).toBe(200);
    expect(await put({ 'x-forwarded-for': '127.0.0.1' })).toBe(403);
  });

  it('that are wrong repeatedly delay the address, with Retry-After', async () => {
    access.apply({ ...NONE, ...EDIT });
    const request = (
      password: string,
      remoteAddress: string,
    ): Promise<{ statusCode: number; headers: Readonly<Record<string, unknown>> }> =>
      app.inject({
        url: '/mediaserver/api/v3/things',
        remoteAddress,
        headers: { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` },
      });
    for (let n = 0; n < FREE_ATTEMPTS; n++) expect((await request(`guess ${n}`, '192.0.2.1')).statusCode).toBe(401);
    const refused = await request('change: all', '192.0.2.1');
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['www-authenticate']]).toEqual([
      429,
      '6',
      undefined,
    ]);
    expect((await request('change: all', '192.0.2.2')).statusCode).toBe(200);
  });

  it('that are missing refuse a long body before it is received', async () => {
    access.apply({ ...NONE, ...EDIT });
    const reply = await app.inject({
      method: 'PUT',
      url: '/mediaserver/api/v3/things',
      headers: { 'content-type': 'application/json', 'content-length': '5000000' },
      payload: 'x'.repeat(5_000_000),
    });
    expect(reply.statusCode).toBe(401);
  });
});

describe('the desk in a browser', () => {
  /**
   * Opens the bridge. Returns the status and whether a login is requested if it is refused, otherwise the result of a
   * call.
   */
  function bridge(headers: Readonly<Record<string, string>>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${base}/-/bridge`, { headers });
      socket.on('unexpected-response', (_request, { statusCode, headers: given }) => {
        resolve([statusCode, given['www-authenticate'] !== undefined]);
      });
      socket.on('open', () => {
        socket.send(JSON.stringify({ kind: 'call', id: 1, name: 'x', input: {} }));
      });
      socket.on('message', (data: Buffer) => {
        // The server sends JSON; any other message fails the test.
        resolve((JSON.parse(data.toString()) as { reply: { value: unknown } }).reply.value);
        socket.close();
      });
      socket.on('error', reject);
    });
  }

  it('loads its files for a token with a prefix', async () => {
    const secret = `airdesk_${'a'.repeat(43)}`;
    const token = { name: 'studio', hash: hashOfToken(secret), scope: 'view', prefixes: ['studio'] } as const;
    access.apply({ ...NONE, ...VIEW, apiTokens: new Map([['studio', token]]) });
    const statuses = ['/', '/player.js'].map(async (url) => {
      const headers = { host: 'localhost', authorization: `Bearer ${secret}` };
      return (await app.inject({ url, remoteAddress: '192.0.2.1', headers })).statusCode;
    });
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });

  it('opens its bridge for callers with read access and for pages of this server only', async () => {
    access.apply(NONE);
    expect(await bridge({})).toEqual({ name: 'x', who: 'local', mayWrite: true });
    expect(await bridge({ origin: `http://${base}` })).toMatchObject({ who: 'local' });
    expect(await bridge({ origin: 'https://evil.example' })).toEqual([403, false]);
    expect(await bridge({ host: 'evil.example', origin: 'http://evil.example' })).toEqual({
      name: 'x',
      who: 'anyone',
      mayWrite: false,
    });
    access.apply({ ...NONE, ...VIEW, ...EDIT });
    expect(await bridge({})).toEqual([401, true]);
    expect(await bridge(authorization('wrong', 'Basic'))).toEqual([401, true]);
    expect(await bridge(authorization('view', 'Basic'))).toEqual({ name: 'x', who: 'viewer', mayWrite: false });
    expect(await bridge(authorization('edit', 'Basic'))).toEqual({ name: 'x', who: 'admin', mayWrite: true });
  });

  it('closes its bridge when the configured logins change', async () => {
    access.apply(NONE);
    const socket = new WebSocket(`ws://${base}/-/bridge`);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    access.apply({ ...NONE, ...EDIT });
    clock.advance(1000);
    expect(await closed).toBe(1012);
  });

  /** Logs in on the login page of the desk. Returns the status and the cookie. */
  async function logIn(login: unknown, password: unknown, headers: Readonly<Record<string, string>> = {}) {
    const reply = await app.inject({
      method: 'POST',
      url: '/-/login',
      remoteAddress: '192.0.2.1',
      headers: { host: 'tv.example:8080', 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ login, password }),
    });
    const setCookie = String(reply.headers['set-cookie'] ?? '');
    return {
      status: reply.statusCode,
      whole: setCookie,
      cookie: setCookie.split(';')[0] ?? '',
      headers: reply.headers,
    };
  }
  /** Access of a desk, as reported by the server. */
  async function accessOf(headers: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const all = { host: 'tv.example:8080', ...headers };
    return (await app.inject({ url: '/-/access', remoteAddress: '192.0.2.1', headers: all })).json();
  }

  it('logs in with a cookie that no other site, API or port accepts, and logs out in all windows of the browser', async () => {
    access.apply({ ...NONE, ...VIEW, ...EDIT, serverNames: ['tv.example'] });
    expect((await app.inject({ url: '/-/login' })).headers.location).toBe('/#/login');
    const { status, cookie, whole } = await logIn('admin', 'change: all');
    expect([status, whole]).toEqual([
      204,
      expect.stringMatching(/^airdesk_desk_8080=[\w-]{43}; Path=\/-\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect((await logIn('admin', 'change: all', { 'x-forwarded-proto': 'https' })).whole).toContain('; Secure');
    const as = { may_read: true, may_write: true, who: 'admin', has_session: true };
    expect(await accessOf({ cookie })).toMatchObject(as);
    expect(await bridge({ cookie, host: 'tv.example:8080' })).toMatchObject({ who: 'admin', mayWrite: true });
    // The cookie gives pages of other sites neither write access nor the bridge.
    expect(await bridge({ cookie, host: 'tv.example:8080', origin: 'https://evil.example' })).toEqual([403, false]);
    // The cookie is accepted neither by the HTTP APIs nor by a server on another port of the host.
    const host = { host: 'tv.example:8080', cookie };
    expect((await app.inject({ url: '/mediaserver/api/v3/things', headers: host })).statusCode).toBe(401);
    expect(await accessOf({ cookie, host: 'tv.example:8081' })).toMatchObject({ may_read: false, who: 'anyone' });
    const socket = new WebSocket(`ws://${base}/-/bridge`, { headers: host });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const otherSite = { ...host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const kept = await app.inject({ method: 'POST', url: '/-/logout', headers: otherSite });
    expect([kept.statusCode, kept.headers['set-cookie']]).toEqual([403, undefined]);
    const out = await app.inject({ method: 'POST', url: '/-/logout', headers: host });
    expect([out.statusCode, out.headers['set-cookie'], await closed]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
      1012,
    ]);
    expect(await accessOf({ cookie })).toMatchObject({ may_read: false, must_log_in: true, has_session: false });
  });

  it('refuses wrong logins and logins without desk access, without a browser dialog, and delays repeated wrong logins', async () => {
    access.apply({ ...NONE, ...VIEW, ...EDIT, ...API_LOGIN });
    const wrong = await logIn('admin', 'see all');
    expect([wrong.status, wrong.whole, wrong.headers['www-authenticate']]).toEqual([401, '', 'Desk realm="Airdesk"']);
    expect((await logIn('robot', 'pass')).status).toBe(401);
    expect((await logIn('admin', 'change: all', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await logIn('', 'x')).status).toBe(400);
    expect((await logIn('admin', 7)).status).toBe(400);
    expect((await logIn('admin', 'x'.repeat(20_000))).status).toBe(413);
    for (let n = 0; n < FREE_ATTEMPTS - 1; n++) expect((await logIn('admin', `guess ${n}`)).status).toBe(401);
    const slowed = await logIn('admin', 'change: all');
    expect([slowed.status, slowed.headers['retry-after']]).toEqual([429, '6']);
  });

  it('receives the rights of the caller and the name of the server', async () => {
    access.apply(NONE);
    const answer = await app.inject({ url: '/-/access', remoteAddress: '192.0.2.1' });
    expect(answer.json()).toEqual({
      may_read: true,
      may_write: false,
      must_log_in: false,
      who: 'anyone',
      server: hostname(),
      has_session: false,
    });
  });
});
