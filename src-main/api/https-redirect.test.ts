import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecure, createServer as createSecureServer } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Client } from '../../tests/helpers/edge-run.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { makeTestCertificate } from '../../tests/helpers/test-certificate.ts';
import { TransportPolicy } from '../lib/transport-policy.ts';
import { createApiServer } from './http/api-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-redirect-'));
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the API server behind a server that accepts the connections, as the media edge does. Returns its port. */
async function start(listen: (accept: (socket: Socket) => void) => Server): Promise<number> {
  const transport = new TransportPolicy({
    settings: () => ({ httpsRedirect: 'all', hstsMs: 60_000 }),
    isTrustedProxy: () => true,
    httpsPort: () => 8443,
  });
  const server = createApiServer({
    clock: new FakeClock(),
    transport,
    media: () => false,
    serve: (request, response) => response.end(request.url),
  });
  const edge = listen((socket) => server.emit('connection', socket));
  await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    edge.close();
  });
  return (edge.address() as AddressInfo).port;
}

/**
 * Sends requests in sequence on one connection. Returns the status, Location and Strict-Transport-Security of each
 * answer.
 */
async function request(
  socket: Socket,
  lines: readonly string[],
): Promise<(readonly [number, string | undefined, string | undefined])[]> {
  const client = new Client(socket);
  const answers: (readonly [number, string | undefined, string | undefined])[] = [];
  for (const line of lines) {
    socket.write(`${line}\r\nContent-Length: 0\r\n\r\n`);
    const { status, headers } = await client.reply(line.startsWith('HEAD'));
    answers.push([status, headers.get('location'), headers.get('strict-transport-security')]);
  }
  socket.destroy();
  return answers;
}

describe('the control API over HTTP with https_redirect', () => {
  it('redirects read requests to HTTPS, except those that a proxy received over TLS', async () => {
    const port = await start((accept) => createServer(accept));
    const from = 'HTTP/1.1\r\nHost: tv.example.org:8080\r\nX-Forwarded-Proto:';
    expect(
      await request(connect(port, '127.0.0.1'), [
        `GET /?a=1 ${from} http`,
        `HEAD /-/login ${from} http`,
        `POST /api ${from} http`,
        `GET / ${from} https`,
      ]),
    ).toEqual([
      [308, 'https://tv.example.org/?a=1', undefined],
      [308, 'https://tv.example.org/-/login', undefined],
      [200, undefined, undefined],
      [200, undefined, 'max-age=60'],
    ]);
  });

  it('answers over TLS with Strict-Transport-Security', async () => {
    const { cert, key } = makeTestCertificate(folder, 'api');
    const port = await start((accept) => createSecureServer({ cert, key }, accept));
    const socket = connectSecure({ port, host: '127.0.0.1', ca: cert });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    const answers = await request(socket, ['GET / HTTP/1.1\r\nHost: a', 'PUT /b HTTP/1.1\r\nHost: a']);
    expect(answers).toEqual([
      [200, undefined, 'max-age=60'],
      [200, undefined, 'max-age=60'],
    ]);
  });
});
