import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdExplanation } from '../../../src-preload/contract/api/ad-objects.ts';
import type { ClipJobObject } from '../../../src-preload/contract/api/file-processor-object.ts';
import type { MediaInfo } from '../../../src-preload/contract/api/media-info.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { allow, AuthBackend } from '../../helpers/auth-backend.ts';
import { makeFiles } from '../../helpers/made-media.ts';
import { until } from '../../helpers/until.ts';

// A file with another size, frame rate and audio is converted to a clip for a stream as specified by `file_processor`,
// and inserted.

const API = '/streamer/api/v3/file_processor';
const LIMIT_MS = 60_000;
const SOURCE_SECONDS = 4;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-clips-'));
let server: AirdeskProcess;
let backend: AuthBackend;
let target: MediaInfo;

beforeAll(async () => {
  const sources = [
    '-f',
    'lavfi',
    '-i',
    `testsrc=size=400x300:rate=30:duration=${SOURCE_SECONDS}`,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=300:sample_rate=44100:duration=${SOURCE_SECONDS}`,
  ];
  const coding = ['-c:v', 'mpeg4', '-c:a', 'mp3', '-ac', '1', 'raw.mkv'];
  makeFiles(folder, [...sources, ...coding]);
  makeFiles(folder, ['-f', 'lavfi', '-i', 'testsrc2=size=80x60', '-frames:v', '1', 'logo.png']);
  backend = await AuthBackend.start();
  server = await AirdeskProcess.start(
    `vod ads { storage ${folder}; }\nvod small { storage small; }\nstream cam { input fake://?width=320&height=180&bitrate=300; segment_duration 1; on_play ${backend.url}/cam; }\n`,
    { disks: { 'data/small': '66m' } },
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

async function request<Body>(
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
  // The reply has the documented type.
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
}

function transcoder(): object {
  return { group: 'transcoder', transcoder: target };
}

/** Integrated loudness of a file as ffmpeg measures it, in LUFS. */
function loudnessOf(name: string): number {
  const meter = ['-hide_banner', '-nostdin', '-i', join(folder, name), '-af', 'ebur128', '-f', 'null', '-'];
  const { stderr } = spawnSync('ffmpeg', meter, { encoding: 'utf8' });
  return Number(/I: +(-?[\d.]+) LUFS\s+Threshold/.exec(stderr)?.[1]);
}

async function over(id: string): Promise<ClipJobObject> {
  return until(
    'the end of the job',
    async () => {
      const { body } = await request<ClipJobObject>('GET', `/jobs/${id}`);
      return body.status === 'done' || body.status === 'error' ? body : undefined;
    },
    LIMIT_MS,
  );
}

it('implements the rows of the specification', async () => {
  const job = { input_files: ['ads/raw.mkv'], output_file: 'news.mp4', filters: [transcoder()] };
  expect(await request('GET', '')).toMatchObject({ status: 404, body: { error: 'file_processor_not_found' } });
  expect(await request('POST', '/jobs', job)).toMatchObject({
    status: 404,
    body: { error: 'file_processor_not_found' },
  });
  expect(await request('PUT', '', { path: 'none' })).toMatchObject({ status: 404, body: { error: 'vod_not_found' } });
  expect(await request('PUT', '', { path: 'ads' })).toMatchObject({ status: 200, body: { path: 'ads' } });
  expect(await request('GET', '')).toEqual({ status: 200, body: { path: 'ads' } });
  for (const [change, status, error] of [
    [{ input_files: [] }, 400, 'bad_value'],
    [{ loudness: 5 }, 400, 'bad_value'],
    [{ slate: { multiple: 0 } }, 400, 'bad_value'],
    [{ slate: { multiple: 1000, file: '../logo.png' } }, 403, 'path_not_allowed'],
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
    expect([change, await request('POST', '/jobs', { ...job, ...change })]).toMatchObject([
      change,
      { status, body: { error } },
    ]);
  expect(await request('GET', '/jobs/none')).toMatchObject({ status: 404, body: { error: 'job_not_found' } });
  expect(await request('DELETE', '/jobs/none')).toMatchObject({ status: 404, body: { error: 'job_not_found' } });
});

it('converts a file to the format and loudness of the stream, so that the clip is inserted', async () => {
  const FINISH = { lead_in: 1000, loudness: { stream: 'cam' }, slate: { multiple: 2000, file: 'logo.png' } };
  const body = { input_files: ['raw.mkv'], output_file: 'shop.mp4', filters: [transcoder()], ...FINISH };
  const key = { 'idempotency-key': 'one-clip' };
  const created = await request<ClipJobObject>('POST', '/jobs', body, key);
  expect(created.status).toBe(201);
  expect(created.body.output_file).toMatch(/^shop_processed_\d{10}\.mp4$/);
  expect((await request<ClipJobObject>('POST', '/jobs', body, key)).body.id).toBe(created.body.id);
  const done = await over(created.body.id);
  expect(done).toMatchObject({ status: 'done', progress: 100, errors: [], differences: [] });
  expect(done.duration).toBe(6000);
  expect(readdirSync(folder).sort()).toEqual(['logo.png', 'raw.mkv', done.output_file].sort());
  const { target: targetLufs, files = [] } = done.measured_loudness ?? { target: 0 };
  expect([targetLufs < -5, Math.abs(targetLufs - (files[0] ?? targetLufs)) > 2]).toEqual([true, true]);
  // Silence in the filler and the lead-in hardly counts, because it is below the gate.
  expect(Math.abs(loudnessOf(done.output_file) - targetLufs)).toBeLessThan(0.6);
  const { events } = await server.call('events.recent', { limit: 10, event: 'clip_job_finished' });
  expect(events).toMatchObject([
    { id: done.id, clip: done.clip, duration_ms: 6000, bytes: done.size, differences: 0, code: null },
  ]);

  const probe = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0'];
  const packets = execFileSync('ffprobe', [...probe, join(folder, done.output_file)], { encoding: 'utf8' });
  const keys = packets.split('\n').filter((line) => line.includes('K'));
  expect(keys.map((line) => Math.round(Number(line.split(',')[0]) * 1000))).toEqual([0, 1000, 2000, 3000, 4000, 5000]);

  backend.byToken.set('shop', allow({}, JSON.stringify({ ad_inject: { v: 2, preroll: [done.clip] } })));
  const explanation = await until(
    'the decision for the viewer',
    async () => {
      await fetch(`${server.url}/cam/index.m3u8?token=shop`);
      const facts = backend.requestsAbout('shop').at(-1)?.facts;
      const path = `streamer/api/v3/streams/cam/ads/explain?session=${facts?.['session_id'] ?? ''}`;
      const response = await fetch(`${server.url}/${path}`);
      const shown = response.ok ? ((await response.json()) as AdExplanation) : undefined;
      return shown && shown.clips[0]?.state !== 'clip_not_ready' ? shown : undefined;
    },
    LIMIT_MS,
  );
  expect(explanation.clips).toMatchObject([{ path: done.clip, state: 'ready' }]);
});

it('cuts a range, covers an area, mutes, encodes interlaced video and H.265, and reports files without media', async () => {
  const fields = target.tracks.map((track) =>
    track.content === 'video' ? { ...track, scan: 'interlaced', fps: 25 } : track,
  );
  const interlaced = { group: 'transcoder', transcoder: { tracks: fields } };
  const created = await request<ClipJobObject>('POST', '/jobs', {
    input_files: ['raw.mkv'],
    output_file: 'fields',
    filters: [interlaced],
  });
  expect(await over(created.body.id)).toMatchObject({ status: 'done', differences: [] });
  const hevc = target.tracks.map((track) =>
    track.content === 'video' ? { ...track, codec: 'h265', profile: 'Main', level: '3.1' } : track,
  );
  const filters = [
    { group: 'transcoder', transcoder: { tracks: hevc } },
    { group: 'crop', crop: { start: 1000, stop: 3000 } },
    { group: 'mute' },
    { group: 'overlay', overlay: { x1: 100, y1: 100, x2: 300, y2: 200 } },
  ];
  const short = await request<ClipJobObject>('POST', '/jobs', {
    input_files: ['raw.mkv'],
    output_file: 'short',
    filters,
  });
  const { duration, differences, output_file: name } = await over(short.body.id);
  expect(differences).toEqual([]);
  // The picture of 400 × 300 is between bars of 40 pixels: the covered box is at 100 to 220, 60 to 120.
  const places = ['110:50:105:65', '110:50:105:5'];
  const outputs = places.flatMap((crop, at) => [
    '-an',
    '-vf',
    `crop=${crop},scale=1:1:flags=area`,
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    join(folder, `gray-${at}`),
  ]);
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-i', join(folder, name), ...outputs]);
  const [inside = [], outside = []] = places.map((_, at) => [...readFileSync(join(folder, `gray-${at}`))]);
  expect(inside.length).toBeGreaterThan(0);
  expect(Math.max(...inside)).toBeLessThan(25);
  expect(Math.min(...outside)).toBeGreaterThan(40);
  const measured = spawnSync(
    'ffmpeg',
    ['-nostdin', '-i', join(folder, name), '-af', 'volumedetect', '-vn', '-f', 'null', '-'],
    {
      encoding: 'utf8',
    },
  );
  expect(Number(/max_volume: (-?[\d.]+) dB/.exec(measured.stderr)?.[1])).toBeLessThan(-80);
  expect(Math.abs((duration ?? 0) - 1000 * (SOURCE_SECONDS - 2))).toBeLessThan(100);
  execFileSync('sh', ['-c', `head -c 5000 /dev/urandom > ${join(folder, 'noise.mp4')}`]);
  const noise = { input_files: ['noise.mp4'], output_file: 'noise', filters: [transcoder()] };
  const { body } = await request<ClipJobObject>('POST', '/jobs', noise);
  expect(await over(body.id)).toMatchObject({ status: 'error', errors: [{ error: 'clip_not_made' }] });
});

it('fails with a reason and leaves no files if the disk is full', async () => {
  await request('PUT', '', { path: 'small' });
  const body = {
    input_files: Array.from({ length: 16 }, () => 'ads/raw.mkv'),
    output_file: 'big',
    filters: [transcoder()],
  };
  const { body: job } = await request<ClipJobObject>('POST', '/jobs', body);
  const disk = server.hostPath('data/small');
  await until('the unfinished file', () => existsSync(join(disk, `${job.output_file}.tmp`)), LIMIT_MS);
  const { bsize, bavail } = statfsSync(disk);
  writeFileSync(join(disk, 'other'), Buffer.alloc(bsize * bavail - 100_000));
  expect(await over(job.id)).toMatchObject({ status: 'error', errors: [{ error: 'clip_no_room' }] });
  expect(readdirSync(disk)).toEqual(['other']);
  expect(await request('POST', '/jobs', body)).toMatchObject({ status: 507, body: { error: 'clip_no_room' } });
  const sent = `${server.url}/streamer/api/v3/vods/small/storages/0/files/sent.bin`;
  for (const file of [randomBytes(3_000_000), new Blob([randomBytes(3_000_000)]).stream()]) {
    const answered = await fetch(sent, { method: 'PUT', body: file, duplex: 'half' });
    expect([answered.status, await answered.json()]).toMatchObject([507, { error: 'vod_no_room' }]);
  }
  expect(readdirSync(disk)).toEqual(['other']);
  await request('PUT', '', { path: 'ads' });
});

it('accepts announced uploads completely or not at all', async () => {
  const request = { location: 'ads', folder: '', name: 'sent.bin', sizeBytes: 3_000_000, mayReplace: false };
  const bytes = randomBytes(request.sizeBytes);
  const put = async (body: Uint8Array<ArrayBuffer> | ReadableStream, signal?: AbortSignal): Promise<number> => {
    const { path } = await server.call('clips.upload', request);
    // A page of another origin also sends this header.
    const headers = { origin: 'http://desk.example' };
    const stop = signal ? { signal } : {};
    // The body has no end, so it must be streamed.
    return (await fetch(server.url + path, { method: 'PUT', headers, body, duplex: 'half', ...stop })).status;
  };
  expect(await put(bytes.subarray(1))).toBe(400);
  const stop = new AbortController();
  const endless = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, 100_000));
    },
  });
  const unfinished = put(endless, stop.signal).catch(() => undefined);
  const hasStarted = (): boolean => readdirSync(folder).some((name) => name.startsWith('.'));
  await until('the first bytes', hasStarted, LIMIT_MS);
  stop.abort();
  await unfinished;
  await until('the removal of the unfinished file', () => !hasStarted(), LIMIT_MS);
  expect(await put(bytes)).toBe(201);
  expect(readFileSync(join(folder, 'sent.bin')).equals(bytes)).toBe(true);
  await expect(server.call('clips.upload', request)).rejects.toThrow('vod_file_exists');
  await server.call('clips.delete', { path: 'ads/sent.bin' });
  expect(existsSync(join(folder, 'sent.bin'))).toBe(false);
});

it('repeats a job after a crash of the server, and removes the files of cancelled jobs', async () => {
  const long = Array.from({ length: 16 }, () => 'raw.mkv');
  const body = { input_files: long, output_file: 'long', filters: [transcoder()] };
  const { body: job } = await request<ClipJobObject>('POST', '/jobs', body);
  const unfinished = join(folder, `${job.output_file}.tmp`);
  await until('the unfinished file', () => existsSync(unfinished), LIMIT_MS);
  await server.crash();
  const again = await until(
    'the job to run again',
    async () => {
      const { body: shown } = await request<ClipJobObject>('GET', `/jobs/${job.id}`);
      return shown.status === 'new' ? undefined : shown;
    },
    LIMIT_MS,
  );
  expect(['running', 'done']).toContain(again.status);
  expect((await request('DELETE', `/jobs/${job.id}`)).status).toBe(204);
  expect(existsSync(unfinished)).toBe(false);
});
