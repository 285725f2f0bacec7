import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { readPrometheus } from '../../helpers/prometheus-text.ts';
import { until } from '../../helpers/until.ts';

// Server with a very low limit of open files (`ulimit -n`), a flood that uses them all, and a limit that is lowered at
// run time.

const OPEN_FILES = 200;
const LIMIT_MS = 60_000;
/** Connection opened before the flood; it stays open. */
const kept = new Agent({ keepAlive: true, maxSockets: 1 });
let server: AirdeskProcess;
let flood: Socket[] = [];

beforeAll(async () => {
  server = await AirdeskProcess.start(
    'stream neighbour { input fake://; }\nevent_sink audit { url jsonlog://audit.jsonl; }',
    {
      openFiles: OPEN_FILES,
    },
  );
  await server.text('/neighbour/v1/index.m3u8', LIMIT_MS);
});

afterAll(async () => {
  endFlood();
  kept.destroy();
  await server.dispose();
});

function endFlood(): void {
  for (const socket of flood.splice(0)) socket.destroy();
}

/** Encoders that connect silently: the server closes them after five seconds. */
function fill(): void {
  flood = flood.filter(({ destroyed }) => !destroyed);
  const { hostname, port } = new URL(server.rtmpUrl.replace('rtmp', 'http'));
  while (flood.length < OPEN_FILES) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    flood.push(socket);
  }
}

/** Reply to a request on the connection that was opened before the flood. */
function textOnOpenConnection(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { agent: kept }, (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += bytes.toString()));
      response.on('end', () => {
        resolve(text);
      });
    }).on('error', reject);
  });
}

async function metric(name: string): Promise<number> {
  const metrics = readPrometheus(await textOnOpenConnection('/streamer/api-v4/runtime/metrics'));
  return (metrics.get(name)?.samples ?? []).reduce((sum, { value }) => sum + value, 0);
}

/** Sets the server's limit of open files and connections. */
async function limit(openFiles: number): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(server.pid), `--nofile=${openFiles}:${OPEN_FILES}`]);
}

async function alerts(): Promise<string> {
  return textOnOpenConnection('/mediaserver/api/v3/config/stats');
}

function emitted(): readonly string[] {
  const lines = readFileSync(join(server.folder, 'data', 'audit.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { readonly event: string }).event);
}

it('limits its connections below the limit of open files, and logs that', async () => {
  expect(server.printed).toContain('limit of open files allows fewer connections');
  expect(await metric('process_max_fds')).toBe(OPEN_FILES);
  const promised = (await metric('airdesk_http_connections_limit')) + (await metric('airdesk_rtmp_connections_limit'));
  expect(promised).toBeLessThan(OPEN_FILES - (await metric('process_open_fds')) + 10);
});

it('serves viewers during a flood of silent encoders', async () => {
  const encoders = await metric('airdesk_rtmp_connections_limit');
  await until(
    'refusals',
    async () => (fill(), (await metric('airdesk_rtmp_connections_refused_total')) > 50),
    LIMIT_MS,
  );
  expect(await metric('airdesk_rtmp_connections')).toBeLessThanOrEqual(encoders);
  expect((await fetch(`${server.url}/neighbour/index.m3u8`)).status).toBe(200);
  expect(await alerts()).not.toContain('open_files');
  endFlood();
});

it('survives when no files can be opened, reports that, and accepts connections again', async () => {
  expect(await alerts()).not.toContain('open_files');
  await limit(await metric('process_open_fds'));
  await until('the alert', async () => (fill(), (await alerts()).includes('open_files')), LIMIT_MS);
  // Viewers with open connections are served meanwhile.
  const before = await textOnOpenConnection('/neighbour/v1/index.m3u8');
  await until(
    'new media',
    async () => (fill(), (await textOnOpenConnection('/neighbour/v1/index.m3u8')) !== before),
    LIMIT_MS,
  );
  endFlood();
  await limit(OPEN_FILES);
  await until('the end of the alert', async () => !(await alerts()).includes('open_files'), LIMIT_MS);
  expect((await fetch(`${server.url}/neighbour/index.m3u8`)).status).toBe(200);
  await until('both events', () => emitted().includes('open_files_restored'), LIMIT_MS);
  expect(emitted().filter((event) => event.startsWith('open_files'))).toEqual([
    'open_files_exhausted',
    'open_files_restored',
  ]);
  expect(server.printed).toContain('file handles are available again');
});
