import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Operators, type AccessSettings } from '../operators/operators.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { addEndpoints } from './endpoints/add-endpoints.ts';
import { authorizeCaller } from './endpoints/authorize.ts';
import type { Api, Endpoint } from './endpoints/endpoint.ts';
import { createHttpApp } from './http-app.ts';
import { ok, streamAction } from './legacy/row.ts';

let done = 0;
const ANY = { replies: {}, tag: 'test', summary: 'a test' };
const act = (): ReturnType<Endpoint['handle']> => {
  done++;
  return ok(true);
};
const API: Api = {
  prefixes: ['/mediaserver/api'],
  endpoints: [
    { ...ANY, id: 'read', method: 'GET', path: '/things', access: 'view', handle: () => ok(true) },
    { ...ANY, id: 'write', method: 'PUT', path: '/things', access: 'edit', handle: act },
    ...streamAction(
      { path: '/restart/{+name}', id: 'restart', summary: 'Restarts', schema: z.boolean(), access: 'operate' },
      () => {
        done++;
        return true;
      },
    ),
  ],
};
const PUBLIC: Api = {
  prefixes: ['/-'],
  isPublic: true,
  endpoints: [{ ...ANY, id: 'list', method: 'GET', path: '/list', access: 'view', handle: () => ok(true) }],
};
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
const EDIT = { ...NONE, editAuth: { login: 'admin', password: 'secret' } };
const DASH = 'https://dash.example.org';
const BASIC = { authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}` };
const BEARER = { authorization: BASIC.authorization.replace('Basic', 'Bearer') };
const CROSS_SITE = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

let app: FastifyInstance;
let access: Operators;

beforeAll(async () => {
  access = new Operators({ settings: NONE, clock: new FakeClock(), hostname: 'studio', notify: () => undefined });
  ({ app } = await createHttpApp({
    access,
    clock: new FakeClock(),
    desk: { call: () => Promise.resolve({ ok: true, value: {} }), subscribe: () => undefined },
    deskFolder: undefined,
    playerFolders: [],
    routes: [(target) => addEndpoints(target, [API, PUBLIC], authorizeCaller)],
    log: silentLog,
    media: () => false,
  }));
});
beforeEach(() => {
  access.apply(NONE);
  done = 0;
});
afterAll(() => app.close());

function fetchPage(
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'OPTIONS',
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({ method, url, headers: { host: 'localhost:8080', ...headers } });
}
async function status(...request: Parameters<typeof fetchPage>): Promise<number> {
  return (await fetchPage(...request)).statusCode;
}

describe('a page of another server', () => {
  it('can change nothing, with any login', async () => {
    for (const settings of [NONE, EDIT]) {
      access.apply(settings);
      for (const login of [{}, BASIC, BEARER]) {
        expect(await status('PUT', '/mediaserver/api/things', { ...CROSS_SITE, ...login })).toBe(403);
        expect(await status('POST', '/mediaserver/api/restart/cam', { ...CROSS_SITE, ...login })).toBe(403);
        expect(await status('GET', '/mediaserver/api/restart/cam', { ...CROSS_SITE, ...login })).toBe(403);
      }
    }
    expect(done).toBe(0);
  });

  it('can read no answers of the APIs, except the list for players and the time', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const api = await fetchPage(method, '/mediaserver/api/things', CROSS_SITE);
      expect(Object.keys(api.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect((await fetchPage(method, '/-/list', CROSS_SITE)).headers['access-control-allow-origin']).toBe('*');
    }
    expect((await fetchPage('GET', '/-/time', CROSS_SITE)).headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a GET request with an effect', () => {
  const url = '/mediaserver/api/restart/cam';

  it('needs a suitable Sec-Fetch-Site header without a login, because any page can send it as an image', async () => {
    expect(await status('GET', url)).toBe(403);
    expect(await status('GET', url, { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status('GET', url, { host: 'evil.example', 'sec-fetch-site': 'same-origin' })).toBe(403);
    expect(done).toBe(0);
    expect(await status('GET', url, { 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status('GET', url, { 'sec-fetch-site': 'none' })).toBe(200);
    expect(await status('POST', url)).toBe(200);
    expect(done).toBe(3);
  });

  it('is executed with a login', async () => {
    access.apply(EDIT);
    expect(await status('GET', url)).toBe(401);
    expect(await status('GET', url, BASIC)).toBe(200);
    expect(done).toBe(1);
  });
});

describe('a page of an allowed origin', () => {
  it('can use the APIs like a page of this server', async () => {
    access.apply({ ...NONE, apiOrigins: [DASH] });
    const page = { origin: DASH, 'sec-fetch-site': 'cross-site' };
    const response = await fetchPage('OPTIONS', '/mediaserver/api/things', {
      ...page,
      'access-control-request-method': 'PUT',
      'access-control-request-private-network': 'true',
    });
    expect([response.statusCode, response.headers]).toMatchObject([
      200,
      {
        'access-control-allow-origin': DASH,
        'access-control-allow-private-network': 'true',
        vary: expect.stringContaining('origin') as string,
      },
    ]);
    expect((await fetchPage('GET', '/mediaserver/api/things', page)).headers).toMatchObject({
      'access-control-allow-origin': DASH,
      vary: expect.stringContaining('origin') as string,
    });
    expect(await status('PUT', '/mediaserver/api/things', page)).toBe(200);
    access.apply({ ...EDIT, apiOrigins: [DASH] });
    expect(await status('PUT', '/mediaserver/api/things', page)).toBe(401);
    expect(await status('PUT', '/mediaserver/api/things', { ...page, ...BEARER })).toBe(200);
    // Errors are readable by the page too.
    expect((await fetchPage('GET', '/mediaserver/api/nothing', page)).headers['access-control-allow-origin']).toBe(
      DASH,
    );
  });
});
