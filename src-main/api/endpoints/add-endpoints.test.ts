import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { Operators } from '../../operators/operators.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { errorBody, knownError } from '../http/error-reply.ts';
import { addAccessHook } from '../http/access-hook.ts';
import { addEndpoints } from './add-endpoints.ts';
import { authorizeCaller } from './authorize.ts';
import { PiecesBody, TextBody, type Api } from './endpoint.ts';

let actions = 0;
const ANY = { replies: {}, tag: 'test', summary: 'a test' };
const API: Api = {
  prefixes: ['/one', '/two'],
  endpoints: [
    {
      ...ANY,
      id: 'get',
      method: 'GET',
      path: '/things/{name}',
      access: 'view',
      parameters: ['a', 'b'].map((name) => ({ name, in: 'query', description: '', schema: {} })),
      handle: ({ params, query }) => ({
        status: 200,
        headers: { etag: '"1"' },
        body: { name: params['name'] ?? '', query: query.map(({ name }) => name) },
      }),
    },
    {
      ...ANY,
      id: 'put',
      method: 'PUT',
      path: '/things/{name}',
      access: 'edit',
      body: { schema: {} },
      handle: ({ body }) => ({ status: 200, body: JSON.stringify(body) }),
    },
    { ...ANY, id: 'delete', method: 'DELETE', path: '/things/{name}', access: 'edit', handle: () => ({ status: 204 }) },
    {
      ...ANY,
      id: 'act',
      method: 'GET',
      path: '/act',
      access: 'edit',
      isAction: true,
      handle: () => ({ status: 200, body: ++actions }),
    },
    {
      ...ANY,
      id: 'text',
      method: 'POST',
      path: '/text',
      access: 'view',
      body: { schema: {}, types: ['text/plain'], limitBytes: 100 },
      handle: ({ body }) => ({ status: 200, body: new TextBody(String(body), 'text/plain') }),
    },
    {
      ...ANY,
      id: 'rest',
      method: 'GET',
      path: '/rest/{+name}',
      access: 'view',
      handle: ({ params }) => ({ status: 200, body: params['name'] ?? '' }),
    },
    {
      ...ANY,
      id: 'long',
      method: 'GET',
      path: '/long',
      access: 'view',
      handle: () => ({ status: 200, body: Array.from({ length: 5000 }, () => 0) }),
    },
    {
      ...ANY,
      id: 'pieces',
      method: 'GET',
      path: '/pieces',
      access: 'view',
      handle: () => ({ status: 200, body: new PiecesBody(pieces(200)) }),
    },
    {
      ...ANY,
      id: 'fault',
      method: 'GET',
      path: '/fault',
      access: 'view',
      handle: () => ({ status: 200, body: new PiecesBody(faulty()) }),
    },
    {
      ...ANY,
      id: 'refuse',
      method: 'GET',
      path: '/refuse',
      access: 'view',
      handle: () => {
        throw new AirdeskError('stream_not_found', 'no');
      },
    },
  ],
};

async function* pieces(count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield `${index === 0 ? '[' : ','}"${'é'.repeat(1000)}"`;
  }
  yield ']';
}

async function* faulty(): AsyncGenerator<string> {
  await Promise.reject(new AirdeskError('stream_not_found'));
  yield '';
}

let app: FastifyInstance;
let base: string;

