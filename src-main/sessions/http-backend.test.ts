import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { HttpBackend, type HttpBackendOptions } from './http-backend.ts';

/** Attempts long enough for a busy machine. */
const PATIENT: HttpBackendOptions = { attemptMs: 5000, attempts: 2, concurrency: 4, maxWaiting: 10 };
const VIEWER = '192.0.2.1';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  // The address of a listening TCP server is an object.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function served(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return listening(createServer(answer));
}

function backend(url: string, options: Partial<HttpBackendOptions> = {}): HttpBackend {
  const created = new HttpBackend(url, { ...PATIENT, ...options });
  closers.push(() => {
    created.close();
  });
  return created;
}

describe('HttpBackend', () => {
  it('sends GET requests over a persistent connection', async () => {
    const requests: string[] = [];
    const ports = new Set<number | undefined>();
    const url = await served((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      ports.add(request.socket.remotePort);
      response.setHeader('X-UserId', 'u1');
      response.end('{"max_sessions":2}');
    });
    const subject = backend(url);
    expect(await subject.authorize(`${url}?a=1`, VIEWER)).toMatchObject({
      kind: 'allow',
      userId: 'u1',
      maxSessions: 2,
    });
    expect(await subject.authorize(`${url}?a=2`, VIEWER)).toMatchObject({ kind: 'allow' });
    expect(requests).toEqual(['GET /?a=1', 'GET /?a=2']);
    expect(ports.size).toBe(1);
  });

  it('does not follow redirects', async () => {
    const url = await served((_request, response) => response.writeHead(302, { Location: '/other' }).end());
    expect(await backend(url).authorize(url, VIEWER)).toMatchObject({ kind: 'redirect', location: '/other' });
  });

  it('retries once after a broken connection', async () => {
    let count = 0;
    const url = await served((request, response) => {
      if (count++ === 0) request.socket.destroy();
      else response.writeHead(403).end();
    });
    expect(await backend(url).authorize(url, VIEWER)).toMatchObject({ kind: 'deny' });
    expect(count).toBe(2);
  });

  it('fails after a time-out', async () => {
    let count = 0;
    const url = await served(() => count++);
    expect(await backend(url, { attemptMs: 200 }).authorize(url, VIEWER)).toEqual({
      kind: 'failed',
      reason: 'it gave no answer within 200 ms',
    });
    expect(count).toBe(2);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['a body without an end', (response) => void setInterval(() => response.write('x'.repeat(20_000)), 5).unref()],
    [
      'a body that breaks off',
      (response) => void response.writeHead(200, { 'Content-Length': 100 }).write('{}', () => response.destroy()),
    ],
    ['a body that trickles', (response) => void setInterval(() => response.write(' '), 50).unref()],
    ['a fault', (response) => void response.writeHead(500).end()],
  ])('treats %s as no answer', async (_what, answer) => {
    const url = await served((_request, response) => {
      answer(response);
    });
    expect((await backend(url, { attemptMs: 300 }).authorize(url, VIEWER)).kind).toBe('failed');
  });

  it('treats a reply that is not HTTP as no answer', async () => {
    const url = await listening(
      createTcpServer((socket) => socket.on('error', () => undefined).end('yes, admitted\r\n\r\n')),
    );
    expect((await backend(url).authorize(url, VIEWER)).kind).toBe('failed');
  });

  it('treats an unreachable backend as no answer', async () => {
    expect((await backend('http://127.0.0.1:1/').authorize('http://127.0.0.1:1/', VIEWER)).kind).toBe('failed');
  });

  it('limits the number of concurrent and waiting requests', async () => {
    const waiting: ServerResponse[] = [];
    const url = await served((_request, response) => waiting.push(response));
    const subject = backend(url);
    const verdicts = Array.from({ length: 15 }, () => subject.authorize(url, VIEWER));
    expect(await verdicts[14]).toEqual({ kind: 'failed', reason: 'too many requests are waiting for it' });
    await until('four concurrent requests', () => waiting.length === 4, 30_000);
    expect(subject.load).toBe(14);
    for (let count = 0; count < 14; count++) {
      await until('the next request', () => waiting.length > count, 30_000);
      waiting[count]?.end();
    }
    expect((await Promise.all(verdicts)).filter(({ kind }) => kind === 'allow')).toHaveLength(14);
  });

  it('alternates between addresses, so that many requests of one address do not delay others', async () => {
    const requests: string[] = [];
    const url = await served((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    const one = backend(url, { concurrency: 1, maxWaiting: 1000 });
    const many = Array.from({ length: 500 }, (_, n) =>
      one.authorize(`${url}?n=${n}`, `2001:db8:0:1::${n.toString(16)}`),
    );
    expect((await one.authorize(`${url}?viewer`, VIEWER)).kind).toBe('allow');
    expect(requests.length).toBeLessThanOrEqual(4);
    one.close();
    await Promise.all(many);
  });
});
