import { execFileSync, spawnSync } from 'node:child_process';
import { verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { allow, AuthBackend, type ReceivedRequest } from '../helpers/auth-backend.ts';
import { unitDigests } from '../helpers/clip-files.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { makeFiles } from '../helpers/made-media.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage } from '../helpers/player-page.ts';
import { startBrowser } from '../helpers/start-browser.ts';
import { until } from '../helpers/until.ts';

// Clips before a live stream, as requested by a backend: the bytes of the playlists, and real players that cross from the clips
// to the stream.

const CLIP_SECONDS = 4;
const LIMIT_MS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-ads-'));
let server: AirdeskProcess;
let backend: AuthBackend;
let encoder: EncoderProcess;
let pages: PageServer;
let browser: Browser;

beforeAll(async () => {
  for (const name of ['one', 'two']) copy(markedClip({ seconds: CLIP_SECONDS }), `${name}.mp4`);
  copy(markedClip({ seconds: CLIP_SECONDS, height: 360 }), 'large.mp4');
  otherClip(join(folder, 'other.mp4'));
  backend = await AuthBackend.start();
  [server, pages, browser] = await Promise.all([
    AirdeskProcess.start(
      [
        `vod ads { storage ${folder}; }`,
        // A long window, because decoding blocks the viewers of other tests.
        `stream cam { input publish://; on_play ${backend.url}/cam; segment_duration 2; segment_count 30; }`,
        `stream beside { input copy://cam; on_play ${backend.url}/beside; segment_duration 2; ad_breaks hls=interstitials; }`,
        `stream parted { input copy://cam; on_play ${backend.url}/parted; segment_duration 2; ad_breaks dash=periods; }`,
        '',
      ].join('\n'),
    ),
    PageServer.start(),
    startBrowser(),
  ]);
  encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/cam`, isEndless: true }, { seconds: 60 });
  await server.streamWhere('cam', 'frames', ({ alive }) => alive);
  await clipsRead(['one', 'two', 'other', 'large'].map((name) => `ads/${name}.mp4`));
});

afterAll(async () => {
  await browser.close();
  await encoder.stop('SIGKILL');
  await pages.close();
  expect(await server.stop()).toBe(0);
  await server.dispose();
  await backend.close();
  rmSync(folder, { recursive: true });
});

function copy(from: string, name: string): void {
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', from, '-c', 'copy', join(folder, name)]);
}

/** Clip with other pictures and parameter sets than the stream, and the same properties. */
function otherClip(file: string): void {
  const gop = ['-preset', 'ultrafast', '-g', '25', '-keyint_min', '25', '-sc_threshold', '0', '-bf', '0', '-refs', '2'];
  makeFiles(dirname(file), [
    '-f',
    'lavfi',
    '-i',
    `testsrc=size=426x240:rate=25:duration=${CLIP_SECONDS}`,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=300:sample_rate=48000:duration=${CLIP_SECONDS}`,
    '-ac',
    '2',
    '-c:a',
    'aac',
    '-b:a',
    '96k',
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-level',
    '2.1',
    ...gop,
    basename(file),
  ]);
}

function answer(token: string, adInject: object): void {
  backend.byToken.set(token, allow({}, JSON.stringify({ ad_inject: adInject })));
}

async function text(path: string): Promise<string> {
  return (await fetch(`${server.url}/${path}`)).text();
}

async function bytes(path: string): Promise<Buffer> {
  const answered = await fetch(`${server.url}/${path}`);
  expect(answered.status).toBe(200);
  return Buffer.from(await answered.arrayBuffer());
}

function segmentsOf(playlist: string): string[] {
  return playlist.split('\n').filter((line) => line.includes('.m4s') && !line.startsWith('#'));
}

function isOfClip(address: string): boolean {
  return /^[a-z0-9]+-\d+\.m4s/.test(address);
}

async function explain(token: string, stream = 'cam'): Promise<AdExplanation> {
  const { facts } = backend.requestsAbout(token).at(-1) as ReceivedRequest;
  const path = `streamer/api/v3/streams/${stream}/ads/explain?session=${facts['session_id'] ?? ''}`;
  return (await (await fetch(`${server.url}/${path}`)).json()) as AdExplanation;
}

