import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import { OwnPorts } from '../../lib/own-ports.ts';
import { HlsFolder } from '../../../tests/helpers/hls-folder.ts';
import { HttpLoader } from './http-loader.ts';
import type { LoadRequest, LoadResult } from './http-loader.ts';

const folder = new HlsFolder();
const loaders: HttpLoader[] = [];
afterEach(async () => {
  for (const loader of loaders.splice(0)) loader.close();
  await folder.reset();
});
afterAll(() => folder.close());

let received = 0;

async function make(
  listener: RequestListener,
  headers: readonly (readonly [string, string])[] = [],
  hosts?: OutgoingHosts,
): Promise<{
  load: (path: string, request?: Partial<LoadRequest>) => Promise<LoadResult>;
  base: string;
  loader: HttpLoader;
}> {
  const base = (await folder.serve(listener)).replace('hls:', 'http:');
  received = 0;
  const loader = new HttpLoader({
    clock: systemClock,
    userAgent: 'Test/1',
    headers: new Map(headers),
    home: new URL(base),
    received: (bytes) => (received += bytes),
    ...(hosts ? { hosts } : {}),
  });
  loaders.push(loader);
  return {
    base,
    loader,
    load: (path, request = {}) =>
      loader.load({ url: new URL(path, base), maxBytes: 10_000, deadlineMs: 5000, ...request }),
  };
}

function textOf(result: LoadResult): string {
  return 'bytes' in result ? result.bytes.toString() : `${result.failure.code} ${result.status ?? ''}`.trim();
}

