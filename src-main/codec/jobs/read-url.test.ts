import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import type { ConnectionLimits } from '../../lib/connection-limits.ts';
import { FeedServer } from '../../lib/feed/feed-server.ts';
import { readUrl, type ReadUrlOutput } from './read-url.ts';

const feeds = new FeedServer(systemClock);
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => feeds.close());

/** An RTSP server that sends the same answer to every request, and records the request lines. */
async function rtspServer(answer: string): Promise<{ readonly port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const request = data.toString();
      requests.push(request.split('\r\n')[0] ?? '');
      socket.end(`RTSP/1.0 ${answer}\r\nCSeq: ${/CSeq: (\d+)/.exec(request)?.[1] ?? '1'}\r\n\r\n`.replace('|', '\r\n'));
    });
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, requests };
}

async function read(url: string, limits?: ConnectionLimits): Promise<ReadUrlOutput> {
  const feed = await feeds.expect(({ socket }) => socket.resume());
  return readUrl({
    url,
    kind: 'rtsp',
    options: {},
    cacheFolder: '/nowhere',
    loop: false,
    openTimeoutMs: 5000,
    ...(limits ? { limits } : {}),
    feed,
  });
}

const HERE = { kind: 'loopback', hostAddresses: ['127.0.0.1'], port: null, ownPorts: [] } as const;

describe('an address opened by FFmpeg', () => {
  it('is not redirected to an address that is forbidden for its host', async () => {
    const target = await rtspServer('404 Not Found');
    const { port } = await rtspServer(`302 Found|Location: rtsp://127.0.0.1:${target.port}/x`);
    const url = `rtsp://127.0.0.1:${port}/x`;
    const end = await read(url, { ...HERE, port, ownPorts: [target.port, port] });
    expect(end).toMatchObject({ code: 'input_refused' });
    expect(end.detail).toContain(`127.0.0.1 port ${target.port}`);
    // A redirect to an allowed address is followed, and the target is contacted.
    await read(url, HERE);
    expect(target.requests.length).toBeGreaterThan(0);
  });

  it('uses the checked IP addresses, without a second DNS lookup', async () => {
    const { port, requests } = await rtspServer('404 Not Found');
    await read(`rtsp://cam.example.invalid:${port}/x`, { ...HERE, hostAddresses: ['127.0.0.9', '127.0.0.1'] });
    expect(requests[0]).toContain(`rtsp://127.0.0.1:${port}/x`);
  });

  it('is not opened if its only IP address is forbidden', async () => {
    const { port, requests } = await rtspServer('404 Not Found');
    const end = await read(`rtsp://127.0.0.1:${port}/x`, { ...HERE, kind: 'public' });
    expect(end.detail).toContain('which is not allowed');
    expect(requests.length).toBeLessThanOrEqual(1);
  });
});
