import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import type { ProcessEvent, ProcessRequest } from '../lib/process-messages.ts';
import { CodecPool } from './codec-pool.ts';
import { HostedChildren } from './hosted-children.ts';
import { JOB_SOCKET_ENV } from './job-connection.ts';
import { RequestedHost } from './process-host.ts';

const entry = new URL('../codec-process.ts', import.meta.url);
/**
 * Timeout of a picture job, in milliseconds. On a busy machine, starting the process takes longer than the default
 * timeout.
 */
const PICTURE_TIMEOUT_MS = 60_000;
const badPicture = { codec: 'h264', decoderConfig: new Uint8Array(3), data: new Uint8Array(200_000) } as const;
const options = { width: 1280, height: 720, fpsNumerator: 25, fpsDenominator: 1, gopFrames: 25, bitrateKbps: 4000 };
const folder = mkdtempSync(join(tmpdir(), 'airdesk-hosted-'));
const longJob = { options: { ...options, bFrames: 0 }, path: join(folder, 'loop') };

interface Stage {
  readonly pool: CodecPool;
  readonly children: HostedChildren;
  /** Requests to the process host. */
  readonly requests: ProcessRequest[];
  readonly environments: Readonly<Record<string, string>>[];
}

const stages: Stage[] = [];

/**
 * A pool whose processes are started by a host, as in Electron. Here the host starts plain children without a channel.
 */
function newStage(script = fileURLToPath(entry)): Stage {
  const requests: ProcessRequest[] = [];
  const environments: Readonly<Record<string, string>>[] = [];
  const running = new Map<number, () => void>();
  const report = (event: ProcessEvent): void => {
    host.receive(structuredClone(event));
  };
  const host = new RequestedHost((request) => {
    requests.push(request);
    const { id } = request;
    if (request.kind === 'process-kill') {
      running.get(id)?.();
      return;
    }
    environments.push(request.environment);
    const env = { ...process.env, ...request.environment, NODE_OPTIONS: '' };
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'], env });
    running.set(id, () => child.kill('SIGKILL'));
    child.stderr.on('data', (bytes: Buffer) => {
      report({ kind: 'process-output', id, text: bytes.toString() });
    });
    child.once('spawn', () => {
      report({ kind: 'process-started', id, pid: child.pid ?? 0 });
    });
    child.once('close', (code) => {
      report({ kind: 'process-ended', id, how: `code ${String(code)}` });
    });
  });
  const children = new HostedChildren(host, systemClock);
  const pool = new CodecPool({
    entry,
    startChild: (listener) => children.start(listener),
    clock: systemClock,
    log: silentLog,
    backOffMs: 10,
  });
  const stage = { pool, children, requests, environments };
  stages.push(stage);
  return stage;
}

afterEach(async () => {
  for (const { pool, children } of stages.splice(0)) {
    await pool.close();
    await children.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('hosted children get jobs over the socket, and an idle child exits without a kill when the pool closes', async () => {
  const { pool, requests } = newStage();
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'codec_bad_frame' });
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'codec_bad_frame' });
  expect(pool.stats).toMatchObject({ started: 1, failed: 2, crashed: 0, processes: 1 });
  const [pid = 0] = pool.pids;
  expect(isRunning(pid)).toBe(true);
  await pool.close();
  expect(isRunning(pid)).toBe(false);
  expect(requests.map(({ kind }) => kind)).toEqual(['process-start']);
});

test('a crash of a hosted child fails its job and is counted, and the next job gets a new child', async () => {
  const { pool } = newStage();
  const doomed = pool.run('test-picture', longJob);
  const failed = expect(doomed).rejects.toMatchObject({ code: 'codec_process_failed' });
  await until('the child runs', () => pool.pids.length === 1, 20_000);
  process.kill(pool.pids[0] ?? 0, 'SIGKILL');
  await failed;
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'codec_bad_frame' });
  expect(pool.stats).toMatchObject({ started: 2, crashed: 1 });
});

test('a job that takes too long is killed with its hosted child', async () => {
  const { pool, requests } = newStage();
  await expect(pool.run('test-picture', longJob, 400)).rejects.toMatchObject({ code: 'codec_process_timeout' });
  await until('the child is gone', () => pool.stats.processes === 0, 20_000);
  expect(requests.at(-1)?.kind).toBe('process-kill');
  expect(pool.stats).toMatchObject({ crashed: 0, timedOut: 1 });
});

test('a hosted child that dies at its start reports the reason', async () => {
  const { pool } = newStage(join(folder, 'missing.js'));
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({
    code: 'codec_process_failed',
    message: expect.stringContaining('Cannot find module') as string,
  });
});

test('closing the pool ends a busy child, and closing the children removes their socket', async () => {
  const { pool, children, environments } = newStage();
  const job = pool.run('test-picture', longJob).catch(() => undefined);
  await until('the child runs', () => pool.pids.length === 1, 20_000);
  const pids = pool.pids;
  await pool.close();
  await job;
  expect(pids.filter(isRunning)).toEqual([]);
  const path = environments[0]?.[JOB_SOCKET_ENV.path] ?? '';
  expect(existsSync(dirname(path))).toBe(true);
  await children.close();
  expect(existsSync(dirname(path))).toBe(false);
});

test('a connection without the token is refused', async () => {
  const { pool, environments } = newStage();
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'codec_bad_frame' });
  const intruder = connect(environments[0]?.[JOB_SOCKET_ENV.path] ?? '');
  let received = 0;
  let isClosed = false;
  intruder.on('data', () => received++);
  intruder.on('close', () => (isClosed = true));
  intruder.write(Buffer.alloc(64, 1));
  await until('the connection is refused', () => isClosed, 20_000);
  expect(received).toBe(0);
  expect(pool.stats).toMatchObject({ processes: 1, crashed: 0 });
});
