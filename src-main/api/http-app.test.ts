import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { Client } from '../../tests/helpers/edge-run.ts';
import { until } from '../../tests/helpers/until.ts';
import { Operators } from '../operators/operators.ts';
import { HttpPublishEndpoint } from '../delivery/http-publish-endpoint.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { addEndpoints } from './endpoints/add-endpoints.ts';
import { authorizeCaller } from './endpoints/authorize.ts';
import { createHttpApp } from './http-app.ts';

let app: FastifyInstance;
let folder: string;
let port: number;
const clock = new FakeClock();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-http-'));
  writeFileSync(join(folder, 'index.html'), 'the desk');
  const access = new Operators({
    settings: {
      viewAuth: null,
      editAuth: null,
      apiAuth: null,
      apiTokens: new Map(),
      trustedProxies: [],
      serverNames: [],
      apiOrigins: [],
      wallOrigins: ['https://graph.example'],
    },
    clock,
    hostname: 'studio',
    notify: () => undefined,
  });
  const publishing = new HttpPublishEndpoint({
    isExternal: (facts) => access.isFromOtherSite(facts),
    decide: () => Promise.resolve({ accepted: false, code: 'publish_not_allowed', detail: 'no' }),
    open: () => ({ push: () => true, end: () => undefined }),
  });
  const created = await createHttpApp({
    access,
    desk: { call: () => Promise.resolve({ ok: true, value: 'pong' }), subscribe: () => undefined },
    deskFolder: folder,
    playerFolders: [folder],
    routes: [
      (target) =>
        addEndpoints(
          target,
          [
            {
              prefixes: ['/api'],
              endpoints: [
                {
                  replies: {},
                  tag: 'test',
                  summary: 'a test',
                  id: 'thing',
                  method: 'GET',
                  path: '/things/{name}',
                  access: 'view',
                  handle: ({ params }) => ({ status: 200, body: params['name'] ?? '' }),
                },
              ],
            },
          ],
          authorizeCaller,
        ),
    ],
    clock,
    log: silentLog,
    media: (request, response) => publishing.take(request, response),
  });
  app = created.app;
  created.server.listen(0, '127.0.0.1');
  await new Promise((resolve) => created.server.once('listening', resolve));
  port = (created.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function request(text: string): Promise<{ readonly status: number; readonly body: string }> {
  const client = new Client(connect(port, '127.0.0.1'));
  await client.isOpen;
  client.send(Buffer.from(text, 'latin1'));
  const { status, body } = await client.reply(text.startsWith('HEAD'));
  client.socket.destroy();
  return { status, body: body.toString() };
}

const END = 'HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** Requests that are refused before routing. */
const UNREADABLE: readonly (readonly [why: string, text: string, status: number])[] = [
  ['space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\nX: a\r\n\r\n', 400],
  ['two lengths', 'PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n', 400],
  [
    'length and chunks',
    'PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['another coding', 'PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 400],
  ['chunks in HTTP/1.0', 'PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n', 400],
  ['a bare LF', 'GET / HTTP/1.1\nHost: a\n\n', 400],
  ['NUL', 'GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', 400],
  ['a path without a slash', 'GET x HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['no HTTP', '\x16\x03\x01\x00', 400],
  ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 405],
  ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 400],
  ['a long head', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
];

describe('bad requests', () => {
  it.each([
    ['GET //x', 404],
    ['GET //', 404],
    ['GET ///', 404],
    ['HEAD //', 404],
    ['POST //', 404],
    ['PUT //mpegts', 404],
    ['POST /%zz/mpegts', 400],
    ['GET /live/../../etc/passwd', 404],
    ['GET /../../../etc/passwd', 404],
    ['GET /%2e%2e/%2e%2e/etc/passwd', 404],
    ['GET /..%2f..%2fetc%2fpasswd', 404],
    ['GET /-/player/../../../etc/passwd', 404],
    ['GET /%00', 404],
    ['GET /x%0ay', 404],
    ['GET /%5c', 404],
    ['GET /%5c..%5cx', 404],
    ['GET /\\..\\x', 404],
    ['GET /a/./b', 404],
    ['GET /./', 404],
    ['GET /%', 400],
    ['GET /%ff', 400],
    ['GET /api/things/%ff', 400],
    ['GET /nothing', 404],
    ['GET /index.html/', 404],
    ['GET /?%zz', 200],
    [`GET /${'x'.repeat(3000)}`, 404],
    ['GET http://localhost//x', 404],
    ['GET http://localhost', 200],
    ['GET http://localhost?x', 200],
    ['GET ftp://localhost/x', 400],
    ['OPTIONS *', 400],
    ['GET /api/things//', 404],
    ['DELETE /', 405],
    ['BREW /pot', 400],
  ])('are answered: %s with status %i', async (line, expectedStatus) => {
    const { status, body } = await request(`${line} ${END}`);
    expect([status, body]).toEqual([expectedStatus, expect.anything()]);
    if (expectedStatus >= 400 && !line.startsWith('HEAD'))
      expect(JSON.parse(body)).toMatchObject({
        error:
          expectedStatus === 404
            ? 'not_found'
            : (expect.stringMatching(/^(bad_request|bad_stream_name|method_not_allowed)$/) as unknown),
        errors: [{ status: String(expectedStatus) }],
      });
  });

  it.each(UNREADABLE)('are refused for %s', async (_why, text, status) => {
    const reply = await request(text);
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([status, { errors: [{ status: String(status) }] }]);
  });

  it.each(UNREADABLE)('are refused for %s after a valid request on the same connection', async (_why, text, status) => {
    const client = new Client(connect(port, '127.0.0.1'));
    await client.isOpen;
    client.send(`GET /-/time HTTP/1.1\r\nHost: localhost\r\n\r\n${text}`);
    expect((await client.reply()).status).toBe(200);
    const refusal = await client.reply();
    expect([refusal.status, refusal.headers.get('x-content-type-options')]).toEqual([status, 'nosniff']);
    expect(refusal.headers.get('content-security-policy')).toContain("default-src 'none'");
    await client.isClosed;
  });
});

describe('answers to browsers', () => {
  it.each([
    ['/', "frame-ancestors 'self'"],
    ['/', 'frame-src https://graph.example'],
    ['/-/player/index.html', "frame-ancestors 'self'"],
    ['/-/login', "default-src 'none'"],
    ['/nothing', "default-src 'none'"],
    ['/api/things/x', "default-src 'none'"],
    ['/%', "default-src 'none'"],
  ])('at %s have security headers, including %s', async (path, rule) => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual(['nosniff', 'SAMEORIGIN']);
    expect(headers.get('content-security-policy')).toContain(rule);
  });
});