beforeAll(async () => {
  app = fastify({ bodyLimit: 1000 });
  app.setErrorHandler((cause, _request, reply) => {
    const error = knownError(cause) ?? new AirdeskError('internal');
    void reply.code(error.status).send(errorBody(error));
  });
  const settings = {
    viewAuth: null,
    editAuth: null,
    apiAuth: null,
    apiTokens: new Map(),
    trustedProxies: [],
    serverNames: [],
    apiOrigins: [],
    wallOrigins: [],
  };
  addAccessHook(app, new Operators({ settings, clock: new FakeClock(), hostname: 'test', notify: () => undefined }));
  await addEndpoints(app, [API], authorizeCaller);
  base = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => app.close());

function put(
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<Response> {
  return fetch(`${base}/one/things/a`, { method: 'PUT', body, headers });
}

describe('endpoints', () => {
  it('are served under every prefix, with decoded parameters', async () => {
    for (const prefix of ['one', 'two']) {
      const response = await fetch(`${base}/${prefix}/things/live%2Fcam%201?b=1&a`);
      expect([response.status, await response.json()]).toEqual([200, { name: 'live/cam 1', query: ['b', 'a'] }]);
    }
    expect(await (await fetch(`${base}/one/rest/live/cam%2F1`)).json()).toBe('live/cam/1');
  });

  it('refuse unknown and repeated parameters before any effect', async () => {
    const refused = async (query: string, method = 'PUT'): Promise<unknown> => {
      const body = method === 'PUT' ? '1' : undefined;
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${base}/one/things/a?${query}`, { method, headers, ...(body ? { body } : {}) });
      const { errors } = (await response.json()) as { errors?: { code: string; source: object; detail: string }[] };
      return [response.status, errors?.[0]?.code, errors?.[0]?.source, errors?.[0]?.detail];
    };
    for (const method of ['PUT', 'DELETE', 'GET'])
      expect(await refused('Validate=true', method)).toEqual([
        400,
        'bad_query',
        { parameter: 'Validate' },
        'There is no parameter Validate here',
      ]);
    expect(await refused('A=1', 'GET')).toMatchObject([
      400,
      'bad_query',
      {},
      expect.stringMatching(/did you mean a\?$/),
    ]);
    expect(await refused('a=1&b=1&a=2', 'GET')).toMatchObject([
      400,
      'bad_query',
      { parameter: 'a' },
      'a is given twice',
    ]);
  });

  it('refuse compressed bodies', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const response = await put('\u001f\u008b', headers);
    expect([response.status, await response.json()]).toMatchObject([415, { error: 'unsupported_media_type' }]);
    expect((await put('1', { ...headers, 'content-encoding': 'Identity' })).status).toBe(200);
  });

  it('answer 304 to a client that has the current version', async () => {
    const request = async (tag: string, method = 'GET'): Promise<unknown> => {
      const response = await fetch(`${base}/one/things/a`, { method, headers: { 'if-none-match': tag } });
      return [response.status, response.headers.get('etag'), await response.text()];
    };
    for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*']) expect(await request(tag)).toEqual([304, '"1"', '']);
    expect(await request('"1"', 'HEAD')).toEqual([304, '"1"', '']);
    expect(await request('"2"')).toEqual([200, '"1"', '{"name":"a","query":[]}']);
  });

  it('answer unsupported methods with 405 and Allow, and OPTIONS requests of browsers', async () => {
    const refused = await fetch(`${base}/one/things/a`, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, PUT, DELETE, HEAD, OPTIONS']);
    expect(await refused.json()).toMatchObject({
      error: 'method_not_allowed',
      errors: [{ code: 'method_not_allowed', status: '405' }],
    });
    // fetch cannot send TRACE.
    for (const method of ['TRACE', 'PROPFIND', 'PATCH']) {
      const [response] = (await once(httpRequest(`${base}/one/things/a`, { method }).end(), 'response')) as [
        IncomingMessage,
      ];
      response.resume();
      expect([method, response.statusCode, response.headers.allow]).toEqual([
        method,
        405,
        'GET, PUT, DELETE, HEAD, OPTIONS',
      ]);
    }
    const options = await fetch(`${base}/one/things/a`, { method: 'OPTIONS' });
    expect([
      options.status,
      options.headers.get('access-control-allow-origin'),
      options.headers.get('access-control-allow-private-network'),
    ]).toEqual([200, null, null]);
    const head = await fetch(`${base}/one/things/a`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '23', '']);
    const refusal = await fetch(`${base}/one/refuse`);
    expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  });

  it('execute no action for a HEAD request', async () => {
    const head = await fetch(`${base}/one/act`, { method: 'HEAD' });
    expect([head.status, head.headers.get('allow'), actions]).toEqual([405, 'GET, OPTIONS', 0]);
    const sent = await fetch(`${base}/one/act`, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(await sent.json()).toBe(1);
    expect((await fetch(`${base}/one/text`, { method: 'HEAD' })).status).toBe(405);
  });

  it('accept only bodies of their content types', async () => {
    expect((await put('{"a":1}')).status).toBe(200);
    expect((await put('{"a":1}', { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
    expect((await put('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await put('{"a"')).status).toBe(400);
    expect((await put('')).status).toBe(400);
    expect((await put('['.repeat(200) + ']'.repeat(200))).status).toBe(400);
    expect((await put(JSON.stringify('[{'.repeat(200)))).status).toBe(200);
    expect((await put(JSON.stringify('x'.repeat(1_100_000)))).status).toBe(413);
    const long = await fetch(`${base}/one/text`, {
      method: 'POST',
      body: 'x'.repeat(101),
      headers: { 'content-type': 'text/plain' },
    });
    expect([long.status, ((await long.json()) as { error: string }).error]).toEqual([413, 'request_too_large']);
    expect(
      await (
        await fetch(`${base}/one/text`, { method: 'POST', body: 'été', headers: { 'content-type': 'text/plain' } })
      ).text(),
    ).toBe('été');
  });

  it('accept a JSON body without a content type, and ignore the body of an operation without one', async () => {
    const untyped = await new Promise<number | undefined>((resolve) => {
      const outgoing = httpRequest(`${base}/one/things/a`, { method: 'PUT' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.end('{"a":1}');
    });
    expect(untyped).toBe(200);
    const emptyJson = await fetch(`${base}/one/things/a`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    expect([emptyJson.status, await emptyJson.text()]).toEqual([204, '']);
  });

  it('refuse bodies that are not UTF-8', async () => {
    const response = await fetch(`${base}/one/things/a`, {
      method: 'PUT',
      body: Buffer.from([0x22, 0xff, 0x22]),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(400);
  });

  it('refuse changes by pages of other servers', async () => {
    const crossSite = await put('{}', { 'content-type': 'application/json', origin: 'http://example.org' });
    expect([crossSite.status, ((await crossSite.json()) as { error: string }).error]).toEqual([403, 'forbidden']);
    expect((await put('{}', { 'content-type': 'application/json', origin: base })).status).toBe(200);
  });

  it('send long lists in pieces while they are rendered', async () => {
    for (const encoding of ['gzip', 'identity']) {
      const response = await fetch(`${base}/one/pieces`, { headers: { 'accept-encoding': encoding } });
      expect([response.status, response.headers.get('content-encoding')]).toEqual([
        200,
        encoding === 'gzip' ? 'gzip' : null,
      ]);
      expect(await response.json()).toHaveLength(200);
    }
    const fault = await fetch(`${base}/one/fault`);
    expect([fault.status, await fault.json()]).toMatchObject([404, { error: 'stream_not_found' }]);
    const head = await fetch(`${base}/one/pieces`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '',
    ]);
  });

  it('compress long answers for clients that accept it', async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'GET /one/long HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br;q=1, gzip;q=0.5\r\nConnection: close\r\n\r\n',
    );
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    await once(socket, 'close');
    const answer = Buffer.concat(parts);
    const end = answer.indexOf('\r\n\r\n');
    const head = answer.subarray(0, end).toString();
    expect(head.toLowerCase()).toContain('content-encoding: gzip');
    expect(answer.length).toBeLessThan(1500);
    expect(JSON.parse(gunzipSync(answer.subarray(end + 4)).toString())).toHaveLength(5000);
    const plain = await fetch(`${base}/one/long`, { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });
});
