import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PushStateObject } from '../../src-preload/contract/api/push-object.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { freePort } from '../helpers/free-port.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { NginxFiles } from '../helpers/nginx-files.ts';
import { makeTestCertificate } from '../helpers/test-certificate.ts';
import { until } from '../helpers/until.ts';

// Real targets by HTTP: a second Airdesk with and without TLS, and nginx that stores files.

const KEY = 'secret-stream-key-77';
const LIMIT_MS = 30_000;
const CLIP = { seconds: 6, gopSeconds: 2 } as const;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-push-http-e2e-'));
let target: AirdeskProcess;
let server: AirdeskProcess;
let encoder: EncoderProcess;
let nginx: NginxFiles;

async function pushes(): Promise<readonly PushStateObject[]> {
  const response = await fetch(`${server.url}/mediaserver/api/v3/streams/live%2Fcam/pushes`);
  const text = await response.text();
  expect(text).not.toContain(KEY);
  // The server follows the contract; otherwise the test fails.
  return (JSON.parse(text) as { pushes: PushStateObject[] }).pushes;
}

function untilState(index: number, state: PushStateObject['state']): Promise<PushStateObject> {
  let last: readonly PushStateObject[] = [];
  return until(
    `${state} of push ${index}`,
    async () => {
      last = await pushes();
      return last[index]?.state === state ? last[index] : undefined;
    },
    LIMIT_MS,
    () => `${JSON.stringify(last)}\n${server.printed.slice(-3000)}`,
  );
}

/** Hashes of the pictures of an address or file. */
function pictures(address: string, limit: readonly string[] = [], options: readonly string[] = []): string[] {
  const args = ['-v', 'error', ...options, '-i', address, ...limit, '-map', '0:v', '-f', 'framemd5', '-'];
  const lines = execFileSync('ffmpeg', args, { encoding: 'utf8', timeout: LIMIT_MS }).trim().split('\n');
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split(',').at(-1)?.trim() ?? '');
}

/** Checks that a server plays the clip, which is endless, without a change. */
function expectUnchanged(address: string, options: readonly string[] = []): void {
  const sent = pictures(markedClip(CLIP));
  const seen = pictures(address, ['-t', '5'], options);
  expect(seen.length).toBeGreaterThan(100);
  expect([...sent, ...sent, ...sent].join(' ').includes(seen.join(' '))).toBe(true);
}

beforeAll(async () => {
  const [httpsPort, nginxPort] = await Promise.all([freePort(), freePort()]);
  nginx = await NginxFiles.start(folder, nginxPort);
  const good = makeTestCertificate(folder, 'good');
  target = await AirdeskProcess.start(
    `https 127.0.0.1:${httpsPort}; ssl_certificate ${good.certificatePath}; ssl_certificate_key ${good.keyPath};
     stream locked { input publish://; password ${KEY}-right; }`,
  );
  const { host } = new URL(target.url);
  server = await AirdeskProcess.start(
    `stream live/cam { input publish://;
      push tshttp://${host}/live/${KEY}/mpegts;
      push tshttps://localhost:${httpsPort}/live/${KEY}-tls/mpegts;
      push tshttp://${host}/;
      push tshttp://${host}/locked/mpegts?password=${KEY};
      push hls://127.0.0.1:${nginxPort}/live/${KEY}/index.m3u8;
    }`,
    { env: { NODE_EXTRA_CA_CERTS: good.certificatePath } },
  );
  encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/cam`, isEndless: true }, CLIP);
}, 120_000);

afterAll(async () => {
  await encoder.stop();
  await server.dispose();
  await target.dispose();
  await nginx.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('reaches a second Airdesk, also with TLS, and with the name of the stream', async () => {
  const names = [`live/${KEY}`, `live/${KEY}-tls`, 'live/cam'];
  for (const [index, name] of names.entries()) {
    await untilState(index, 'running');
    await target.streamWhere(name, 'frames', ({ alive, fps }) => alive && fps !== null && fps > 20, LIMIT_MS);
    const stream = await target.stream(name);
    expect(stream?.problems.map(({ code }) => code).filter((code) => code.startsWith('ts_'))).toEqual([]);
  }
  expect((await pushes())[0]).toMatchObject({ url: `tshttp://${new URL(target.url).host}/***`, tries: 1, dropped: 0 });
});

it('is refused with a wrong password, without an effect on the others', async () => {
  expect(await untilState(3, 'retry')).toMatchObject({
    code: 'push_refused',
    explanation: { code: 'push_status_login' },
  });
  expect((await pushes())[0]).toMatchObject({ state: 'running', tries: 1 });
});

it('sends every picture unchanged', () => {
  for (const name of [`live/${KEY}`, `live/${KEY}-tls`]) expectUnchanged(`${target.url}/${name}/mpegts`);
}, 90_000);

it('stores HLS on nginx, which plays every picture unchanged', async () => {
  const push = await untilState(4, 'running');
  expect(push.url).toBe(`hls://${new URL(nginx.url).host}/***`);
  const stored = join(nginx.files, KEY);
  await until('three segments', () => readdirSync(stored).filter((name) => name.endsWith('.ts')).length >= 3, LIMIT_MS);
  expect((await pushes())[4]?.bytes_acknowledged).toBeGreaterThan(100_000);
  expectUnchanged(join(stored, 'index.m3u8'), ['-live_start_index', '0']);
  expectUnchanged(`${nginx.url}/live/${KEY}/index.m3u8`, ['-live_start_index', '0']);
}, 90_000);

it('shows the key nowhere', async () => {
  const texts = await Promise.all(
    ['media', 'v3/streams', 'v3/streams/live%2Fcam', 'v3/streams/live%2Fcam/pushes'].map(async (path) =>
      (await fetch(`${server.url}/mediaserver/api/${path}`)).text(),
    ),
  );
  for (const text of [...texts, server.printed]) expect(text).not.toContain(KEY);
});
