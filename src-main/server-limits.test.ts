import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RtmpEncoder } from '../tests/helpers/rtmp-encoder.ts';
import { sourceServer } from '../tests/helpers/source-server.ts';
import { until } from '../tests/helpers/until.ts';
import { readPrometheus } from '../tests/helpers/prometheus-text.ts';
import type { Caller } from './operators/caller.ts';
import type { ServerInfo } from '../src-preload/contract/index.ts';
import type { RunningServer } from './compose/server-options.ts';
import type { AirdeskServer } from './server.ts';

const CONFIGURATION = `http 127.0.0.1:0; rtmp 127.0.0.1:0; rtmp_connections 12; edit_auth boss hidden;
live load { }
stream locked { input publish://; password secret; }
stream guarded { input publish://; on_play auth://none; }
auth_backend none { deny_ips 127.0.0.1; }
`;
const LOCAL: Caller = { mayRead: true, mayWrite: true, who: 'local', address: '127.0.0.1' };
const folder = mkdtempSync(join(tmpdir(), 'airdesk-limits-'));
const sockets: Socket[] = [];
let server: AirdeskServer;
let running: RunningServer;

beforeAll(async () => {
  server = sourceServer(folder, CONFIGURATION);
  running = await server.start();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Values of a counter in the metrics, by label. */
async function counterValues(name: string): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${running.url}streamer/api-v4/runtime/metrics`)).text();
  const metric = readPrometheus(text).get(name);
  return Object.fromEntries((metric?.samples ?? []).map(({ labels, value }) => [Object.values(labels).join(), value]));
}

/** Opens a connection and sends a text; resolves when the connection is closed. */
function sent(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.on('close', () => {
      resolve();
    });
  });
}

async function rtmpPort(): Promise<number> {
  const info = await running.desk.call('server.info', {}, LOCAL);
  const { rtmp_url: address } = (info as { readonly value: ServerInfo }).value;
  return Number(/:(\d+)$/.exec(address ?? '')?.[1]);
}

describe('the metrics count refusals', () => {
  it('of viewers', async () => {
    expect((await fetch(`${running.url}guarded/index.m3u8`)).status).toBe(403);
    expect(await counterValues('airdesk_playback_refused_total')).toEqual({ playback_denied: 1 });
  });

  it('of publishers', async () => {
    await fetch(`${running.url}locked/mpegts?password=wrong`, { method: 'POST', body: 'G' });
    await fetch(`${running.url}nowhere/mpegts`, { method: 'POST', body: 'G' });
    expect(await counterValues('airdesk_publishers_refused_total')).toEqual({
      publish_bad_password: 1,
      publish_not_allowed: 1,
    });
  });

  it('of RTMP connections above the configured number', async () => {
    const port = await rtmpPort();
    const encoders = await Promise.all(Array.from({ length: 12 }, () => RtmpEncoder.connect(port)));
    await until(
      'twelve RTMP connections',
      async () => (await counterValues('airdesk_rtmp_connections'))[''] === 12,
      30_000,
    );
    const surplus = await RtmpEncoder.connect(port);
    await surplus.untilClosed();
    const refused = async (): Promise<unknown> =>
      (await counterValues('airdesk_rtmp_connections_refused_total'))['media-0'];
    await until('the counted refusal', async () => (await refused()) === 1, 30_000);
    expect(await counterValues('airdesk_rtmp_connections_limit')).toEqual({ '': 12 });
    for (const { socket } of encoders) socket.destroy();
    await until('no RTMP connection', async () => (await counterValues('airdesk_rtmp_connections'))[''] === 0, 30_000);
  });

  it('of requests that are too long, and of malformed requests', async () => {
    const port = Number(new URL(running.url).port);
    await sent(port, `GET /${'a'.repeat(20_000)}`);
    await sent(port, 'GET / HTTP/1.1\n\n');
    const long = await fetch(`${running.url}mediaserver/api/v3/streams/x`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('boss:hidden').toString('base64')}`,
      },
      body: JSON.stringify({ title: 'a'.repeat(9 << 20) }),
    });
    expect(long.status).toBe(413);
    expect(await counterValues('airdesk_http_requests_refused_total')).toEqual({ 400: 1, 413: 1, 431: 1 });
  });

  it('of wrong logins, and of logins that are not checked because there were too many', async () => {
    for (let attempt = 0; attempt < 12; attempt++) {
      const headers = { authorization: `Basic ${Buffer.from(`boss:${attempt}`).toString('base64')}` };
      await fetch(`${running.url}mediaserver/api/v3/streams`, { headers });
    }
    expect(await counterValues('airdesk_logins_refused_total')).toEqual({ wrong: 10, slowed: 2 });
  });

  it('of inputs that are disconnected because all inputs together have too much incomplete data', async () => {
    const port = await rtmpPort();
    const evicted = async (): Promise<number | undefined> =>
      (await counterValues('airdesk_inputs_evicted_total'))['media-0'];
    await until('the first figures', async () => (await evicted()) === 0, 30_000);
    // Nine connections send 30 MiB of incomplete data each; the limit of all inputs together is 256 MiB.
    const encoders: RtmpEncoder[] = [];
    for (let index = 0; index < 9; index++) {
      const encoder = await RtmpEncoder.publish(port, 'load', `cam${index}`);
      encoders.push(encoder);
      sockets.push(encoder.socket);
      await encoder.untilStatus('NetStream.Publish.Start');
      for (const chunkStream of [4, 5]) encoder.sendTruncated(15 << 20, chunkStream);
    }
    await until('the eviction', async () => (await evicted()) === 1, 60_000);
    await Promise.any(encoders.map((encoder) => encoder.untilClosed()));
    expect(encoders.filter(({ socket }) => !socket.destroyed)).toHaveLength(8);
  });
});
