import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { freeUdpPort } from '../helpers/free-port.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { until } from '../helpers/until.ts';

const PASSPHRASE = 'e2e-passphrase-2';
const peers: ChildProcess[] = [];
let port: number;
let server: AirdeskProcess;

/** Whether the port is in use (proc_pid_net(5)). */
function isListening(): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  return readFileSync('/proc/net/udp', 'latin1').includes(local);
}

/** Starts ffmpeg as an SRT encoder in caller mode. */
function call(options: string): ChildProcess {
  const input = ['-v', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', markedClip(), '-c', 'copy'];
  const peer = spawn('ffmpeg', [...input, '-f', 'mpegts', `srt://127.0.0.1:${port}?mode=caller${options}`], {
    stdio: 'ignore',
  });
  peers.push(peer);
  return peer;
}

beforeAll(async () => {
  port = await freeUdpPort();
  server = await AirdeskProcess.start(
    `stream locked { input srt://127.0.0.1:${port}?mode=listener passphrase=${PASSPHRASE}; }`,
  );
});
afterAll(async () => {
  for (const peer of peers) peer.kill('SIGKILL');
  await server?.dispose();
});

describe('an SRT listener with a passphrase', () => {
  it.each([
    ['another passphrase', `&passphrase=not-${PASSPHRASE}`],
    ['no passphrase', ''],
  ])('refuses an encoder with %s', async (_what, options) => {
    // The passphrase can only be refused if the listener is open.
    await until('an open listener', isListening, 20_000);
    const [code] = (await once(call(options), 'exit')) as [number | null];
    expect(code).toBeGreaterThan(0);
    const { streams } = await server.call('streams.list', {});
    expect(streams.map(({ bytes_in, media_info }) => [bytes_in, media_info])).toEqual([[0, null]]);
  });

  it('accepts the encoder with the correct passphrase, and never shows the passphrase', async () => {
    call(`&passphrase=${PASSPHRASE}`);
    await server.streamWhere(
      'locked',
      'pictures',
      ({ status, fps }) => status === 'running' && fps !== null && fps > 20,
    );
    await until('a segment', async () => (await server.text('/locked/v1/index.m3u8')).includes('#EXTINF'), 20_000);
    expect(JSON.stringify(await server.call('streams.list', {}))).not.toContain(PASSPHRASE);
    expect(server.printed).not.toContain(PASSPHRASE);
  });
});
