import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdExplanation } from '../../../src-preload/contract/api/ad-objects.ts';
import type { ClipJobObject } from '../../../src-preload/contract/api/file-processor-object.ts';
import type { MediaInfo } from '../../../src-preload/contract/media-info.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { allow, AuthBackend } from '../../helpers/auth-backend.ts';
import { until } from '../../helpers/until.ts';

// A file of another size, rate and sound than a stream becomes a clip of it, as the specification has `file_processor`, and is inserted.

const API = '/streamer/api/v3/file_processor';
const LIMIT_MS = 60_000;
const SOURCE_SECONDS = 4;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-clips-'));
let server: AirdeskProcess;
let backend: AuthBackend;
let target: MediaInfo;

beforeAll(async () => {
  const sources = [
    ...['-f', 'lavfi', '-i', `testsrc=size=400x300:rate=30:duration=${SOURCE_SECONDS}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=300:sample_rate=44100:duration=${SOURCE_SECONDS}`],
  ];
  const coding = ['-c:v', 'mpeg4', '-c:a', 'mp3', '-ac', '1', join(folder, 'raw.mkv')];
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...sources, ...coding]);
  backend = await AuthBackend.start();
  server = await AirdeskProcess.start(
    `vod ads { storage ${folder}; }\nstream cam { input fake://?width=320&height=180&bitrate=300; segment_duration 1; on_play ${backend.url}/cam; }\n`,
  );
  target = await until(
    'media info',
    async () => {
      const { stats } = (await (await fetch(`${server.url}/streamer/api/v3/streams/cam`)).json()) as {
        stats: { media_info: MediaInfo | null };
      };
      return stats.media_info?.tracks.length === 2 ? stats.media_info : undefined;
    },
    LIMIT_MS,
  );
});

afterAll(async () => {
  await server.dispose();
  await backend.close();
  rmSync(folder, { recursive: true });
});

interface Answered<Body> {
  readonly status: number;
  readonly body: Body;
}

