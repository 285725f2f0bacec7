import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { request, type HttpReply, startedEdge } from '../../tests/helpers/edge-run.ts';
import { until } from '../../tests/helpers/until.ts';
import { Tally } from '../lib/tally.ts';
import { ConnectionLimits } from './connection-limits.ts';

const PLAIN = { video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 9.3 };

function text({ body }: HttpReply): string {
  return body.toString();
}

/** Limits that admit every connection as a reserved connection. */
function reserveOnly(): ConnectionLimits {
  const limits = new ConnectionLimits();
  limits.enter = () => 'reserve';
  return limits;
}

describe('HttpEdge', () => {
  it('answers pipelined requests in order', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const client = await run.connect();
    client.send(
      request('/cam/index.m3u8') +
        request('/cam/v1/index.m3u8') +
        request('/cam/nothing.mp4/index.m3u8') +
        request('/cam/index.mpd'),
    );
    expect(text(await client.reply())).toContain('#EXT-X-STREAM-INF');
    expect(text(await client.reply())).toContain('#EXT-X-PART-INF');
    expect((await client.reply()).status).toBe(404);
    expect(text(await client.reply())).toContain('<MPD');
  });

  it('reads a request head that arrives byte by byte', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const client = await run.connect();
    for (const byte of request('/cam/index.m3u8', { 'User-Agent': 'drop by drop' })) {
      client.send(byte);
      await new Promise(setImmediate);
    }
    expect((await client.reply()).status).toBe(200);
  });

  it('refuses request heads that are too long, and input that is not HTTP', async () => {
    const run = await startedEdge();
    const long = await run.connect();
    long.send(`GET /cam/index.m3u8 HTTP/1.1\r\nX: ${'x'.repeat(17 * 1024)}`);
    expect((await long.reply()).status).toBe(431);
    await long.isClosed;
    for (const bad of [
      'GET /cam/index.m3u8 HTTP/1.1\nHost: a\n\n',
      'GET /cam/index.m3u8?token=a\nb HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /cam/index.m3u8 HTTP/1.1\r\n\r\n',
      '\u0016\u0003\u0001\r\n\r\n',
      'GET\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\n',
      'GET  HTTP/1.1\r\n\r\n',
    ]) {
      const client = await run.connect();
      client.send(bad);
      const reply = await client.reply();
      expect([reply.status, JSON.parse(text(reply))]).toMatchObject([400, { error: 'bad_request' }]);
      await client.isClosed;
    }
  });

  it.each([
    ['that is refused', `GET /cam/index.m3u8 HTTP/1.1\r\nX: ${'x'.repeat(17 * 1024)}`, 431, ['431', 1]],
    ['that closes the connection', request('/cam/index.m3u8', { Connection: 'close' }), 200, undefined],
  ])('reads no input after a request %s', async (_name, head, status, counted) => {
    const refused = new Tally();
    const run = await startedEdge('cam', { refused });
    run.stream.play(PLAIN);
    const client = await run.connect();
    // More than one read of the socket.
    client.send(head + 'x'.repeat(300_000) + `\r\n\r\n${request('/cam/index.m3u8')}`.repeat(10_000));
    expect((await client.reply()).status).toBe(status);
    expect(await client.rest()).toHaveLength(0);
    expect([...refused.entries()]).toEqual(counted ? [counted] : []);
  });

  it('accepts an empty line before a request', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const client = await run.connect();
    client.send(`\r\n${request('/cam/index.m3u8')}\r\n${request('/cam/v1/index.m3u8')}`);
    expect((await client.reply()).status).toBe(200);
    expect((await client.reply()).status).toBe(200);
  });

  it('ignores a request to upgrade to another protocol', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const upgrade = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' };
    expect((await run.get('/cam/index.m3u8', upgrade)).status).toBe(200);
  });

  it('closes the connection after HTTP/1.0 or Connection: close, and announces a persistent connection', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    for (const head of [
      'GET /cam/index.m3u8 HTTP/1.0\r\n\r\n',
      'GET /cam/index.m3u8 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'GET /cam/index.m3u8 HTTP/1.1\r\nHost: a\r\nConnection: TE, Close\r\n\r\n',
    ]) {
      const client = await run.connect();
      client.send(head);
      const reply = await client.reply();
      expect(reply.headers.get('connection')).toBe('close');
      await client.isClosed;
    }
    const old = await run.connect();
    old.send('GET /cam/index.m3u8 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    // Without this header an HTTP/1.0 client waits for the end of the connection.
    expect((await old.reply()).headers.get('connection')).toBe('keep-alive');
    old.send('GET /cam/index.m3u8 HTTP/1.0\r\n\r\n');
    expect((await old.reply()).status).toBe(200);
  });

  it('accepts a request target in absolute form', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const client = await run.connect();
    client.send(`GET http://test:80/cam/index.m3u8?x=1 HTTP/1.1\r\nHost: test\r\n\r\n`);
    expect((await client.reply()).status).toBe(200);
  });

  it('answers HEAD without a body, and keeps the connection open', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const client = await run.connect();
    const full = await run.get('/cam/v1/1800000000000.m4s');
    for (const path of [
      '/cam/index.m3u8',
      '/cam/v1/1800000000000.m4s',
      '/cam/v1/1800000008000.m4s',
      '/cam/mpegts',
      '/cam/none/index.m3u8',
    ]) {
      client.send(request(path, {}, 'HEAD'));
      const reply = await client.reply(true);
      expect(reply.status).toBe(path.includes('none') ? 404 : 200);
      if (path.endsWith('0000.m4s')) expect(Number(reply.headers.get('content-length'))).toBe(full.body.length);
    }
    client.send(request('/cam/index.m3u8'));
    expect(text(await client.reply())).toMatch(/^#EXTM3U/);
  });

  it('allows cross-origin requests from any page', async () => {
    const run = await startedEdge();
    const reply = await run.get(
      '/cam/v1/index.m3u8',
      { Origin: 'https://elsewhere', 'Access-Control-Request-Method': 'GET' },
      'OPTIONS',
    );
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-allow-methods')).toContain('GET');
    expect((await run.get('/cam/index.m3u8')).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('compresses playlists for clients that accept gzip, with a different ETag per encoding', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const plain = await run.get('/cam/v1/index.m3u8');
    const packed = await run.get('/cam/v1/index.m3u8', { 'Accept-Encoding': 'gzip, br' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toBe('Accept-Encoding');
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const etag = plain.headers.get('etag') ?? '';
    expect((await run.get('/cam/v1/index.m3u8', { 'If-None-Match': etag })).status).toBe(304);
    expect((await run.get('/cam/v1/index.m3u8', { 'If-None-Match': `"x", ${etag}` })).status).toBe(304);
    expect((await run.get('/cam/v1/index.m3u8', { 'If-None-Match': '"x"' })).status).toBe(200);
    expect(
      (await run.get('/cam/v1/index.m3u8', { 'Accept-Encoding': 'gzip;q=0' })).headers.get('content-encoding'),
    ).toBeUndefined();
  });

  it('hands over requests that are not for media, and then serves media on the same connection', async () => {
    const run = await startedEdge();
    run.stream.play(PLAIN);
    const client = await run.connect();
    client.send(request('/cam/index.m3u8') + request('/-/desk') + request('/cam/v1/index.m3u8'));
    expect((await client.reply()).headers.get('x-control')).toBeUndefined();
    const control = await client.reply();
    expect(control.headers.get('x-control')).toBe('1');
    expect(text(control)).toBe('GET /-/desk ');
    expect(text(await client.reply())).toContain('#EXT-X-PART-INF');
    client.send(request('/cam/v1/1800000000000.m4s', { Range: 'bytes=0-9' }));
    expect((await client.reply()).body.length).toBe(10);
    await until('the handed-over connection', () => run.edge.connectionCount === 0, 30_000);
  });

  it.each([
    ['on its own connection', false],
    ['on a connection that was handed over', true],
  ])('calls every callback of a request whose client disconnects, %s', async (_where, isHandedOver) => {
    const run = await startedEdge();
    const calls: string[] = [];
    const handle = vi.spyOn(run.handler, 'handle').mockImplementation((exchange) => {
      exchange.onClose(() => calls.push('first'));
      exchange.onClose(() => calls.push('second'));
    });
    const client = await run.connect();
    if (isHandedOver) {
      client.send(request('/-/desk'));
      await client.reply();
    }
    client.send(request('/cam/index.m3u8'));
    await until('the request', () => handle.mock.calls.length === 1, 30_000);
    client.socket.destroy();
    await until('a callback', () => calls.length > 0, 30_000);
    expect(calls).toEqual(['first', 'second']);
  });

  it('hands over publishers with the bytes already read, and GET requests with a body', async () => {
    const run = await startedEdge();
    const client = await run.connect();
    client.send('POST /cam/publish HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
    await new Promise(setImmediate);
    client.send('6\r\n later\r\n0\r\n\r\n');
    expect(text(await client.reply())).toBe('POST /cam/publish first later');
    // A body after a GET must not be read as the next request.
    run.stream.play(PLAIN);
    const smuggler = await run.connect();
    const inner = request('/-/secret');
    smuggler.send(
      `GET /cam/index.m3u8 HTTP/1.1\r\nHost: a\r\nContent-Length: ${inner.length}\r\n\r\n${inner}${request('/-/end')}`,
    );
    expect(text(await smuggler.reply())).toContain('#EXTM3U');
    expect(text(await smuggler.reply())).toBe('GET /-/end ');
  });

  it('times out slow request heads, and limits the number of connections', async () => {
    const refusals: string[] = [];
    const limits = new ConnectionLimits({
      maxConnections: 40,
      reserve: 10,
      report: ({ reason }) => refusals.push(reason),
    });
    const run = await startedEdge('cam', { limits });
    const clients = await Promise.all(Array.from({ length: 40 }, () => run.connect()));
    const last = await run.connect();
    await last.isClosed;
    expect([limits.total, refusals]).toEqual([40, ['all']]);
    for (let ms = 0; ms < 12_000; ms += 3000) {
      for (const client of clients) client.send(ms === 0 ? 'GET /cam' : 'x');
      await until('the first bytes of 40 heads', () => run.edge.waitingHeads === 40, 30_000);
      run.clock.advance(3000);
      run.edge.sweep();
    }
    await until('the end of all connections', () => limits.total === 0, 30_000);
  });

  it('admits only publishers to reserved connections', async () => {
    const run = await startedEdge('cam', { limits: reserveOnly() });
    run.stream.play(PLAIN);
    const refused = await run.get('/cam/index.m3u8');
    expect([refused.status, JSON.parse(text(refused))]).toMatchObject([503, { error: 'unavailable' }]);
    expect(text(await run.get('/cam/publish', {}, 'POST'))).toContain('POST /cam/publish');
  });

  it('lists the allowed methods of media', async () => {
    const run = await startedEdge();
    const reply = await run.get('/cam/index.m3u8', {}, 'DELETE');
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('buffers one reply for a slow reader, and disconnects a client that reads nothing', async () => {
    const run = await startedEdge('cam', { stallMs: 300 });
    run.stream.play({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, seconds: 9 });
    const client = await run.connect();
    client.socket.pause();
    const requestCount = 400;
    client.send(request('/cam/v1/1800000000000.m4s').repeat(requestCount));
    let maxBytes = 0;
    await until(
      'the close of the slow connection',
      () => {
        maxBytes = Math.max(maxBytes, run.edge.queuedBytes);
        return run.edge.connectionCount === 0;
      },
      30_000,
    );
    // Besides the socket buffers of the system, the edge holds its buffer limit and one segment.
    expect(maxBytes).toBeGreaterThan(0);
    expect(maxBytes).toBeLessThan(1_000_000);
    client.socket.destroy();
  });

  it('sweeps a thousand idle connections with little CPU time, and closes them at the idle limit', async () => {
    const run = await startedEdge('cam', { idleMs: 60_000 });
    run.stream.play(PLAIN);
    const clients = await Promise.all(Array.from({ length: 1000 }, () => run.connect()));
    for (const client of clients) client.send(request('/cam/index.m3u8'));
    await Promise.all(clients.map((client) => client.reply()));
    expect(run.edge.connectionCount).toBe(1000);
    const cpu = process.cpuUsage();
    run.edge.sweep();
    const { user } = process.cpuUsage(cpu);
    expect(user).toBeLessThan(50_000);
    expect(run.edge.connectionCount).toBe(1000);
    run.clock.advance(61_000);
    run.edge.sweep();
    await until('the close of all connections', () => run.edge.connectionCount === 0, 30_000);
  });
});
