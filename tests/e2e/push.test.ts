import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PushStateObject } from '../../src-preload/contract/api/push-object.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { freePort } from '../helpers/free-port.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { NginxRtmp } from '../helpers/nginx-rtmp.ts';
import { makeTestCertificate } from '../helpers/test-certificate.ts';
import { until } from '../helpers/until.ts';

// Real targets: nginx-rtmp, ffmpeg as a listener, and a second Airdesk with RTMP and RTMPS.

const KEY = 'secret-stream-key-77';
const LIMIT_MS = 30_000;
/** Key frames are so far apart that a push must not wait for one. */
const CLIP = { seconds: 20, gopSeconds: 10 } as const;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-push-e2e-'));
let target: AirdeskProcess;
let server: AirdeskProcess;
let nginx: NginxRtmp;
/** Server whose certificate is from an unknown authority. */
let untrusted: Server;
let listenPort = 0;
let encoder: EncoderProcess;
const listeners: ChildProcess[] = [];

/** ffmpeg that accepts one publisher and writes what it sends to a file. */
function listen(file: string): ChildProcess {
  const url = `rtmp://127.0.0.1:${listenPort}/live/${KEY}`;
  const args = ['-v', 'error', '-nostdin', '-y', '-listen', '1', '-i', url, '-c', 'copy', '-f', 'flv', file];
  const child = spawn('ffmpeg', args, { stdio: 'ignore' });
  listeners.push(child);
  return child;
}

async function pushes(): Promise<readonly PushStateObject[]> {
  const response = await fetch(`${server.url}/mediaserver/api/v3/streams/live%2Fcam/pushes`);
  const text = await response.text();
  expect(text).not.toContain(KEY);
  // The server follows the contract; otherwise the test fails.
  return (JSON.parse(text) as { pushes: PushStateObject[] }).pushes;
}

/** Maximum time until a push runs again after its target is back; `until` allows for a busy machine. */
const BACK_MS = 6000;

function untilState(index: number, state: PushStateObject['state'], limitMs = LIMIT_MS): Promise<PushStateObject> {
  let last: readonly PushStateObject[] = [];
  return until(
    `${state} of push ${index}`,
    async () => {
      last = await pushes();
      return last[index]?.state === state ? last[index] : undefined;
    },
    limitMs,
    () => `${JSON.stringify(last)}\n${server.printed.slice(-3000)}`,
  );
}

/** Time stamps and sizes of the pictures of a file. */
function pictures(file: string): string[] {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=size,flags', '-of', 'csv=p=0', file];
  return execFileSync('ffprobe', args, { encoding: 'utf8' }).trim().split('\n').map((line) => line.split(',').slice(0, 2).join()); // prettier-ignore
}

beforeAll(async () => {
  const [nginxPort, rtmpsPort, wrongPort] = await Promise.all([freePort(), freePort(), freePort()]);
  listenPort = await freePort();
  const good = makeTestCertificate(folder, 'good');
  const bad = makeTestCertificate(folder, 'bad');
  nginx = new NginxRtmp(folder, nginxPort);
  await nginx.start();
  target = await AirdeskProcess.start(
    `rtmps 127.0.0.1:${rtmpsPort}; ssl_certificate ${good.certificatePath}; ssl_certificate_key ${good.keyPath};`,
  );
  untrusted = createTlsServer({ cert: bad.cert, key: bad.key }).listen(wrongPort, '127.0.0.1');
  listen(join(folder, 'ffmpeg.flv'));
  server = await AirdeskProcess.start(
    `stream live/cam { input publish://;
      push rtmp://127.0.0.1:${nginxPort}/live/${KEY};
      push rtmp://127.0.0.1:${listenPort}/live/${KEY};
      push ${target.rtmpUrl}/live/${KEY};
      push rtmps://localhost:${rtmpsPort}/live/${KEY}-tls;
      push rtmps://localhost:${wrongPort}/live/${KEY};
      push rtmp://127.0.0.1:${nginxPort}/live/off disabled=true;
    }`,
    { env: { NODE_EXTRA_CA_CERTS: good.certificatePath } },
  );
  encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/cam`, isEndless: true }, CLIP);
}, 120_000);

afterAll(async () => {
  await encoder.stop();
  await server.dispose();
  await target.dispose();
  await nginx.kill();
  untrusted.close();
  for (const child of listeners) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('reaches nginx-rtmp, ffmpeg and a second Airdesk at the same time', async () => {
  for (const index of [0, 1, 2]) await untilState(index, 'running');
  await until('acknowledged bytes', async () => ((await pushes())[0]?.bytes_acknowledged ?? 0) > 0, LIMIT_MS);
  await target.streamWhere(`live/${KEY}`, 'frames', ({ alive, fps }) => alive && fps !== null && fps > 20);
  await untilState(3, 'running');
  await target.streamWhere(`live/${KEY}-tls`, 'frames', ({ alive }) => alive);
  expect(await untilState(4, 'retry')).toMatchObject({ code: 'push_bad_certificate', bytes: 0 });
  expect((await pushes())[5]).toMatchObject({ state: 'disabled' });
});

it('sends every picture unchanged', async () => {
  const listener = listeners[0] as ChildProcess; // started in beforeAll
  await until('three seconds of media', async () => ((await pushes())[1]?.bytes ?? 0) > 200_000, LIMIT_MS);
  const ended = once(listener, 'exit');
  listener.kill('SIGINT');
  await ended;
  const sent = pictures(markedClip(CLIP));
  const seen = pictures(join(folder, 'ffmpeg.flv'));
  expect(seen[0]).toMatch(/K/);
  expect(seen.length).toBeGreaterThan(50);
  // The clip is endless: what arrived is a part of its repetition.
  const endless = [...Array.from({ length: Math.ceil(seen.length / sent.length) + 1 }, () => sent)].flat().join(' ');
  expect(endless).toContain(seen.join(' '));
});

it('is back within six seconds each of ten times that nginx is killed', async () => {
  for (let round = 0; round < 10; round++) {
    await untilState(0, 'running');
    await nginx.kill();
    await untilState(0, 'retry');
    await nginx.start();
    await untilState(0, 'running', BACK_MS);
  }
  expect(readdirSync(nginx.records).length).toBeGreaterThanOrEqual(11);
  expect((await pushes())[2]).toMatchObject({ state: 'running', dropped: 0, tries: 1 });
}, 240_000);

it('stays connected when its encoder comes back', async () => {
  await untilState(2, 'running');
  await encoder.stop('SIGKILL');
  encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/cam`, isEndless: true }, CLIP);
  const before = (await pushes())[2]?.bytes ?? 0;
  await until('bytes after the return', async () => ((await pushes())[2]?.bytes ?? 0) > before + 100_000, LIMIT_MS);
  expect((await pushes())[2]).toMatchObject({ state: 'running', tries: 1 });
});

it('reports bytes in the legacy API, and shows the key nowhere', async () => {
  const media = await (await fetch(`${server.url}/mediaserver/api/media`)).text();
  expect(media).toMatch(/"push_stats":\{"rtmp:[^}]*:\d+/);
  const stream = await (await fetch(`${server.url}/mediaserver/api/v3/streams/live%2Fcam`)).text();
  const metrics = await (await fetch(`${server.url}/mediaserver/api/v3/streams`)).text();
  for (const text of [media, stream, metrics, server.printed]) expect(text).not.toContain(KEY);
});
