import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '../lib/clock.ts';
import { HttpDelivery } from './http-delivery.ts';
import { httpPost } from './http-post.ts';

const RECORDS = [
  { seq: 1, text: '{"event":"stream_idle","event_id":1}' },
  { seq: 2, text: '{"event":"stream_idle","event_id":2,"media":"Köln"}' },
];
const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', `whsec_${Buffer.alloc(32, 7).toString('base64')}`];

interface Request {
  readonly headers: IncomingMessage['headers'];
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Receiver with scripted answers, and a delivery to it. */
async function stage(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  timeoutMs = 5000,
  secrets: readonly string[] = [],
) {
  const requests: Request[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      requests.push({ headers: request.headers, method: request.method, url: request.url, body });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { post, close } = httpPost(`http://login:pass@127.0.0.1:${port}/events?a=b`, timeoutMs, systemClock);
  const delivery = new HttpDelivery({
    post,
    clock: systemClock,
    origin: 'server sink',
    userAgent: 'Airdesk/test',
    secrets,
  });
  ends.push(close, () => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, delivery, server };
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end();
  };

describe('delivery over HTTP', () => {
  it('posts a JSON array', async () => {
    const { requests, delivery } = await stage(status(204));
    expect(await delivery.deliver(RECORDS)).toEqual({ kind: 'delivered' });
    const [request] = requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/events?a=b',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Airdesk/test',
        authorization: `Basic ${btoa('login:pass')}`,
      },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual([
      { event: 'stream_idle', event_id: 1 },
      { event: 'stream_idle', event_id: 2, media: 'Köln' },
    ]);
    expect(request?.headers).not.toHaveProperty('webhook-signature');
  });

  it('has a Standard Webhooks signature for each secret, and the same id for a repeated message', async () => {
    const { requests, delivery } = await stage(status(200), 5000, SECRETS);
    await delivery.deliver(RECORDS);
    await delivery.deliver(RECORDS);
    await delivery.deliver(RECORDS.slice(1));
    const [first, second, third] = requests;
    for (const secret of SECRETS) {
      // Each of these headers has one value.
      expect(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).toEqual(
        JSON.parse(first?.body ?? ''),
      );
      expect(() => new Webhook(secret).verify(`${first?.body} `, first?.headers as Record<string, string>)).toThrow(
        'No matching signature',
      );
    }
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(third?.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
    expect(first?.headers['webhook-id']).not.toContain('.');
  });

  it.each<[number, Record<string, string>, object]>([
    [200, {}, { kind: 'delivered' }],
    [301, { location: 'http://127.0.0.1:1/' }, { kind: 'failed', code: 'event_sink_refused' }],
    [404, {}, { kind: 'failed', code: 'event_sink_refused' }],
    [410, {}, { kind: 'gone' }],
    [413, {}, { kind: 'too_large' }],
    [429, { 'retry-after': '7' }, { kind: 'failed', retryAfterMs: 7000 }],
    [503, { 'retry-after': '999999' }, { kind: 'failed', retryAfterMs: 3_600_000 }],
    [503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, { kind: 'failed', retryAfterMs: 0 }],
    [500, { 'retry-after': 'soon' }, { kind: 'failed', code: 'event_sink_refused' }],
  ])('handles the status %i with %j', async (code, headers, result) => {
    const { delivery, requests } = await stage(status(code, headers));
    const answer = await delivery.deliver(RECORDS);
    expect(answer).toMatchObject(result);
    if (headers['retry-after'] === 'soon') expect(answer).not.toHaveProperty('retryAfterMs');
    expect(requests.length).toBe(1);
  });

  it('times out without an answer, and ignores the body of an answer', async () => {
    const silent = await stage(() => undefined, 100);
    expect(await silent.delivery.deliver(RECORDS)).toMatchObject({ kind: 'failed', code: 'event_sink_timeout' });
    // An endless body: only the status matters.
    const endless = await stage((response) => response.writeHead(200).write('x'));
    expect(await endless.delivery.deliver(RECORDS)).toEqual({ kind: 'delivered' });
    const flood = await stage((response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    const ended = new Promise<void>((resolve) =>
      flood.server.on('request', (_, response) => response.on('close', resolve)),
    );
    expect(await flood.delivery.deliver(RECORDS)).toEqual({ kind: 'delivered' });
    await ended;
  });

  it('reports broken and impossible connections', async () => {
    const broken = await stage((_, request) => request.socket.destroy());
    expect(await broken.delivery.deliver(RECORDS)).toMatchObject({ kind: 'failed', code: 'event_sink_unreachable' });
    const rubbish = await stage((_, request) => request.socket.end('rubbish\r\n\r\n'));
    expect(await rubbish.delivery.deliver(RECORDS)).toMatchObject({ kind: 'failed', code: 'event_sink_unreachable' });
    const closed = await stage(status(200));
    await new Promise((resolve) => closed.server.close(resolve));
    expect(await closed.delivery.deliver(RECORDS)).toMatchObject({
      kind: 'failed',
      code: 'event_sink_unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('reuses its connection, and opens another when the receiver has closed it', async () => {
    const sockets = new Set<unknown>();
    const { delivery, server } = await stage((response, request) => {
      sockets.add(request.socket);
      response.end('taken');
    });
    for (let turn = 0; turn < 3; turn++) expect(await delivery.deliver(RECORDS)).toEqual({ kind: 'delivered' });
    expect(sockets.size).toBe(1);
    server.closeAllConnections();
    expect(await delivery.deliver(RECORDS)).toEqual({ kind: 'delivered' });
    expect(sockets.size).toBe(2);
  });

  it('aborts the running request when it is closed', async () => {
    const { delivery, server } = await stage(() => undefined);
    const requested = new Promise((resolve) => server.once('request', resolve));
    const result = delivery.deliver(RECORDS);
    await requested;
    await delivery.close();
    expect(await result).toMatchObject({ kind: 'failed', code: 'event_sink_unreachable' });
  });
});