describe('publishing over HTTP', () => {
  const SELF = `localhost`;
  it.each([
    ['an encoder', 'Host: live.example.org', 'publish_not_allowed'],
    [
      'a page of this server',
      `Host: ${SELF}\r\nOrigin: http://${SELF}\r\nSec-Fetch-Site: same-origin`,
      'publish_not_allowed',
    ],
    [
      'a page of another server',
      `Host: ${SELF}\r\nOrigin: https://evil.example\r\nSec-Fetch-Site: cross-site`,
      'forbidden',
    ],
    ['a page without a name', `Host: ${SELF}\r\nOrigin: null`, 'forbidden'],
    ['a form of another server', `Host: ${SELF}\r\nSec-Fetch-Site: same-site`, 'forbidden'],
    [
      'another name that resolves to this server',
      'Host: evil.example\r\nOrigin: http://evil.example\r\nSec-Fetch-Site: same-origin',
      'forbidden',
    ],
  ])('by %s is refused with the expected code', async (_who, headers, code) => {
    const { status, body } = await request(
      `POST /live/x/mpegts HTTP/1.1\r\n${headers}\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nG`,
    );
    expect([status, JSON.parse(body)]).toMatchObject([403, { error: code }]);
  });
});

it('the server redirects the documentation to its folder, because its links are relative', async () => {
  const { status, headers } = await fetch(`http://127.0.0.1:${port}/-/docs`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([308, '/-/docs/']);
});

describe('the Upgrade header', () => {
  it.each(['h2c', 'HTTP/2.0, TLS/1.0'])(
    'for %s is ignored because the server does not support the protocol',
    async (protocol) => {
      const upgrade = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__`;
      const reply = await request(`GET /index.html HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n\r\n`);
      expect(reply).toEqual({ status: 200, body: 'the desk' });
    },
  );

  it('is ignored on a request with a body', async () => {
    const head =
      'POST /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2';
    expect((await request(`${head}\r\n\r\n{}`)).status).toBe(404);
  });

  it('opens the bridge', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/-/bridge`);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.close();
  });

  it('opens a bridge that is closed if its peer answers no ping', async () => {
    const silent = new WebSocket(`ws://127.0.0.1:${port}/-/bridge`, { autoPong: false });
    const lively = new WebSocket(`ws://127.0.0.1:${port}/-/bridge`);
    let isClosed = false;
    silent.on('close', () => (isClosed = true));
    await Promise.all([silent, lively].map((socket) => new Promise((resolve) => socket.once('open', resolve))));
    for (let round = 0; round < 3 && !isClosed; round++) {
      const pinged = new Promise((resolve) => lively.once('ping', resolve));
      clock.advance(15_000);
      await pinged;
      // The pong is sent before the next message.
      await new Promise((resolve) => {
        lively.once('message', resolve);
        lively.send(JSON.stringify({ kind: 'call', id: 1, name: 'server.describe', input: {} }));
      });
    }
    await until('the close of the bridge', () => isClosed, 30_000);
    expect(lively.readyState).toBe(WebSocket.OPEN);
    lively.close();
  });
});