describe('HttpLoader', () => {
  it('follows redirects, returns cookies, reuses its connection, and sends configured headers', async () => {
    const seen: unknown[] = [];
    const sockets = new Set<unknown>();
    const { load, base } = await make(
      (request, response) => {
        sockets.add(request.socket);
        seen.push([request.url, request.headers.cookie, request.headers['user-agent'], request.headers['x-key']]);
        if (request.url === '/a')
          response
            .writeHead(302, { location: '/live/b', 'set-cookie': ['id=7; Path=/', 'gone=1; Max-Age=0'] })
            .end('go on');
        else response.end('found');
      },
      [['X-Key', '5']],
    );
    const result = await load('/a');
    expect(textOf(result)).toBe('found');
    expect('url' in result && result.url.href).toBe(`${base}/live/b`);
    expect(textOf(await load('/live/c'))).toBe('found');
    expect(seen).toEqual([
      ['/a', undefined, 'Test/1', '5'],
      ['/live/b', 'id=7', 'Test/1', '5'],
      ['/live/c', 'id=7', 'Test/1', '5'],
    ]);
    expect(sockets.size).toBe(1);
    expect(received).toBe(10);
  });

  it('sends configured headers only to the host of the configured address', async () => {
    const seen: unknown[] = [];
    const other = (
      await folder.serve((request, response) => {
        seen.push([request.headers.authorization, request.headers.referer]);
        response.end();
      })
    ).replace('hls:', 'http:');
    const { load } = await make(
      (request, response) => {
        seen.push([request.headers.authorization, request.headers.referer]);
        response.writeHead(302, { location: `${other}/x` }).end();
      },
      [
        ['Authorization', 'Bearer 1'],
        ['Referer', 'https://example.org/'],
      ],
    );
    await load('/');
    expect(seen).toEqual([
      ['Bearer 1', 'https://example.org/'],
      [undefined, undefined],
    ]);
  });

  it('refuses redirects and playlists that lead to this server or to metadata services', async () => {
    let hits = 0;
    const own = (await folder.serve((_request, response) => (hits++, response.end('restarted')))).replace(
      'hls:',
      'http:',
    );
    const ports = new OwnPorts();
    ports.add(Number(new URL(own).port));
    const { load, base } = await make(
      (request, response) =>
        response.writeHead(302, { location: request.url === '/own' ? `${own}/x` : 'http://169.254.169.254/x' }).end(),
      [],
      new OutgoingHosts({ ownPorts: ports }),
    );
    for (const address of ['/own', '/meta', `${own}/x`, 'http://[::ffff:169.254.169.254]/x'])
      expect(textOf(await load(new URL(address, base).href)), address).toMatch(/^input_refused/);
    expect(hits).toBe(0);
  });

  it('loads a byte range, even from servers that send the complete file', async () => {
    const { load } = await make((request, response) => {
      if (request.url === '/all') response.end('0123456789');
      else response.writeHead(206).end(request.headers.range);
    });
    const range = { offsetBytes: 2, lengthBytes: 3 };
    expect(textOf(await load('/all', { range }))).toBe('234');
    expect(textOf(await load('/part', { range, maxBytes: 100 }))).toBe('byt');
  });

  it('decrypts and decompresses while loading', async () => {
    const [key, iv] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const secret = Buffer.concat([cipher.update('x'.repeat(5000)), cipher.final()]);
    const { load } = await make((request, response) => {
      if (request.url === '/zip') response.setHeader('content-encoding', 'gzip').end(gzipSync('#EXTM3U'));
      else if (request.url === '/bomb')
        response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(1_000_000)));
      else response.end(secret);
    });
    expect(textOf(await load('/secret', { decipher: createDecipheriv('aes-128-cbc', key, iv) }))).toBe(
      'x'.repeat(5000),
    );
    expect(textOf(await load('/secret', { decipher: createDecipheriv('aes-128-cbc', Buffer.alloc(16, 9), iv) }))).toBe(
      'hls_key_unavailable 200',
    );
    expect(textOf(await load('/zip', { isText: true }))).toBe('#EXTM3U');
    expect(textOf(await load('/bomb', { isText: true }))).toBe('hls_bad_playlist');
  });

  it('reports the reason of a failure', async () => {
    const { load, base } = await make((request, response) => {
      const path = request.url ?? '';
      if (path === '/loop') response.writeHead(307, { location: '/loop' }).end();
      else if (path === '/file') response.writeHead(301, { location: 'file:///etc/hosts' }).end();
      else if (path === '/large') response.end(Buffer.alloc(10_001));
      else if (path === '/short')
        response.writeHead(200, { 'content-length': '500' }).end('x', () => response.destroy());
      else if (path === '/slow') response.write('x');
      else if (path === '/endless') setInterval(() => response.write('x'), 10).unref();
      else if (path !== '/never') response.writeHead(403).end();
    });
    expect(textOf(await load('/loop'))).toBe('input_refused');
    expect(textOf(await load('/file'))).toBe('input_refused');
    expect(textOf(await load('/large'))).toBe('hls_segment_too_large 200');
    expect(textOf(await load('/short'))).toBe('input_unreachable 200');
    expect(textOf(await load('/slow', { silenceMs: 50 }))).toBe('input_timed_out');
    expect(textOf(await load('/never', { silenceMs: 50 }))).toBe('input_timed_out');
    expect(textOf(await load('/endless', { deadlineMs: 100 }))).toMatch(/^input_(timed_out|unreachable)/);
    expect(textOf(await load('/no'))).toBe('input_refused 403');
    await folder.reset();
    expect(textOf(await load(`${base}/gone`))).toBe('input_unreachable');
  });

  it('retries on a new connection if the server has closed the reused one', async () => {
    let requests = 0;
    const { load } = await make((request, response) => {
      requests++;
      // The second request on a connection gets no answer: the server disconnects as if the connection had been idle.
      if (requests === 2) request.socket.destroy();
      else response.end(`${requests}`);
    });
    expect([textOf(await load('/a')), textOf(await load('/b'))]).toEqual(['1', '3']);
  });

  it('ends requests in progress when closed', async () => {
    const { load, loader } = await make(() => undefined);
    const going = load('/');
    loader.close();
    expect(textOf(await going)).toBe('input_timed_out');
    expect(textOf(await load('/'))).toBe('input_ended');
  });
});
