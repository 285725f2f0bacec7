import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { processTimeMs } from '../../helpers/process-time.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from '../desk/desk-server.ts';

const CALLS = 5000;
/**
 * Maximum processor time of the server during one request of a playlist. Without a flood, a request takes some
 * milliseconds; a flood of unlimited replies took three seconds.
 */
const MAX_WAIT_MS = 1000;

let server: DeskServer;
afterEach(() => server.dispose());

describe('a flood of calls on one connection of a desk', () => {
  it('is mostly refused, and does not delay live playlists', async () => {
    const others = Array.from({ length: 200 }, (_, index) => `stream waiting${index} { input publish://; }\n`).join('');
    server = await DeskServer.start(`stream live1 { input fake://?width=320&height=180&bitrate=200; }\n${others}`);
    const playlist = `${server.url}live1/index.m3u8`;
    await until('playlist', async () => (await fetch(playlist)).ok, 30_000);

    const socket = new WebSocket(`${server.url.replace('http', 'ws')}-/bridge`, { perMessageDeflate: false });
    await once(socket, 'open');
    const codes = new Map<string, number>();
    let replies = 0;
    let bytes = 0;
    socket.on('message', (data: Buffer) => {
      replies++;
      bytes += data.length;
      const code = /"code":"(\w+)"/.exec(data.subarray(0, 200).toString())?.[1] ?? '';
      codes.set(code, (codes.get(code) ?? 0) + 1);
    });
    for (let id = 1; id <= CALLS; id++)
      socket.send(JSON.stringify({ kind: 'call', id, name: 'streams.list', input: {} }));
    let slowest = 0;
    let requests = 0;
    while (replies < CALLS) {
      const start = processTimeMs(server.pid);
      expect((await fetch(playlist)).status).toBe(200);
      slowest = Math.max(slowest, processTimeMs(server.pid) - start);
      requests++;
    }
    socket.terminate();
    process.stdout.write(
      `${bytes} bytes of answers, ${requests} playlists, the slowest during ${slowest} ms of server work\n`,
    );
    expect(codes.get('too_many_calls')).toBeGreaterThan(CALLS / 2);
    expect(requests).toBeGreaterThan(0);
    expect(slowest).toBeLessThan(MAX_WAIT_MS);
  });
});
