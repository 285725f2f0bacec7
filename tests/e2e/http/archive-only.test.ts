import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExportJobObject } from '../../../src-preload/contract/api/export-job-object.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { allow, AuthBackend, deny } from '../../helpers/auth-backend.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { until } from '../../helpers/until.ts';

// Archives of published streams without encoders: after the encoders left, and after a restart of the server.

const LIMIT_MS = 60_000;
const API = '/streamer/api/v3';
/** The list of channels for IPTV players. */
const CHANNELS = '/-/channels.m3u';
/** Token that may operate the streams of one prefix. */
const TOKEN = `airdesk_${'A'.repeat(43)}`;
const CONFIG = (backend: string): string =>
  `api_token robot { hash ${createHash('sha256').update(TOKEN).digest('hex')}; scope operate; prefix studio; } vod clips { storage clips; } ` +
  `live studio { dvr records; segment_duration 1; on_play ${backend}/play; } template far { prefix far; input publish://; dvr records; segment_duration 1; }`;
const NAMES = ['studio/a', 'far/b'] as const;

let backend: AuthBackend;
let server: AirdeskProcess;
let fromSeconds = 0;

beforeAll(async () => {
  backend = await AuthBackend.start();
  backend.byToken.set('viewer', allow({}));
  backend.byToken.set('stranger', deny());
  for (const token of ['first', 'second'])
    backend.byToken.set(token, allow({ 'X-UserId': 'one viewer', 'X-Max-Sessions': '1' }));
  server = await AirdeskProcess.start(CONFIG(backend.url));
  const encoders = NAMES.map((name) => EncoderProcess.publish({ url: `${server.rtmpUrl}/${name}`, isEndless: true }));
  for (const name of NAMES)
    await until(
      `ten seconds of ${name}`,
      async () => ((await object(name))?.stats.dvr_info?.depth ?? 0) >= 10,
      LIMIT_MS,
      () => server.printed,
    );
  fromSeconds = (await object('studio/a'))?.stats.dvr_info?.from ?? 0;
  for (const encoder of encoders) await encoder.stop();
}, 120_000);
afterAll(async () => {
  await server?.dispose();
  await backend?.close();
});

interface Shown {
  readonly name: string;
  readonly named_by: string;
  readonly stats: {
    readonly alive: boolean;
    readonly running: boolean;
    readonly dvr_only: boolean;
    readonly dvr_info: { readonly from: number; readonly depth: number; readonly blocks: number } | null;
  };
}

async function object(name: string): Promise<Shown | undefined> {
  const answered = await fetch(`${server.url}${API}/streams/${encodeURIComponent(name)}`);
  return answered.status === 200 ? ((await answered.json()) as Shown) : undefined;
}

/** Status of an answer. A busy server asks clients to try pictures again. */
async function statusOf(path: string): Promise<number> {
  return until(
    `an answer to ${path}`,
    async () => {
      const answered = await fetch(`${server.url}${path}`);
      await answered.arrayBuffer();
      return answered.headers.has('retry-after') ? undefined : answered.status;
    },
    LIMIT_MS,
  );
}

