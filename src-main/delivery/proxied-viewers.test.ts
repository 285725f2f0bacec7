import { afterEach, describe, expect, it } from 'vitest';
import { EdgeRun, request } from '../../tests/helpers/edge-run.ts';
import { TrustedProxies } from '../lib/trusted-proxies.ts';

const runs: EdgeRun[] = [];
afterEach(async () => {
  for (const run of runs.splice(0)) await run.close();
});

async function started(trusted: readonly string[]): Promise<EdgeRun> {
  const proxies = new TrustedProxies(trusted);
  const run = await new EdgeRun('cam', {
    clientAddress: (peer, header) => proxies.clientAddress(peer, header),
  }).start();
  runs.push(run);
  run.stream.play({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, seconds: 9.3 });
  return run;
}

function addresses(run: EdgeRun): string[] {
  return [...run.sessions.list()].map(({ visitor }) => visitor.ip).sort();
}

/** A playlist request for a viewer, from a proxy that appends its own X-Forwarded-For line. */
function forwarded(viewer: string): string {
  return `GET /cam/v1/index.m3u8 HTTP/1.1\r\nHost: test\r\nUser-Agent: player\r\nX-Forwarded-For: 203.0.113.99\r\nX-Forwarded-For: ${viewer}\r\n\r\n`;
}

describe('viewers behind a proxy', () => {
  it('have a session per viewer on one connection of a trusted proxy', async () => {
    const run = await started(['127.0.0.1']);
    const client = await run.connect();
    for (const viewer of ['198.51.100.1', '198.51.100.2', '198.51.100.1']) {
      client.send(forwarded(viewer));
      expect((await client.reply()).status).toBe(200);
    }
    expect(addresses(run)).toEqual(['198.51.100.1', '198.51.100.2']);
  });

  it('are counted as one viewer at the address of an untrusted proxy', async () => {
    const run = await started(['192.0.2.1']);
    const client = await run.connect();
    for (const viewer of ['198.51.100.1', '198.51.100.2']) {
      client.send(forwarded(viewer));
      expect((await client.reply()).status).toBe(200);
    }
    client.send(request('/cam/v1/index.m3u8', { 'X-Real-IP': '198.51.100.3' }));
    expect((await client.reply()).status).toBe(200);
    expect(new Set(addresses(run))).toEqual(new Set(['127.0.0.1']));
  });
});
