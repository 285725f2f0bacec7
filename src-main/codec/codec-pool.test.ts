import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { CodecPool, type CodecPoolOptions } from './codec-pool.ts';
import type { TestPictureOptions } from './test-picture/test-picture-options.ts';

const entry = new URL('../codec-process.ts', import.meta.url);
const small: TestPictureOptions = {
  width: 160,
  height: 90,
  fpsNumerator: 25,
  fpsDenominator: 1,
  gopFrames: 25,
  bitrateKbps: 100,
  bFrames: 0,
};
const large: TestPictureOptions = { ...small, width: 1280, height: 720, bitrateKbps: 4000 };
/**
 * Timeout of a picture job, in milliseconds. On a busy machine, starting the process takes longer than the default
 * timeout.
 */
const PICTURE_TIMEOUT_MS = 60_000;
const badPicture = {
  codec: 'h264',
  decoderConfig: new Uint8Array([1, 2, 3]),
  data: new Uint8Array([0, 0, 0, 1, 9]),
} as const;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-codec-'));
const pools: CodecPool[] = [];

function newPool(options: Partial<CodecPoolOptions> = {}): CodecPool {
  const pool = new CodecPool({ entry, clock: systemClock, log: silentLog, backOffMs: 10, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
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

/** Resolves as soon as the condition holds. The timeout of the test limits it. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('CodecPool starts no process before the first job', () => {
  expect(newPool().stats).toMatchObject({ processes: 0, started: 0 });
});

test('CodecPool rejects with the error of the job, and keeps the process', async () => {
  const pool = newPool();
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'codec_bad_frame' });
  const [pid] = pool.pids;
  await expect(
    pool.run('test-picture', { options: { ...small, width: 3 }, path: join(folder, 'a') }),
  ).rejects.toMatchObject({ code: 'bad_request' });
  expect(pool.pids).toEqual([pid]);
  expect(pool.stats).toMatchObject({ started: 1, failed: 2, crashed: 0, processes: 1, busy: 0 });
});

test('a killed codec process fails its own job only, and the next job gets a new process', async () => {
  const pool = newPool({ size: 1 });
  const doomed = pool.run('test-picture', { options: large, path: join(folder, 'doomed') });
  const waiting = pool.run('test-picture', { options: small, path: join(folder, 'waiting') });
  const [pid] = pool.pids;
  if (pid === undefined) throw new Error('no process was started');
  process.kill(pid, 'SIGKILL');
  await expect(doomed).rejects.toMatchObject({
    code: 'codec_process_failed',
    message: expect.stringContaining('SIGKILL') as string,
  });
  await waiting;
  expect(readdirSync(folder)).toEqual(['waiting']);
  expect(pool.stats).toMatchObject({ started: 2, crashed: 1, done: 1 });
});

test('an idle codec process that is killed is counted and replaced', async () => {
  const pool = newPool();
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toThrow();
  const [pid] = pool.pids;
  process.kill(pid ?? 0, 'SIGKILL');
  await until(() => pool.stats.crashed === 1);
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'codec_bad_frame' });
  expect(pool.stats).toMatchObject({ started: 2, crashed: 1 });
});

test('a codec job that takes too long is killed with its process', async () => {
  const pool = newPool({ size: 1 });
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toThrow();
  const [pid] = pool.pids;
  await expect(pool.run('test-picture', { options: large, path: join(folder, 'slow') }, 20)).rejects.toMatchObject({
    code: 'codec_process_timeout',
  });
  await until(() => !isRunning(pid ?? 0));
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'codec_bad_frame' });
  expect(pool.stats).toMatchObject({ timedOut: 1, crashed: 0, started: 2 });
});

test('CodecPool refuses a job when the queue is full, and rejects a job that waits too long', async () => {
  const clock = new FakeClock();
  const pool = newPool({ size: 1, queueLimit: 1, clock });
  const first = pool.run('picture', badPicture, PICTURE_TIMEOUT_MS);
  const second = pool.run('picture', badPicture, 500);
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'unavailable' });
  const expired = expect(second).rejects.toMatchObject({ code: 'codec_process_timeout' });
  clock.advance(600);
  await expired;
  await expect(first).rejects.toMatchObject({ code: 'codec_bad_frame' });
  expect(pool.stats).toMatchObject({ refused: 1, timedOut: 1, queued: 0 });
});

test('CodecPool waits longer after each consecutive crash of a process', async () => {
  const clock = new FakeClock();
  const pool = newPool({ entry: new URL('./no-such-entry.ts', import.meta.url), clock, backOffMs: 100 });
  await expect(pool.run('picture', badPicture, 10_000)).rejects.toMatchObject({
    code: 'codec_process_failed',
    message: expect.stringContaining('code 1') as string,
  });
  const second = pool.run('picture', badPicture, 10_000);
  expect(pool.stats).toMatchObject({ started: 1, queued: 1 });
  clock.advance(100);
  expect(pool.stats.started).toBe(2);
  await expect(second).rejects.toMatchObject({ code: 'codec_process_failed' });
  const third = pool.run('picture', badPicture, 10_000);
  clock.advance(199);
  expect(pool.stats.started).toBe(2);
  clock.advance(1);
  await expect(third).rejects.toMatchObject({ code: 'codec_process_failed' });
  expect(pool.stats).toMatchObject({ started: 3, crashed: 3 });
});

test('CodecPool ends an idle process', async () => {
  const clock = new FakeClock();
  const pool = newPool({ clock, idleMs: 1000 });
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toThrow();
  const [pid] = pool.pids;
  await until(() => pool.stats.busy === 0);
  clock.advance(999);
  expect(isRunning(pid ?? 0)).toBe(true);
  clock.advance(1);
  await until(() => pool.stats.processes === 0);
  expect(isRunning(pid ?? 0)).toBe(false);
  expect(pool.stats.crashed).toBe(0);
});

test('CodecPool ends all processes and fails all jobs when closed', async () => {
  const pool = newPool({ size: 2 });
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toThrow();
  const jobs = [1, 2, 3].map((i) => pool.run('test-picture', { options: large, path: join(folder, String(i)) }));
  const outcomes = Promise.allSettled(jobs);
  const pids = pool.pids;
  expect(pids).toHaveLength(2);
  await pool.close();
  expect(pids.filter(isRunning)).toEqual([]);
  expect(
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(process.pid)], { encoding: 'utf8' }).split(/\s+/),
  ).not.toContain(String(pids[0]));
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(pool.run('picture', badPicture, PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code: 'unavailable' });
});

test('CodecPool works in a worker thread, and its processes end with a killed parent', async () => {
  const parent = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../tests/helpers/codec-parent.ts', import.meta.url))],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  const pid = Number(line);
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await until(() => !isRunning(pid));
});
