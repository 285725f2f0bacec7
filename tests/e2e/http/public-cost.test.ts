import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listedOperations } from '../../helpers/api-operations.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { until } from '../../helpers/until.ts';

// No request without a login costs more than 2 ms of the server thread, for all addresses, on servers with and without
// logins.

/** Maximum cost of a request, in milliseconds of processor time of the server thread. */
const MAX_MS = 2;
/** Additional cost for each MiB of a body, in milliseconds. */
const MS_PER_MIB = 1;
/**
 * Number of requests measured together, and number of rounds; the minimum of the rounds counts, because each value
 * contains other work of the thread.
 */
const BATCH = 8;
const ROUNDS = 12;
/** Time after which an endless reply is closed, in milliseconds. */
const ENDLESS_MS = 60;

/**
 * Media that is generated from files and archives on request: not measured, because such work has its own limits per
 * client address.
 */
const MADE_ON_REQUEST = /\.(ts|mp4)$|\/mpegts$|preview|\.jpg$/;

const nowSeconds = Math.floor(Date.now() / 1000);
const VALUES: Readonly<Record<string, string>> = {
  name: 'cam',
  prefix: 'films',
  subpath: 'film.mp4',
  index: '0',
  number: '0',
  item: '1',
  id: '1',
  from: String(nowSeconds - 30),
  start: String(nowSeconds - 30),
  duration: '20',
  seconds: '20',
  track: 'v1',
  tracks: 'v1a1',
  year: '2026',
  month: '11',
  day: '28',
  hours: '10',
  minutes: '10',
  step: '10',
  version: '1',
};

/** Methods and addresses of all operations, with values for parameters. */
const operations = listedOperations().map(
  ({ method, address }) =>
    [method, address.replaceAll(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? '1')] as const,
);

/** Public addresses outside the document. */
const OTHERS: readonly string[] = [
  '/',
  '/-/time',
  '/-/access',
  '/-/login',
  '/-/streams',
  '/-/player/hls.js',
  '/-/secret',
  '/favicon.ico',
  '/docs',
  '/nothing/index.m3u8',
  `/${'a/'.repeat(400)}index.m3u8`,
  '/robots.txt',
  '/cam',
  '/cam/',
  '/cam/embed.html',
  '/films/film.mp4/index.m3u8',
  '/films/film.mp4/index.mpd',
  '/films/film.mp4/embed.html',
  '/films/none/index.m3u8',
  '/films/film.mp4/index.json',
  '/films/film.mp4/tracks-v1/mono.m3u8',
  '/films/film.mp4/video.m3u8',
];

let server: AirdeskProcess;
let agent: Agent;

/** Processor time of the server thread in milliseconds: the server thread is the first thread of the process. */
function threadMs(): number {
  return Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

async function statusOf(method: string, path: string): Promise<number> {
  return (await requestReply(method, path)).status;
}

async function requestReply(
  method: string,
  path: string,
): Promise<{ readonly status: number; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? '' : '{}';
    // Local callers have more rights. With the header, the request counts as one from another machine.
    const headers = {
      'X-Forwarded-For': '192.0.2.7',
      ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': '2' }),
    };
    const clientRequest = request(server.url + path, { method, agent, headers }, (answer) => {
      const leave = setTimeout(() => answer.destroy(), ENDLESS_MS);
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.once('close', () => {
        clearTimeout(leave);
        resolve({ status: answer.statusCode ?? 0, bytes });
      });
    });
    clientRequest.once('error', reject);
    clientRequest.end(body);
  });
}

/** Minimum cost of a request over all rounds; ends early if the cost is low enough. */
async function costOf(method: string, path: string): Promise<{ readonly ms: number; readonly line: string }> {
  let ms = Infinity;
  let answer = { status: 0, bytes: 0 };
  for (let round = 0; round < ROUNDS && ms > MAX_MS; round++) {
    const before = threadMs();
    for (let index = 0; index < BATCH; index++) answer = await requestReply(method, path);
    ms = Math.min(ms, (threadMs() - before) / BATCH - (answer.bytes / 2 ** 20) * MS_PER_MIB);
  }
  return { ms, line: `${method} ${path} → ${answer.status}, ${answer.bytes} bytes: ${ms.toFixed(1)} ms` };
}

/** Requests that cost too much, one per line. */
async function costly(addresses: readonly (readonly [method: string, path: string])[]): Promise<string> {
  const found: string[] = [];
  for (const [method, path] of addresses) {
    const { ms, line } = await costOf(method, path);
    if (ms > MAX_MS) found.push(line);
  }
  return found.join('\n');
}

/** Starts the server. @param count number of streams in all lists, besides the playing one */
async function start(logins: string, count: number): Promise<void> {
  agent = new Agent({ keepAlive: true });
  const many = Array.from(
    { length: count },
    (_, index) => `stream s${index} { input fake://; disabled; title "Stream ${index}"; }`,
  ).join('\n');
  server = await AirdeskProcess.start(
    `${logins} ${many} stream cam { input fake:// width=320 height=180; dvr archive 1h; } vod films { storage films; }`,
  );
  mkdirSync(join(server.folder, 'films'), { recursive: true });
  const film = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-t', '120', '-preset', 'ultrafast', '-g', '50'];
  execFileSync('ffmpeg', ['-v', 'error', ...film, join(server.folder, 'films', 'film.mp4')]);
  await until('a playlist', async () => (await statusOf('GET', '/cam/index.m3u8')) === 200, 60_000);
}

/** Adds the tests of all addresses. @param more addresses of this server */
function testAddresses(more: readonly string[] = []): void {
  it('spends little processor time on each operation of a caller without a login', async () => {
    expect(await costly(operations.filter(([, path]) => !MADE_ON_REQUEST.test(path)))).toBe('');
  }, 600_000);

  it('spends little processor time on addresses outside the OpenAPI document', async () => {
    const desk = (await (await fetch(`${server.url}/`)).text()).match(/\/?-\/desk\/[^"']+/g) ?? [];
    const paths = [...OTHERS, ...more, ...desk.map((path) => (path.startsWith('/') ? path : `/${path}`))];
    expect(await costly(paths.map((path) => ['GET', path] as const))).toBe('');
  }, 600_000);
}

describe('a server with logins', () => {
  beforeAll(async () => {
    await start('edit_auth admin secret;', 1000);
    // The helper that starts the server needs access without a login, so the login to view is added later.
    appendFileSync(join(server.folder, 'airdesk.conf'), '\nview_auth viewer other;\n');
    const headers = { Authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}` };
    await fetch(`${server.url}/mediaserver/api/v3/config/reload`, { method: 'POST', headers });
    expect((await fetch(`${server.url}/mediaserver/api/v3/streams`)).status).toBe(401);
  });
  afterAll(async () => server?.dispose());

  testAddresses();
});

describe('a server without logins', () => {
  beforeAll(async () => {
    await start('', 1000);
    expect(await statusOf('GET', '/mediaserver/api/v3/streams')).toBe(200);
  });
  afterAll(async () => server?.dispose());

  testAddresses([
    '/-/streams?limit=1000',
    '/mediaserver/api/v3/streams?limit=1000',
    '/mediaserver/api/v3/streams?format=openmetrics',
    '/mediaserver/api/v3/streams?q=nothing&sort=-stats.bitrate',
  ]);
});