/** Waits until viewers get the clips: on a busy machine, those of the first viewer are not read in time. */
async function clipsRead(preroll: readonly string[]): Promise<void> {
  let viewers = 0;
  await until(
    'a viewer for whom the clips were read',
    async () => {
      const token = `early${viewers++}`;
      answer(token, { preroll });
      await text(`cam/index.m3u8?token=${token}`);
      await text(`cam/v1/index.m3u8?token=${token}`);
      const { clips } = await explain(token);
      return clips.length === preroll.length && clips.every(({ state }) => state !== 'clip_not_ready')
        ? clips
        : undefined;
    },
    LIMIT_MS * 3,
  );
}

it.concurrent('sends every picture and audio frame of the clips, and each segment of the stream once', async () => {
  answer('bytes', { v: 1, preroll: ['ads/one.mp4', 'ads/two.mp4'] });
  const receive = async (track: string): Promise<Buffer> => {
    // Loads each segment of the first clip as soon as the playlist lists the segment: on a busy machine, the first
    // segments have left the window when the last segments are listed.
    const loaded = new Map<string, Buffer>();
    await until(
      'all segments of the first clip',
      async () => {
        const playlist = await text(`cam/${track}/index.m3u8?token=bytes`);
        const [map = ''] = /(?<=EXT-X-MAP:URI=")[^"]+/.exec(playlist) ?? [];
        for (const name of [map, ...segmentsOf(playlist).filter(isOfClip)])
          if (loaded.size <= CLIP_SECONDS && !loaded.has(name)) loaded.set(name, await bytes(`cam/${track}/${name}`));
        return loaded.size > CLIP_SECONDS;
      },
      LIMIT_MS,
    );
    return Buffer.concat([...loaded.values()]);
  };
  await text('cam/index.m3u8?token=bytes');
  const received = await Promise.all([receive('v1'), receive('a1')]);
  const later = await until(
    'the stream',
    async () => {
      const listed = await text('cam/v1/index.m3u8?token=bytes');
      return segmentsOf(listed).some((name) => !isOfClip(name)) ? listed : undefined;
    },
    LIMIT_MS,
  );
  // Compared now, because it takes long, and meanwhile the clips leave the window.
  for (const [index, stream] of (['v:0', 'a:0'] as const).entries()) {
    const file = join(folder, `received-${index}.mp4`);
    writeFileSync(file, received[index] ?? '');
    const [units, expected] = unitDigests([file, join(folder, 'one.mp4')].map((path) => [path, stream] as const));
    expect(units).toEqual(expected);
  }
  // On a busy machine the first clip has left the window by now.
  const origins = segmentsOf(later).map((name) => (isOfClip(name) ? name.slice(0, name.indexOf('-')) : 'stream'));
  const changes = origins.slice(1).filter((origin, index) => origin !== origins[index]);
  expect(changes.at(-1)).toBe('stream');
  expect(later.match(/#EXT-X-DISCONTINUITY\n(?:#.*\n)*[^#]/g)?.length).toBeGreaterThanOrEqual(changes.length);
  expect((await explain('bytes')).shown).toMatchObject([
    { path: 'ads/one.mp4', placement: 'preroll', duration: CLIP_SECONDS, is_sent: true },
    { path: 'ads/two.mp4', placement: 'preroll', is_sent: false },
  ]);
  const { facts } = backend.requestsAbout('bytes').at(-1) as ReceivedRequest;
  const log = `${server.url}/streamer/api/v3/ads/as_run`;
  const rows = ((await (await fetch(`${log}?session_id=${facts['session_id'] ?? ''}`)).json()) as { as_run: object[] })
    .as_run;
  expect(rows).toMatchObject([{ path: 'ads/one.mp4', progress: 100, sent: CLIP_SECONDS, stream: 'cam' }]);
  const exported = (await (await fetch(`${log}/export`)).text()).trimEnd().split('\n');
  const { signature, ...proof } = JSON.parse(exported.at(-1) ?? '') as Record<string, unknown>;
  const key = await (await fetch(`${log}/public_key`)).text();
  expect(verify(null, Buffer.from(JSON.stringify(proof)), key, Buffer.from(String(signature), 'base64'))).toBe(true);
});

it.concurrent('explains why clips are not shown, and plays the stream instead', async () => {
  answer('odd', { preroll: ['ads/large.mp4', 'ads/none.mp4'] });
  const playlist = await until(
    'the stream',
    async () => {
      await text('cam/index.m3u8?token=odd');
      const listed = await text('cam/v1/index.m3u8?token=odd');
      return segmentsOf(listed).length > 1 ? listed : undefined;
    },
    LIMIT_MS,
  );
  expect(segmentsOf(playlist).filter(isOfClip)).toEqual([]);
  const { clips, skipped, notes } = await explain('odd');
  expect(clips).toMatchObject([
    { path: 'ads/large.mp4', state: 'clip_differs' },
    { path: 'ads/none.mp4', state: 'clip_not_found' },
  ]);
  expect(clips[0]?.differences).toContainEqual({ field: 'v1.height', clip: 360, stream: 240 });
  expect(skipped.map(({ reason }) => reason)).toEqual(['clip_differs', 'clip_not_found', 'break_without_clips']);
  expect(notes).toEqual([]);
  answer('wrong', { preroll: ['http://ads.example/a.mp4'] });
  await text('cam/index.m3u8?token=wrong');
  expect((await explain('wrong')).faults).toEqual([expect.stringContaining('ad_inject.preroll')]);
});

/** All media of a track sent to a viewer, as one file, until it has a number of segments: addresses, and the file. */
async function watched(token: string, track: string, count: number): Promise<{ file: string; names: string[] }> {
  const bodies = new Map<string, Buffer>();
  const get = async (name: string): Promise<Buffer> => bytes(`cam/${track}/${name}`);
  await text(`cam/index.m3u8?token=${token}`);
  const map = await until(
    `${count} segments`,
    async () => {
      const playlist = await text(`cam/${track}/index.m3u8?token=${token}`);
      expect(playlist).not.toMatch(/#EXT-X-DISCONTINUITY\n/);
      for (const name of segmentsOf(playlist)) if (!bodies.has(name)) bodies.set(name, await get(name));
      return bodies.size >= count ? /(?<=EXT-X-MAP:URI=")[^"]+/.exec(playlist)?.[0] : undefined;
    },
    LIMIT_MS,
  );
  const file = join(folder, `${token}-${track}.mp4`);
  writeFileSync(file, Buffer.concat([await get(map), ...bodies.values()]));
  return { file, names: [...bodies.keys()] };
}

/** Decoded pictures or audio frames, as hash and time in milliseconds; fails if the decoder prints a warning. */
function decoded(file: string, stream: 'v:0' | 'a:0'): { digest: string; ms: number }[] {
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-v', 'warning', '-nostdin', '-copyts', '-i', file, '-map', `0:${stream}`, '-fps_mode', 'passthrough'].concat([
      '-f',
      'framemd5',
      '-',
    ]),
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  const scale = Number(/#tb 0: 1\/(\d+)/.exec(stdout)?.[1]);
  return stdout
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(',').map((field) => field.trim()))
    .map((fields) => ({ digest: fields[5] ?? '', ms: (Number(fields[2]) * 1000) / scale }));
}

it.concurrent("shows each picture of a clip inside the stream's own segments once, and then the stream", async () => {
  answer('inside', { preroll: ['ads/other.mp4'] });
  const { file, names } = await watched('inside', 'v1', 5);
  expect(names.filter(isOfClip)).toEqual([]);
  const pictures = decoded(file, 'v:0');
  const clip = decoded(join(folder, 'other.mp4'), 'v:0').map(({ digest }) => digest);
  expect(clip).toHaveLength(CLIP_SECONDS * 25);
  expect(pictures.slice(0, clip.length).map(({ digest }) => digest)).toEqual(clip);
  expect(pictures.slice(clip.length).filter(({ digest }) => clip.includes(digest))).toEqual([]);
  for (const [index, { ms }] of pictures.entries())
    if (index > 0) expect(Math.abs(ms - (pictures[index - 1]?.ms ?? 0) - 40)).toBeLessThan(3);
  const shown = (await explain('inside')).shown;
  expect(shown).toMatchObject([{ path: 'ads/other.mp4', placement: 'preroll', duration: CLIP_SECONDS, is_sent: true }]);
  // After the clips, this viewer gets the same segments as all other viewers.
  answer('plain', {});
  const plain = await watched('plain', 'v1', 5);
  const plainDigests = new Set(decoded(plain.file, 'v:0').map(({ digest }) => digest));
  const common = names.filter((name) => plain.names.includes(name.replace('inside', 'plain')));
  expect(common.length).toBeGreaterThan(0);
  expect(pictures.slice(clip.length).filter(({ digest }) => plainDigests.has(digest)).length).toBeGreaterThan(0);
});

it.concurrent('lists parts and keeps audio continuous for clips inside the segments of the stream', async () => {
  answer('sound', { preroll: ['ads/other.mp4'] });
  const { file, names } = await watched('sound', 'a1', 4);
  const sound = decoded(file, 'a:0');
  for (const [index, { ms }] of sound.entries())
    if (index > 0) expect(Math.abs(ms - (sound[index - 1]?.ms ?? 0) - 1024 / 48)).toBeLessThan(0.1);
  // The viewer gets each packet of the clip once. The clip may start up to two audio frames late (less than 22 ms
  // each).
  const paths = [join(folder, 'other.mp4'), file];
  const [clip = [], units = []] = unitDigests(paths.map((path) => [path, 'a:0'] as const));
  const begin = clip.indexOf(units[0] ?? '');
  expect(begin).toBeGreaterThanOrEqual(0);
  expect(begin).toBeLessThanOrEqual(2);
  expect(units.slice(0, 180)).toEqual(clip.slice(begin, begin + 180));
  const playlist = await text('cam/v1/index.m3u8?token=sound');
  expect(playlist).toContain('#EXT-X-PART:');
  const [, msn] = /#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist) ?? [];
  const next = Number(msn) + segmentsOf(playlist).length + 1;
  expect(await text(`cam/v1/index.m3u8?token=sound&_HLS_msn=${next}&_HLS_part=0`)).not.toBe(playlist);
  expect(names.filter(isOfClip)).toEqual([]);
});

it.concurrent('shows each picture of a clip once in MPEG-TS segments', async () => {
  answer('box', { preroll: ['ads/other.mp4'] });
  const bodies = new Map<string, Buffer>();
  await until(
    'segments',
    async () => {
      const playlist = await text('cam/index.ts.m3u8?token=box');
      for (const name of playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
        if (!bodies.has(name))
          bodies.set(name, Buffer.from(await (await fetch(new URL(name, `${server.url}/cam/`))).arrayBuffer()));
      return bodies.size >= 4 ? bodies : undefined;
    },
    LIMIT_MS,
  );
  const file = join(folder, 'box.ts');
  writeFileSync(file, Buffer.concat([...bodies.values()]));
  const pictures = decoded(file, 'v:0');
  const clip = decoded(join(folder, 'other.mp4'), 'v:0').map(({ digest }) => digest);
  expect(pictures.slice(0, clip.length).map(({ digest }) => digest)).toEqual(clip);
  expect(pictures.slice(clip.length).filter(({ digest }) => clip.includes(digest))).toEqual([]);
  expect(pictures.length).toBeGreaterThan(clip.length);
  expect(decoded(file, 'a:0').length).toBeGreaterThan(0);
});

it.concurrent.each(['dashjs', 'shaka'] as const)(
  'plays two breaks across their Periods with clips inside segments in %s',
  async (player) => {
    const token = `parted-${player}`;
    answer(token, { preroll: 'ads/other.mp4', midroll: ['ads/two.mp4'], midroll_interval: 4 });
    const page = await PlayerPage.open(browser, pages, player, `${server.url}/parted/index.mpd?token=${token}`);
    const { currentTime } = await page.playing(60_000);
    const end = await page.reportWhere('both breaks', (report) => report.currentTime > currentTime + 14, 120_000);
    expect(end.errors).toEqual([]);
    const sent = (await explain(token, 'parted')).shown.filter(({ is_sent: isSent }) => isSent);
    expect(new Set(sent.map(({ path }) => path)).size).toBe(2);
    const starts = (mpd: string): string[] =>
      [...mpd.matchAll(/<Period[^>]* start="([^"]+)"/g)].map(([, at = '']) => at);
    const before = starts(await text(`parted/index.mpd?token=${token}`));
    expect(before.length).toBeGreaterThan(1);
    await page.page.close();
  },
  180_000,
);

/** Listens to events of hls.js; returns a function that waits for the n-th event and returns the position of the player. */
async function listened(
  page: PlayerPage,
  names: readonly string[],
): Promise<(name: string, count: number) => Promise<number>> {
  await page.page.evaluate(`
    window.heard = [];
    for (const name of ${JSON.stringify(names)}) probe.player.object.on(name, () => heard.push([name, video.currentTime]));
  `);
  return (name, count) =>
    until(
      `${count} ${name}`,
      async () => {
        const all = await page.page.evaluate<[string, number][]>('heard');
        return all.filter(([one]) => one === name)[count - 1]?.[1];
      },
      LIMIT_MS * 3,
      () => page.printed,
    );
}

it.concurrent(
  'lets hls.js play a preroll and a break without an announced duration, and return to the stream',
  async () => {
    answer('beside', { preroll: 'ads/one.mp4', midroll: ['ads/other.mp4'], midroll_insert_by: 'splicing' });
    const page = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/beside/index.m3u8?token=beside`);
    const eventCount = await listened(page, ['hlsInterstitialStarted', 'hlsInterstitialsPrimaryResumed']);
    const splice = async (body: object): Promise<void> => {
      const marked = await fetch(`${server.url}/streamer/api/v3/streams/beside/ads/splice_insert`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(marked.status).toBe(202);
    };
    await eventCount('hlsInterstitialsPrimaryResumed', 1);
    await page.playing(60_000);
    await page.reset();
    // The preroll may have started before the test listens.
    const before = await page.page.evaluate<number>("heard.filter(([one]) => one === 'hlsInterstitialStarted').length");
    await splice({ kind: 'out', event_id: 7 });
    const beganAt = await eventCount('hlsInterstitialStarted', before + 1);
    await splice({ kind: 'in', event_id: 7 });
    const resumedAt = await eventCount('hlsInterstitialsPrimaryResumed', 2);
    // Less than the ten minutes that the clips of the open-ended break last.
    expect(resumedAt - beganAt).toBeLessThan(20);
    const end = await page.reportWhere('the stream', (report) => report.currentTime > resumedAt + 4, 60_000);
    expect(end.errors).toEqual([]);
    const [preroll, ...others] = (await explain('beside', 'beside')).breaks;
    expect(preroll?.clips).toMatchObject([{ path: 'ads/one.mp4', planned_segments: 4, sent_segments: 4 }]);
    expect(others[0]?.clips[0]).toMatchObject({ path: 'ads/other.mp4', sent_segments: 4 });
    await page.page.close();
  },
  240_000,
);

it.concurrent(
  'lets hls.js play a preroll from its start, even if playback starts less than the length of the preroll after the first listed segment',
  async () => {
    answer('near', { preroll: 'ads/one.mp4' });
    const address = `${server.url}/beside/index.m3u8?token=near`;
    const page = await PlayerPage.open(browser, pages, 'hlsjs', address, { startPosition: 1.5 });
    const eventCount = await listened(page, ['hlsInterstitialEnded']);
    await eventCount('hlsInterstitialEnded', 1);
    const [preroll] = (await explain('near', 'beside')).breaks;
    expect(preroll?.clips).toMatchObject([{ path: 'ads/one.mp4', planned_segments: 4, sent_segments: 4 }]);
    await page.page.close();
  },
  120_000,
);