/** Checks every address of a stream of which only the archive is left. */
async function checkAddresses(name: (typeof NAMES)[number]): Promise<void> {
  const shown = await until(
    `${name} with its archive`,
    async () => {
      const one = await object(name);
      // The catalog contains the end of the last block only after a slow disk has written it.
      return (one?.stats.dvr_info?.depth ?? 0) >= 9 ? one : undefined;
    },
    LIMIT_MS,
    () => server.printed,
  );
  expect(shown).toMatchObject({ named_by: 'user', stats: { alive: false, running: false, dvr_only: true } });
  const list = await fetch(`${server.url}${API}/streams?stats.dvr_only=true&select=name`);
  expect(((await list.json()) as { streams: Shown[] }).streams.map((one) => one.name)).toContain(name);
  const span = `archive-${fromSeconds + 2}-4`;
  const paths = [
    `${span}.m3u8`,
    `v1/${span}.m3u8`,
    `${span}.ts.m3u8`,
    `${span}.mpd`,
    `${span}.ts`,
    `${span}.mp4`,
    'rewind-600.m3u8',
    'index.m3u8?dvr=600',
    `${fromSeconds + 3}-preview.jpg`,
    'recording_status.json',
    'info.json',
    'media_info.json',
    `media_info.json?from=${fromSeconds + 3}`,
    'embed.html',
    'embed.html?dvr=true',
    `thumbnails-${fromSeconds + 2}-4.m3u8`,
    `thumbnails-${fromSeconds + 2}-4.vtt`,
    `${fromSeconds + 3}.jpg`,
    `${fromSeconds + 3}-preview.mp4`,
    `sprite-${fromSeconds - (fromSeconds % 50)}-2.jpg`,
    `${span}.json`,
    `video-${fromSeconds + 2}-4.m3u8`,
    `mono-${fromSeconds + 2}-4.m3u8`,
    `index-${fromSeconds + 2}-4.mpd`,
    `a1/${span}.m3u8`,
    `archive-${fromSeconds + 2}-now.m3u8`,
    `archive-${fromSeconds + 2}-now.mpd`,
    'rewind-600.mpd',
    'rewind-600.ts.m3u8',
    'index.mpd?dvr=600',
    ...['m3u8', 'ts.m3u8', 'mpd'].map((form) => `timeshift_abs-${fromSeconds + 2}.${form}`),
  ];
  const answers = await Promise.all(
    paths.map(async (path) => [path, await statusOf(`/${name}/${path}${path.includes('?') ? '&' : '?'}token=viewer`)]),
  );
  expect(answers).toEqual(paths.map((path) => [path, 200]));
  for (const path of ['index.m3u8', 'v1/index.m3u8', 'index.mpd', 'index.ts.m3u8', 'mpegts'])
    expect([path, await statusOf(`/${name}/${path}?token=viewer`)]).toEqual([path, 404]);
  const ranges = await fetch(`${server.url}${API}/streams/${encodeURIComponent(name)}/dvr/ranges`);
  expect(((await ranges.json()) as { ranges: unknown[] }).ranges).toHaveLength(1);
  expect(await (await fetch(`${server.url}${CHANNELS}`)).text()).toContain(`/${name}/archive-{utc}`);
}

const TRACKS = ['-select_streams', 'v', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];

/** Number of pictures that ffmpeg reads. */
async function pictures(address: string): Promise<number> {
  const { stdout } = await promisify(execFile)('ffprobe', ['-v', 'error', ...TRACKS, address]);
  return Number(stdout.split('\n')[0]?.replaceAll(',', ''));
}

/** Plays the same four seconds in every form, and exports them by both interfaces. */
async function checkMedia(name: (typeof NAMES)[number]): Promise<void> {
  const span = `archive-${fromSeconds + 2}-4`;
  const base = `${server.url}/${name}`;
  const counts = await Promise.all(
    ['m3u8', 'ts.m3u8', 'mpd', 'ts', 'mp4'].map((form) => pictures(`${base}/${span}.${form}?token=viewer`)),
  );
  expect(counts.map((count) => count >= 75 && count <= 160)).toEqual(counts.map(() => true));
  const request = { name, from: (fromSeconds + 2) * 1000, duration: 4000 };
  const answered = await fetch(`${server.url}${API}/dvr_export_jobs`, {
    method: 'POST',
    body: JSON.stringify(request),
    headers: { 'content-type': 'application/json' },
  });
  expect(answered.status).toBe(201);
  const jobs = [(await answered.json()) as ExportJobObject, await server.call('archive.export', request)];
  for (const { id } of jobs) {
    const done = await until(
      `export of ${name}`,
      async () => {
        const job = (await (await fetch(`${server.url}${API}/dvr_export_jobs/${id}`)).json()) as ExportJobObject;
        return job.status === 'done' || job.status === 'failed' ? job : undefined;
      },
      LIMIT_MS,
      () => server.printed,
    );
    expect([done.status, done.error]).toEqual(['done', null]);
    expect(await pictures(done.files[0]?.path ?? '')).toBeGreaterThanOrEqual(75);
  }
}