async function ask<Body>(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered<Body>> {
  const response = await fetch(`${server.url}${API}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  // What the interface answers by its document.
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
}

function transcoder(): object {
  return { group: 'transcoder', transcoder: target };
}

async function over(id: string): Promise<ClipJobObject> {
  return until(
    'the end of the job',
    async () => {
      const { body } = await ask<ClipJobObject>('GET', `/jobs/${id}`);
      return body.status === 'done' || body.status === 'error' ? body : undefined;
    },
    LIMIT_MS,
  );
}

it('answers the rows of the specification', async () => {
  const job = { input_files: ['ads/raw.mkv'], output_file: 'news.mp4', filters: [transcoder()] };
  expect(await ask('GET', '')).toMatchObject({ status: 404, body: { error: 'file_processor_not_found' } });
  expect(await ask('POST', '/jobs', job)).toMatchObject({ status: 404, body: { error: 'file_processor_not_found' } });
  expect(await ask('PUT', '', { path: 'none' })).toMatchObject({ status: 404, body: { error: 'vod_not_found' } });
  expect(await ask('PUT', '', { path: 'ads' })).toMatchObject({ status: 200, body: { path: 'ads' } });
  expect(await ask('GET', '')).toEqual({ status: 200, body: { path: 'ads' } });
  for (const [change, status, error] of [
    [{ input_files: [] }, 400, 'bad_value'],
    [{ input_files: ['ads/none.mkv'] }, 404, 'vod_file_not_found'],
    [{ input_files: ['ads/../raw.mkv'] }, 403, 'path_not_allowed'],
    [{ input_files: ['/etc/passwd'] }, 403, 'path_not_allowed'],
    [{ input_files: ['http://127.0.0.1/raw.mkv'] }, 403, 'path_not_allowed'],
    [{ output_file: '../news.mp4' }, 400, 'bad_value'],
    [{ output_file: 'news.mkv' }, 400, 'bad_value'],
    [{ filters: [{ group: 'mosaic' }] }, 400, 'bad_value'],
    [{ filters: [{ group: 'mute' }] }, 400, 'bad_value'],
    [{ filters: [transcoder(), { group: 'crop', crop: { start: 5, stop: 5 } }] }, 400, 'bad_value'],
    [{ filters: [{ group: 'transcoder', transcoder: { tracks: [] } }] }, 415, 'clip_target_not_supported'],
  ] as const)
    expect([change, await ask('POST', '/jobs', { ...job, ...change })]).toMatchObject([
      change,
      { status, body: { error } },
    ]);
  expect(await ask('GET', '/jobs/none')).toMatchObject({ status: 404, body: { error: 'job_not_found' } });
  expect(await ask('DELETE', '/jobs/none')).toMatchObject({ status: 404, body: { error: 'job_not_found' } });
});

it('makes a clip like the stream, which is inserted', async () => {
  const body = { input_files: ['raw.mkv'], output_file: 'shop.mp4', filters: [transcoder()], lead_in: 1000 };
  const key = { 'idempotency-key': 'one-clip' };
  const made = await ask<ClipJobObject>('POST', '/jobs', body, key);
  expect(made.status).toBe(201);
  expect(made.body.output_file).toMatch(/^shop_processed_\d{10}\.mp4$/);
  expect((await ask<ClipJobObject>('POST', '/jobs', body, key)).body.id).toBe(made.body.id);
  const done = await over(made.body.id);
  expect(done).toMatchObject({ status: 'done', progress: 100, errors: [], differences: [] });
  expect(Math.abs((done.duration ?? 0) - 1000 * (SOURCE_SECONDS + 1))).toBeLessThan(100);
  expect(readdirSync(folder).sort()).toEqual(['raw.mkv', done.output_file].sort());

  const probe = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0'];
  const packets = execFileSync('ffprobe', [...probe, join(folder, done.output_file)], { encoding: 'utf8' });
  const keys = packets.split('\n').filter((line) => line.includes('K'));
  expect(keys.map((line) => Math.round(Number(line.split(',')[0]) * 1000))).toEqual([0, 1000, 2000, 3000, 4000]);

  backend.byToken.set('shop', allow({}, JSON.stringify({ ad_inject: { v: 2, preroll: [done.clip] } })));
  const explanation = await until(
    'the decision for the viewer',
    async () => {
      await fetch(`${server.url}/cam/index.m3u8?token=shop`);
      const facts = backend.askedAbout('shop').at(-1)?.facts;
      const path = `streamer/api/v3/streams/cam/ads/explain?session=${facts?.['session_id'] ?? ''}`;
      const response = await fetch(`${server.url}/${path}`);
      const shown = response.ok ? ((await response.json()) as AdExplanation) : undefined;
      return shown && shown.clips[0]?.state !== 'clip_not_ready' ? shown : undefined;
    },
    LIMIT_MS,
  );
  expect(explanation.clips).toMatchObject([{ path: done.clip, state: 'ready' }]);
});

it('cuts a time away, and says what a file is that is none', async () => {
  const filters = [transcoder(), { group: 'crop', crop: { start: 1000, stop: 3000 } }, { group: 'mute' }];
  const short = await ask<ClipJobObject>('POST', '/jobs', { input_files: ['raw.mkv'], output_file: 'short', filters });
  const { duration } = await over(short.body.id);
  expect(Math.abs((duration ?? 0) - 1000 * (SOURCE_SECONDS - 2))).toBeLessThan(100);
  execFileSync('sh', ['-c', `head -c 5000 /dev/urandom > ${join(folder, 'noise.mp4')}`]);
  const noise = { input_files: ['noise.mp4'], output_file: 'noise', filters: [transcoder()] };
  const { body } = await ask<ClipJobObject>('POST', '/jobs', noise);
  expect(await over(body.id)).toMatchObject({ status: 'error', errors: [{ error: 'clip_not_made' }] });
});

it('begins again after a restart, and leaves nothing of what is cancelled', async () => {
  const long = Array.from({ length: 16 }, () => 'raw.mkv');
  const body = { input_files: long, output_file: 'long', filters: [transcoder()] };
  const { body: job } = await ask<ClipJobObject>('POST', '/jobs', body);
  const unfinished = join(folder, `${job.output_file}.tmp`);
  await until('the unfinished file', () => existsSync(unfinished), LIMIT_MS);
  await server.restart();
  const again = await until(
    'the job to run again',
    async () => {
      const { body: shown } = await ask<ClipJobObject>('GET', `/jobs/${job.id}`);
      return shown.status === 'new' ? undefined : shown;
    },
    LIMIT_MS,
  );
  expect(['running', 'done']).toContain(again.status);
  expect((await ask('DELETE', `/jobs/${job.id}`)).status).toBe(204);
  expect(existsSync(unfinished)).toBe(false);
});