it('archives are played at every address after the stream was deleted by the API, with the settings of the prefix', async () => {
  for (const name of NAMES)
    expect(
      (await fetch(`${server.url}${API}/streams/${encodeURIComponent(name)}`, { method: 'DELETE' })).status,
    ).toBeLessThan(300);
  for (const name of NAMES) await checkAddresses(name);
  for (const name of NAMES) await checkMedia(name);
  const span = `archive-${fromSeconds + 2}-4.m3u8`;
  for (const path of [
    span,
    span.replace('.m3u8', '.mp4'),
    'rewind-600.mpd',
    `${fromSeconds + 3}.jpg`,
    'recording_status.json',
  ])
    expect([path, await statusOf(`/studio/a/${path}?token=stranger`)]).toEqual([path, 403]);
  expect(await statusOf(`/far/b/${span}?token=stranger`)).toBe(200);
  // The user may have one session: the second session ends the first.
  const plays = async (token: string): Promise<number> => statusOf(`/studio/a/${span}?token=${token}`);
  expect([await plays('first'), await plays('second'), await plays('second')]).toEqual([200, 200, 200]);
  expect(await plays('first')).toBe(403);
});

// On a busy machine, each of the four rounds of addresses and the ten programs that read media take long.
it('archives are played at every address after a restart and a crash of the server', async () => {
  await server.restart();
  for (const name of NAMES) await checkAddresses(name);
  for (const name of NAMES) await checkMedia(name);
  await server.crash();
  for (const name of NAMES) await checkAddresses(name);
  expect(await statusOf(`/studio/a/archive-${fromSeconds + 2}-4.m3u8?token=stranger`)).toBe(403);
}, 300_000);

it('archives are exported with the token of a prefix only inside the prefix, and never into a VOD location', async () => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const time = { from: (fromSeconds + 2) * 1000, duration: 4000 };
  const startExport = async (
    body: object,
  ): Promise<readonly [number, ExportJobObject & { readonly error: unknown }]> => {
    const answered = await fetch(`${server.url}${API}/dvr_export_jobs`, {
      method: 'POST',
      body: JSON.stringify({ ...time, ...body }),
      headers,
    });
    return [answered.status, (await answered.json()) as ExportJobObject];
  };
  const [status, { id }] = await startExport({ name: 'studio/a' });
  expect(status).toBe(201);
  const get = async (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${API}/dvr_export_jobs${path}`, { ...init, headers });
  const job = await until(
    'the export',
    async () => {
      const one = (await (await get(`/${id}`)).json()) as ExportJobObject;
      return one.status === 'done' || one.status === 'failed' ? one : undefined;
    },
    LIMIT_MS,
    () => server.printed,
  );
  expect([job.status, job.error]).toEqual(['done', null]);
  for (const refused of [
    { name: 'far/b' },
    { names: ['studio/a', 'far/b'] },
    { name: 'studio' },
    { name: 'studio/../far/b' },
    { name: 'studio/a', path: 'clips/one.mp4' },
    { names: ['studio/a'], path: 'clips/folder' },
  ]) {
    const [refusal, body] = await startExport(refused);
    expect([refused, refusal, body.error]).toEqual([
      refused,
      expect.toSatisfy((code) => code === 403 || code === 404),
      expect.anything(),
    ]);
  }
  // Jobs of streams outside the prefix are not listed, shown or removed.
  const jobs = (await (await fetch(`${server.url}${API}/dvr_export_jobs`)).json()) as {
    dvr_export_jobs: ExportJobObject[];
  };
  const ofOthers = jobs.dvr_export_jobs.find(({ name }) => name === 'far/b');
  const listed = (await (await get('')).json()) as { dvr_export_jobs: ExportJobObject[] };
  expect(new Set(listed.dvr_export_jobs.map(({ name }) => name))).toEqual(new Set(['studio/a']));
  for (const method of ['GET', 'DELETE'])
    expect([403, 404]).toContain((await get(`/${ofOthers?.id}`, { method })).status);
  expect(existsSync(join(server.folder, 'data/clips/one.mp4'))).toBe(false);
}, 120_000);
